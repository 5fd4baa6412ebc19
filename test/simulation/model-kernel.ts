// Documents in memory, as the storage kernel promises them. Operations are plain functions: see model-store.ts.
import type { Document, Range, Write } from '../../src/storage/kernel.ts';
import { toKey, toVersion } from '../../src/storage/kernel.ts';

type Kept = { body: string; puts: number; place: number; entries: Map<string, number>; expiresAt: number };

export type ModelKernel = ReturnType<typeof createModelKernel>;

/** `now`: the clock of the store, epoch ms. */
export function createModelKernel(now: () => number) {
  const documents = new Map<string, Kept>();
  let places = 0;

  const find = (key: string): Kept | undefined => {
    const kept = documents.get(key);
    return kept && kept.expiresAt > now() ? kept : undefined;
  };
  const toVersionOf = (kept: Kept | undefined) => (kept ? toVersion(kept.place, kept.puts) : 0);
  const open = (key: string, kept: Kept): Document => ({
    key,
    body: JSON.parse(kept.body),
    version: toVersionOf(kept),
    place: kept.place,
  });

  function apply(write: Write): void {
    if ('drop' in write) return void documents.delete(write.drop);
    const before = find(write.put);
    const place = before?.place ?? ++places;
    const entries = write.entries && new Map(write.entries.map(({ index, at = place }) => [index, at]));
    documents.set(write.put, {
      body: JSON.stringify(write.body),
      puts: (before?.puts ?? 0) + 1,
      place,
      entries: entries ?? before?.entries ?? new Map(),
      expiresAt: write.expiresAt ?? Number.POSITIVE_INFINITY,
    });
  }

  return {
    get: (keys: readonly string[]) =>
      keys.map((key) => {
        const kept = find(key);
        return kept && open(key, kept);
      }),
    range(index: string, { from = -Infinity, to = Infinity, after = -Infinity, limit = 200, isReversed }: Range = {}) {
      const at = (kept: Kept) => kept.entries.get(index) ?? 0;
      const found = [...documents].filter(([key, kept]) => find(key) && kept.entries.has(index));
      const inRange = found.filter(([, kept]) => at(kept) >= from && at(kept) <= to && at(kept) > after);
      inRange.sort(([, one], [, other]) => at(one) - at(other) || one.place - other.place);
      return (isReversed ? inRange.reverse() : inRange).slice(0, limit).map(([key, kept]) => open(key, kept));
    },
    count: (index: string, from: number) =>
      [...documents].filter(([key, { entries }]) => find(key) && (entries.get(index) ?? -Infinity) >= from).length,
    commit(writes: readonly Write[]): boolean {
      const isOutdated = (write: Write) =>
        write.ifVersion !== undefined && write.ifVersion !== toVersionOf(find(toKey(write)));
      if (writes.some(isOutdated)) return false;
      writes.forEach(apply);
      return true;
    },
    clear() {
      for (const [key, { expiresAt }] of documents) if (expiresAt <= now()) documents.delete(key);
    },
  };
}
