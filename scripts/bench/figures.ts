import type { Latencies, Measured } from './measure.ts';

export type Spread = { median: number; least: number; most: number };

/** All rounds of one contender. */
export type Figures = {
  name: string;
  turnsPerSecond: Spread;
  cpuMsPerTurn: Spread;
  coreUse: number;
  slackCallsPerTurn: number;
  memoryMegabytes: number;
  /** Milliseconds, at the 50th and the 99th percentile. */
  added: Record<keyof Latencies, { p50: number; p99: number }>;
};

export function toFigures(name: string, rounds: Measured[]): Figures {
  const latencies = rounds.flatMap((round) => round.latencies);
  return {
    name,
    turnsPerSecond: toSpread(rounds.map((round) => round.turnsPerSecond)),
    cpuMsPerTurn: toSpread(rounds.map((round) => round.cpuMsPerTurn)),
    coreUse: toSpread(rounds.map((round) => round.coreUse)).median,
    slackCallsPerTurn: toSpread(rounds.map((round) => round.slackCallsPerTurn)).median,
    memoryMegabytes: Math.max(...rounds.map((round) => round.memoryBytes)) / 2 ** 20,
    added: {
      toQuestionMs: toPercentiles(latencies.map(({ toQuestionMs }) => toQuestionMs)),
      toPostMs: toPercentiles(latencies.map(({ toPostMs }) => toPostMs)),
    },
  };
}

/** Of neighbouring rounds, so that whatever else the machine was busy with counts on both sides. */
export function toRatio(ours: Measured[], theirs: Measured[]): Spread {
  return toSpread(ours.map((round, index) => round.cpuMsPerTurn / (theirs[index]?.cpuMsPerTurn ?? Number.NaN)));
}

function toSpread(values: number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const median = ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2;
  return { median, least: sorted[0] ?? Number.NaN, most: sorted.at(-1) ?? Number.NaN };
}

function toPercentiles(values: number[]): { p50: number; p99: number } {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99) };
}
