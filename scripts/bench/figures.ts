/** The median, the least and the greatest value of the rounds. */
export type Figure = { median: number; least: number; most: number };

export function toMedian(values: number[]): Figure {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const median = ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2;
  return { median, least: sorted[0] ?? Number.NaN, most: sorted.at(-1) ?? Number.NaN };
}

/** Divides round by round, so that other load on the machine affects both sides. */
export function toRatio(ours: number[], theirs: number[]): Figure {
  return toMedian(ours.map((value, round) => value / (theirs[round] ?? Number.NaN)));
}

/** `share`: 0.99 for p99. */
export function toPercentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
