/** Says "something changed" to whoever waits; costs nothing while nobody does. */
export type Signal = {
  notify(): void;
  /** Returns a function that ends the subscription. */
  listen(listener: () => void): () => void;
};

export function createSignal(): Signal {
  const listeners = new Set<() => void>();
  return {
    notify() {
      for (const listener of listeners) listener();
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
