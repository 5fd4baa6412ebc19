import { setTimeout as pause } from 'node:timers/promises';
import type { World } from '../../test/sandbox/world.ts';
import { type Contender, withLastLines } from './contender.ts';
import type { RedisUsage } from './measured-redis.ts';
import type { Usage } from './report-usage.ts';
import { type Load, type Moments, runTraffic } from './traffic.ts';

/** What one contender did in one round. */
export type Measured = {
  turnsPerSecond: number;
  /** Of the measured processes together, user and system; neither the stand-ins nor Redis. */
  cpuMsPerTurn: number;
  /** What each of the processes used of that. */
  cpuMsByProcess: number[];
  /** How much work they had, in cores: below the number of their cores they waited for stand-ins, disk or Redis. */
  coreUse: number;
  slackCallsPerTurn: number;
  redis: { cpuMsPerTurn: number; commandsPerTurn: number; memoryBytes: number } | undefined;
  /** How often the disk was flushed for a turn, be it by the app or by its Redis. NaN where nobody can tell. */
  flushesPerTurn: number;
  /** Rows that the app's own database changed for a turn. */
  rowsPerTurn: number;
  /** Of the process that has most. */
  memoryBytes: number;
  latencies: Latencies[];
  /** How long Slack waited for the acknowledgement of each event, in ms. */
  acknowledgedMs: number[];
};

/** What the contender itself adds to a turn, in ms. */
export type Latencies = {
  /** From the delivery by Slack until the question arrives at the service. */
  toQuestionMs: number;
  /** From the first of the service's answer until the Slack call that shows it. */
  toPostMs: number;
};

/** What still runs after the last answer is seen (the end of the turn's record) belongs to the turn. */
const SETTLE_MS = 100;

export async function measure(world: World, contender: Contender, load: Load): Promise<Measured> {
  const before = await readUsages(contender);
  const run = await withLastLines(contender, runTraffic(world, load, contender.eventsUrls));
  await pause(SETTLE_MS);
  const after = await readUsages(contender);
  const grown = (key: 'cpuMs' | 'commits' | 'rows') =>
    after.processes.map((usage, index) => usage[key] - (before.processes[index]?.[key] ?? 0));
  const cpuMs = grown('cpuMs');
  const cpuMsInAll = sum(cpuMs);
  return {
    turnsPerSecond: load.turns / (run.elapsedMs / 1000),
    cpuMsPerTurn: cpuMsInAll / load.turns,
    cpuMsByProcess: cpuMs.map((ms) => ms / load.turns),
    coreUse: cpuMsInAll / run.elapsedMs,
    slackCallsPerTurn: run.slackCalls / load.turns,
    redis: before.redis && after.redis && toRedisPart(before.redis, after.redis, load.turns),
    flushesPerTurn: countFlushes(before.redis, after.redis, sum(grown('commits'))) / load.turns,
    rowsPerTurn: sum(grown('rows')) / load.turns,
    memoryBytes: Math.max(...after.processes.map((usage) => usage.memoryBytes)),
    latencies: run.moments.map(toLatencies),
    acknowledgedMs: run.acknowledgedMs,
  };
}

type Usages = { processes: Usage[]; redis: RedisUsage | undefined };

async function readUsages({ processes, redis }: Contender): Promise<Usages> {
  return { processes: await Promise.all(processes.map((process) => process.usage())), redis: await redis?.usage() };
}

function toRedisPart(before: RedisUsage, after: RedisUsage, turns: number): Measured['redis'] {
  return {
    cpuMsPerTurn: (after.cpuMs - before.cpuMs) / turns,
    commandsPerTurn: (after.commands - before.commands) / turns,
    memoryBytes: after.memoryBytes,
  };
}

/** NaN where the flushes of Redis cannot be told. */
function countFlushes(before: RedisUsage | undefined, after: RedisUsage | undefined, commits: number): number {
  if (!before || !after) return commits;
  return (after.flushes ?? Number.NaN) - (before.flushes ?? Number.NaN);
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function toLatencies({ deliveredAt, askedAt, answeredAt, postedAt }: Moments): Latencies {
  return { toQuestionMs: askedAt - deliveredAt, toPostMs: postedAt - answeredAt };
}
