/** Does the work one at a time per key; those who come meanwhile wait for their turn. */
export type WithLock = <T>(key: string, run: () => Promise<T>) => Promise<T>;
