// A kernel as it should be, in a few lines: both stores are compared with it.
import type { Document, Entry, Kernel, Range, Write } from '../../src/storage/kernel.ts';

type Kept = Document & { entries: readonly Entry[]; expiresAt: number | undefined };

export function createModel(now: () => number): Kernel {
  const documents = new Map<string, Kept>();
  let places = 0;
  let versions = 0;

  const find = (key: string): Kept | undefined => {
    const found = documents.get(key);
    return found?.expiresAt !== undefined && found.expiresAt <= now() ? undefined : found;
  };

  function apply(write: Write): void {
    if ('drop' in write) return void documents.delete(write.drop);
    const { put: key, body, entries, expiresAt } = write;
    const before = find(key);
    const place = before?.place ?? ++places;
    const version = ++versions;
    documents.set(key, { key, body, version, place, entries: entries ?? before?.entries ?? [], expiresAt });
  }

  function list(index: string): { at: number; kept: Kept }[] {
    const all = [...documents.keys()].flatMap((key) => find(key) ?? []);
    const entries = all.flatMap((kept) =>
      kept.entries.filter((entry) => entry.index === index).map(({ at = kept.place }) => ({ at, kept })),
    );
    return entries.sort((one, other) => one.at - other.at || one.kept.place - other.kept.place);
  }

  const toDocument = ({ key, body, version, place }: Kept): Document => ({ key, body, version, place });

  return {
    get: async (keys) => keys.map((key) => find(key)).map((kept) => kept && toDocument(kept)),
    async range(index, { from = -Infinity, to = Infinity, after = -Infinity, limit = 200, isReversed }: Range = {}) {
      const found = list(index).filter(({ at }) => at >= from && at > after && at <= to);
      return (isReversed ? found.toReversed() : found).slice(0, limit).map(({ kept }) => toDocument(kept));
    },
    count: async (index, from) => list(index).filter(({ at }) => at >= from).length,
    async commit(writes) {
      const isSame = writes.every((write) => {
        const key = 'put' in write ? write.put : write.drop;
        return write.ifVersion === undefined || write.ifVersion === (find(key)?.version ?? 0);
      });
      if (isSame) writes.forEach(apply);
      return isSame;
    },
    clear: async () => undefined,
  };
}
