import { createLocalLock, type WithLock } from '../../with-lock.ts';

/**
 * One at a time per key, in this process, and with `withLock` across replicas. A value that is read before a write must not
 * change until the write, and the service offers no conditional writes.
 */
export function createExclusively(withLock?: WithLock): WithLock {
  const locally = createLocalLock();
  return (key, run) => locally(key, () => (withLock ? withLock(key, run) : run()));
}

/** Results in the order of the items. Few run at once, because the service limits the calls of a whole tenant. */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  concurrency: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = new Array(items.length);
  const entries = items.entries();
  const runWorker = async () => {
    for (const [index, item] of entries) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, runWorker));
  return results;
}
