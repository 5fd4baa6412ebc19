export type TakenFault<Fault, Options> = { readonly fault: Fault; readonly options: Options };

type Repeated = { readonly times?: number };

export type FaultQueue<Fault, Options extends Repeated> = Omit<
  ReturnType<typeof createFaultQueue<Fault, Options>>,
  'take'
>;

/** Faults wait here until a request that they fit arrives; the first that fits is played. */
export function createFaultQueue<Fault, Options extends Repeated>(defaults: Options) {
  const waiting: { fault: Fault; options: Options; left: number }[] = [];
  const add = (fault: Fault, options: Options, left: number) => {
    waiting.push({ fault, options, left });
  };
  return {
    /** Plays `fault` on the next fitting request, or on the next `times` of them. */
    next: (fault: Fault, options: Options = defaults) => add(fault, { ...defaults, ...options }, options.times ?? 1),
    /** Plays `fault` on every fitting request until `clear`. */
    always: (fault: Fault, options: Options = defaults) =>
      add(fault, { ...defaults, ...options }, Number.POSITIVE_INFINITY),
    clear(): void {
      waiting.length = 0;
    },
    /** How many are still waiting to be played. */
    get pending(): number {
      return waiting.length;
    },
    take(fits: (fault: Fault, options: Options) => boolean): TakenFault<Fault, Options> | undefined {
      const index = waiting.findIndex((entry) => fits(entry.fault, entry.options));
      const found = waiting[index];
      if (found === undefined) return undefined;
      found.left -= 1;
      if (found.left <= 0) waiting.splice(index, 1);
      return { fault: found.fault, options: found.options };
    },
  };
}
