/** The turns that run in this process now, so that one can be stopped from outside. */
export type RunningTurns = {
  run<T>(turnId: string, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Breaks off what the turn waits for. The turn's record must have been ended first. */
  abort(turnId: string): void;
};

export function createRunningTurns(): RunningTurns {
  const controllers = new Map<string, AbortController>();
  return {
    async run(turnId, work) {
      const controller = new AbortController();
      controllers.set(turnId, controller);
      try {
        return await work(controller.signal);
      } finally {
        // A command's turn goes on in another lane before this one has ended.
        if (controllers.get(turnId) === controller) controllers.delete(turnId);
      }
    },
    abort: (turnId) => controllers.get(turnId)?.abort(),
  };
}
