// Everything that happens by chance in a simulation comes from here, so that a seed plays the same world each time.
import { createRandom as createPlain, type Random } from '../faults/random.ts';

export type { Random };

/** Its `between` is a whole number, and includes both. Seeds that follow each other have nothing in common. */
export function createRandom(seed: number): Random {
  const random = createPlain(Math.imul(seed + 1, 0x9e3779b1));
  return { ...random, between: (from, to) => from + random.below(to - from + 1) };
}
