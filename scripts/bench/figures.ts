import type { Latencies, Measured } from './measure.ts';

export type Spread = { median: number; least: number; most: number };

export type Percentiles = { p50: number; p99: number };

/** All rounds of one contender. Values are medians of the rounds unless they say otherwise. */
export type Figures = {
  name: string;
  turnsPerSecond: Spread;
  cpuMsPerTurn: Spread;
  cpuMsByProcess: number[];
  coreUse: number;
  slackCallsPerTurn: number;
  redis?: { cpuMsPerTurn: Spread; commandsPerTurn: number; memoryMegabytes: number };
  /** The most of all rounds, of the process that has most. */
  memoryMegabytes: number;
  /** How often the disk was flushed for a turn; NaN where nobody can tell. */
  flushesPerTurn: Spread;
  /** How long Slack waited for its acknowledgements, in ms. */
  acknowledgedMs: Percentiles;
  /** Milliseconds. */
  added: Record<keyof Latencies, Percentiles>;
};

export const MEGABYTE = 2 ** 20;

export function toFigures(name: string, rounds: Measured[]): Figures {
  const latencies = rounds.flatMap((round) => round.latencies);
  const redis = rounds.flatMap((round) => round.redis ?? []);
  return {
    name,
    turnsPerSecond: toSpread(rounds.map((round) => round.turnsPerSecond)),
    cpuMsPerTurn: toSpread(rounds.map((round) => round.cpuMsPerTurn)),
    cpuMsByProcess: (rounds[0]?.cpuMsByProcess ?? []).map(
      (_, index) => toSpread(rounds.map((round) => round.cpuMsByProcess[index] ?? Number.NaN)).median,
    ),
    coreUse: toSpread(rounds.map((round) => round.coreUse)).median,
    slackCallsPerTurn: toSpread(rounds.map((round) => round.slackCallsPerTurn)).median,
    ...(redis.length > 0 && { redis: toRedisFigures(redis) }),
    memoryMegabytes: Math.max(...rounds.map((round) => round.memoryBytes)) / MEGABYTE,
    flushesPerTurn: toSpread(rounds.map((round) => round.flushesPerTurn)),
    acknowledgedMs: toPercentiles(rounds.flatMap((round) => round.acknowledgedMs)),
    added: {
      toQuestionMs: toPercentiles(latencies.map(({ toQuestionMs }) => toQuestionMs)),
      toPostMs: toPercentiles(latencies.map(({ toPostMs }) => toPostMs)),
    },
  };
}

/** CPU per turn of neighbouring rounds, so that whatever else the machine was busy with counts on both sides. */
export function toRatio(ours: Measured[], theirs: Measured[]): Spread {
  return toSpread(ours.map((round, index) => round.cpuMsPerTurn / (theirs[index]?.cpuMsPerTurn ?? Number.NaN)));
}

export function toSpread(values: number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const median = ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2;
  return { median, least: sorted[0] ?? Number.NaN, most: sorted.at(-1) ?? Number.NaN };
}

function toRedisFigures(rounds: NonNullable<Measured['redis']>[]): Figures['redis'] {
  return {
    cpuMsPerTurn: toSpread(rounds.map((round) => round.cpuMsPerTurn)),
    commandsPerTurn: toSpread(rounds.map((round) => round.commandsPerTurn)).median,
    memoryMegabytes: Math.max(...rounds.map((round) => round.memoryBytes)) / MEGABYTE,
  };
}

export function toPercentiles(values: number[]): Percentiles {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99) };
}
