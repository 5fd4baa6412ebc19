type Stoppable = { stop(): Promise<void> };

/** Everything that a bench has started, so that all of it ends, whatever moment somebody presses Ctrl-C at. */
export type Running = {
  /** Starts something and takes charge of it, from the first moment on. Throws once all is being stopped. */
  start<T extends Stoppable>(begin: () => Promise<T>): Promise<T>;
  stop(...things: Stoppable[]): Promise<void>;
  /** The latest first: what others stand on goes last. */
  stopAll(): Promise<void>;
  readonly isStopping: boolean;
};

export function createRunning(): Running {
  const starting = new Set<Promise<Stoppable>>();
  const up = new Set<Stoppable>();
  let stopping: Promise<void> | undefined;

  async function begun<T extends Stoppable>(start: Promise<T>): Promise<T> {
    starting.add(start);
    try {
      const thing = await start;
      up.add(thing);
      return thing;
    } finally {
      starting.delete(start);
    }
  }

  async function stopEverything(): Promise<void> {
    await Promise.allSettled(starting);
    for (const thing of [...up].reverse()) await thing.stop().catch((error: unknown) => console.error(error));
  }

  return {
    async start(begin) {
      if (stopping) throw new Error('the bench is being stopped');
      return begun(begin());
    },
    async stop(...things) {
      for (const thing of things) up.delete(thing);
      await Promise.all(things.map((thing) => thing.stop()));
    },
    stopAll() {
      stopping ??= stopEverything();
      return stopping;
    },
    get isStopping() {
      return stopping !== undefined;
    },
  };
}
