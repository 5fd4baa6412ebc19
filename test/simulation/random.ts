// Everything that happens by chance in a simulation comes from here, so that a seed plays the same world each time.

export type Random = {
  /** From 0 up to 1. */
  next(): number;
  chance(share: number): boolean;
  /** A whole number from `from` to `to`, both included. */
  between(from: number, to: number): number;
  pick<T>(from: readonly T[]): T;
};

/** See https://github.com/cprosche/mulberry32. */
export function createRandom(seed: number): Random {
  let state = Math.imul(seed + 1, 0x9e3779b1);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    chance: (share) => next() < share,
    between: (from, to) => from + Math.floor(next() * (to - from + 1)),
    pick: <T>(from: readonly T[]) => from[Math.floor(next() * from.length)] as T,
  };
}
