import type { Signal } from './signal.ts';

export type UntilOptions = {
  /** A minute unless told otherwise: on a busy machine all takes its time, and what is right is seen at once. */
  timeoutMs?: number;
  /** What is waited for, for the error message. */
  what?: string;
};

/** A look every now and then, for predicates over things that the sandbox does not see change. */
const GLANCE_MS = 50;

/** Resolves with the predicate's first truthy answer; looks whenever something changed. Rejects with `describe()`. */
export function until<T>(
  predicate: () => T,
  signal: Signal,
  describe: () => string,
  options: UntilOptions = {},
): Promise<NonNullable<Exclude<T, false | 0 | ''>>> {
  type Found = NonNullable<Exclude<T, false | 0 | ''>>;
  const timeoutMs = options.timeoutMs ?? 60_000;
  return new Promise<Found>((resolve, reject) => {
    let isScheduled = false;
    const look = () => {
      isScheduled = false;
      try {
        const found = predicate();
        if (found) finish(() => resolve(found as Found));
      } catch (error) {
        finish(() => reject(error));
      }
    };
    const stopListening = signal.listen(() => {
      if (isScheduled) return;
      isScheduled = true;
      setImmediate(look);
    });
    const glance = setInterval(look, GLANCE_MS);
    const timer = setTimeout(() => {
      const what = options.what ?? predicate.toString();
      finish(() => reject(new Error(`Waited ${timeoutMs} ms in vain for: ${what}\n${describe()}`)));
    }, timeoutMs);
    const finish = (settle: () => void) => {
      stopListening();
      clearInterval(glance);
      clearTimeout(timer);
      settle();
    };
    look();
  });
}
