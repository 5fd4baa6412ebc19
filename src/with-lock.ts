/** Runs one task at a time per key. Other tasks of the key wait. */
export type WithLock = <T>(key: string, run: () => Promise<T>) => Promise<T>;

/** A lock within this process. Enough if there is only one process. */
export function createLocalLock(): WithLock {
  const last = new Map<string, Promise<unknown>>();
  return async (key, run) => {
    const turn = (last.get(key) ?? Promise.resolve()).then(run);
    const settled = turn.catch(() => undefined);
    last.set(key, settled);
    try {
      return await turn;
    } finally {
      if (last.get(key) === settled) last.delete(key);
    }
  };
}
