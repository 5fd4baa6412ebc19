/** Runs one task at a time per key; others wait for their turn. */
export type WithLock = <T>(key: string, run: () => Promise<T>) => Promise<T>;
