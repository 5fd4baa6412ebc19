import type { OnceStore } from '../../src/identity/once-store.ts';

export type MemoryOnceStore = OnceStore & {
  /** What is stored, as an outsider with access to the database sees it. */
  readonly entries: ReadonlyMap<string, { value: string; expiresAt: number }>;
};

export function createMemoryOnceStore(now: () => number): MemoryOnceStore {
  const entries = new Map<string, { value: string; expiresAt: number }>();
  const peek = async (key: string) => {
    const entry = entries.get(key);
    return entry && entry.expiresAt > now() ? entry.value : undefined;
  };
  return {
    entries,
    peek,
    async put(key, value, expiresAt) {
      entries.set(key, { value, expiresAt });
    },
    async take(key) {
      const value = peek(key);
      entries.delete(key);
      return value;
    },
  };
}
