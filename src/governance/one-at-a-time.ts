/** Runs one at a time per key; those who come meanwhile wait for their turn. */
export type Exclusively = <T>(key: string, run: () => Promise<T>) => Promise<T>;

/**
 * Within this process, and with `withLock` across replicas: what is read before a write must still hold when it is made,
 * and the service offers nothing to make sure of that.
 */
export function createExclusively(withLock?: Exclusively): Exclusively {
  const last = new Map<string, Promise<unknown>>();

  return async function exclusively(key, run) {
    const before = last.get(key);
    const mine = Promise.resolve(before)
      .catch(() => undefined)
      .then(() => (withLock ? withLock(key, run) : run()));
    last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (last.get(key) === mine) last.delete(key);
    }
  };
}
