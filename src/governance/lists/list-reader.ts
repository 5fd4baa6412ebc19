// Reads a list for somebody: what they typed, their filter, and the result kept while its pages are turned.
import { LRUCache } from 'lru-cache';
import type { AdminSession } from '../../admin-api/admin-session.ts';
import type { Caller } from '../shell/admin-rules.ts';
import { AGENTS } from './agents-list.ts';
import { ENVIRONMENTS } from './environments-list.ts';
import { findRows, type List, type ListServices, type Look, type Page, type Result, takePage } from './list.ts';
import { nameOwners, type Owned, resolveOwner } from './list-owners.ts';
import { parseQuery, type Query } from './list-query.ts';
import { toMonthList } from './months-list.ts';

export type ListName = 'agents' | 'environments';

type Asked = {
  name: ListName;
  typed: string;
  caller: Caller;
  session: AdminSession;
  timeZone: string;
  /** False: what was read a while ago will do, because a page is turned. */
  isFresh: boolean;
};

/** All that fits, and how to complete a page of it. */
export type Found<Row extends Owned> = { list: List<Row>; query: Query; result: Result<Row>; look: Look };

/** Does something with the rows, whatever they are of. */
type WithRows<T> = <Row extends Owned>(found: Found<Row>) => Promise<T>;

export type ListReader = {
  /** `problem`: a sentence in mrkdwn, where what was typed cannot be understood. Throws what reading throws. */
  read<T>(asked: Asked, work: WithRows<T>): Promise<T | { problem: string }>;
};

const KEPT_MS = 5 * 60_000;

/** Of all people together; about a kilobyte each. */
const MAX_ROWS = 20_000;

export function createListReader(services: ListServices): ListReader {
  const kept = new LRUCache<string, Found<Owned>>({
    maxSize: MAX_ROWS,
    sizeCalculation: ({ result }) => result.rows.length + 1,
    ttl: KEPT_MS,
    perf: { now: services.now },
  });

  async function find<Row extends Owned>(list: List<Row>, asked: Asked, query: Query): Promise<Found<Row>> {
    const { name, caller, session, timeZone, isFresh } = asked;
    const look: Look = { session, caller, timeZone, query, services };
    const key = [name, caller.team, caller.user, query.typed].join('\n');
    const known = isFresh || query.isFile ? undefined : (kept.get(key) as Found<Row> | undefined);
    const found = { list, query, look, result: known?.result ?? (await findRows(list, look)) };
    kept.set(key, found as unknown as Found<Owned>);
    return found;
  }

  return {
    async read<T>(asked: Asked, work: WithRows<T>) {
      const query = await readQuery(asked, services);
      if ('problem' in query) return query;
      return withList(asked.name, query, async (list) => {
        const foreign = [...query.filters.keys()].find((word) => !list.filters.some((one) => one.word === word));
        if (foreign !== undefined) return { problem: `\`${foreign}\` does not go with a month.` };
        return work(await find(list, asked, query));
      });
    },
  };
}

async function readQuery({ name, typed, timeZone, caller }: Asked, services: ListServices) {
  const filters = (name === 'agents' ? AGENTS : ENVIRONMENTS).filters.map(({ word }) => word);
  const query = parseQuery(typed, { filters, timeZone });
  if ('problem' in query) return query;
  if (query.period && query.period.text.length > 7) return { problem: 'Here goes a month, such as `2026-10`.' };
  return resolveOwner(query, caller, services);
}

function withList<T>(
  name: ListName,
  { period }: Query,
  work: <Row extends Owned>(list: List<Row>) => Promise<T>,
): Promise<T> {
  if (period !== undefined) return work(toMonthList(name, period));
  return name === 'agents' ? work(AGENTS) : work(ENVIRONMENTS);
}

/** The rows of a page, complete, with their owners as people of Slack. */
export async function readPage<Row extends Owned>(
  { list, result, look }: Found<Row>,
  page: number,
): Promise<Page & { rows: readonly Row[] }> {
  const taken = takePage(result.rows, page);
  const isComplete = result.isComplete || list.complete === undefined;
  const rows = isComplete ? taken.rows : await list.complete?.(taken.rows, look);
  return { ...taken, rows: await nameOwners(rows ?? [], look.caller, look.services) };
}
