/** Faults wait here until a request that they fit arrives; the first that fits is played. */
export type FaultQueue<Fault, Options extends { readonly times?: number }> = {
  /** Plays `fault` on the next fitting request, or on the next `times` of them. */
  next(fault: Fault, options?: Options): void;
  /** Plays `fault` on every fitting request until `clear`. */
  always(fault: Fault, options?: Options): void;
  clear(): void;
  /** How many are still waiting to be played. */
  readonly pending: number;
};

export type TakenFault<Fault, Options> = { readonly fault: Fault; readonly options: Options };

export type TakeableFaultQueue<Fault, Options extends { readonly times?: number }> = FaultQueue<Fault, Options> & {
  take(fits: (fault: Fault, options: Options) => boolean): TakenFault<Fault, Options> | undefined;
};

export function createFaultQueue<Fault, Options extends { readonly times?: number }>(
  defaults: Options,
): TakeableFaultQueue<Fault, Options> {
  const waiting: { fault: Fault; options: Options; left: number }[] = [];
  const add = (fault: Fault, options: Options, left: number) => {
    waiting.push({ fault, options, left });
  };
  return {
    next: (fault, options = defaults) => add(fault, { ...defaults, ...options }, options.times ?? 1),
    always: (fault, options = defaults) => add(fault, { ...defaults, ...options }, Number.POSITIVE_INFINITY),
    clear: () => {
      waiting.length = 0;
    },
    get pending() {
      return waiting.length;
    },
    take(fits) {
      const index = waiting.findIndex((entry) => fits(entry.fault, entry.options));
      const found = waiting[index];
      if (found === undefined) return undefined;
      found.left -= 1;
      if (found.left <= 0) waiting.splice(index, 1);
      return { fault: found.fault, options: found.options };
    },
  };
}
