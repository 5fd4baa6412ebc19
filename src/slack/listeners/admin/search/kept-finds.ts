// What the inventory query found, kept with the time of the reading: page after page is then of the same list.
import { LRUCache } from 'lru-cache';
import type { Found } from '../../../../admin/inventory-query.ts';

type KeptFindsOptions = { maxRows: number; keptMs: number; now: () => number };

/** What is kept or being read; anew where it `isFresh`. What cannot be read is not kept. */
type Find<Row> = (key: string, isFresh: boolean, read: () => Promise<Found<Row>>) => Promise<Found<Row>>;

/** Rows count for all keys together. `now`: epoch ms. */
export function createKeptFinds<Row>({ maxRows, keptMs, now }: KeptFindsOptions): Find<Row> {
  const kept = new LRUCache<string, Found<Row>>({
    maxSize: maxRows,
    sizeCalculation: ({ rows }) => rows.length + 1,
    ttl: keptMs,
    perf: { now },
  });
  const reading = new Map<string, Promise<Found<Row>>>();

  async function readAnew(key: string, read: () => Promise<Found<Row>>): Promise<Found<Row>> {
    const found = { ...(await read()), readAt: now() };
    kept.set(key, found);
    return found;
  }

  return (key, isFresh, read) => {
    const known = isFresh ? undefined : (kept.get(key) ?? reading.get(key));
    if (known) return Promise.resolve(known);
    const work = readAnew(key, read);
    reading.set(key, work);
    const end = () => reading.get(key) === work && reading.delete(key);
    work.then(end, end);
    return work;
  };
}
