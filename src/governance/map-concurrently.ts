/** In the order of the items, so many at a time: the service counts the calls of a whole tenant. The first error ends it. */
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
