export type Signal = ReturnType<typeof createSignal>;

/** Says "something changed" to whoever waits; costs nothing while nobody does. */
export function createSignal() {
  const listeners = new Set<() => void>();
  return {
    notify(): void {
      for (const listener of listeners) listener();
    },
    /** Returns a function that ends the subscription. */
    listen(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
