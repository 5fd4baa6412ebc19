type SingleFlight<T> = {
  /** Runs `start`, or joins the run that is under way for this key, its failure included. */
  run(key: string, start: () => Promise<T>): Promise<T>;
  /** The run that is under way for this key. */
  current(key: string): Promise<T> | undefined;
};

export function createSingleFlight<T>(): SingleFlight<T> {
  const flights = new Map<string, Promise<T>>();
  return {
    run(key, start) {
      const joined = flights.get(key);
      if (joined) return joined;
      const flight = start().finally(() => flights.delete(key));
      flights.set(key, flight);
      return flight;
    },
    current: (key) => flights.get(key),
  };
}
