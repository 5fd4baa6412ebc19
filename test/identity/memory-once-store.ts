import type { ClaimStore } from '../../src/identity/once-store.ts';

export type MemoryOnceStore = ClaimStore & {
  /** What is stored, as an outsider with access to the database sees it. */
  readonly entries: ReadonlyMap<string, { value: string; expiresAt: number }>;
};

export function createMemoryOnceStore(now: () => number): MemoryOnceStore {
  const entries = new Map<string, { value: string; expiresAt: number }>();
  const read = (key: string) => {
    const entry = entries.get(key);
    return entry && entry.expiresAt > now() ? entry.value : undefined;
  };
  return {
    entries,
    peek: async (key) => read(key),
    async put(key, value, expiresAt) {
      entries.set(key, { value, expiresAt });
    },
    async claim(key, value, expiresAt) {
      const held = read(key);
      if (held === undefined) entries.set(key, { value, expiresAt });
      return held ?? value;
    },
    async take(key) {
      const value = read(key);
      entries.delete(key);
      return value;
    },
  };
}
