/** Made when it is first asked for, and the same from then on: for what a start need not wait for. */
export function later<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
