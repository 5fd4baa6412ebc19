import { setTimeout as pause } from 'node:timers/promises';
import type { World } from '../../test/sandbox/world.ts';
import type { Contender } from './contender.ts';
import type { Load, Moments, Traffic } from './traffic.ts';

/** What one contender did in one round. */
export type Measured = {
  turns: number;
  turnsPerSecond: number;
  /** Of the measured process alone, user and system. */
  cpuMsPerTurn: number;
  /** How much of its core it had work for, from 0 to 1: below that it waited for the stand-ins or the disk. */
  coreUse: number;
  slackCallsPerTurn: number;
  memoryBytes: number;
  latencies: Latencies[];
};

/** What the contender itself adds to a turn, in ms. */
export type Latencies = {
  /** From the delivery by Slack until the question arrives at the service. */
  toQuestionMs: number;
  /** From the service's answer until the answer is in Slack. */
  toPostMs: number;
};

/** What still runs after the last answer is seen (the end of the turn's record) belongs to the turn. */
const SETTLE_MS = 100;

export type Bench = { world: World; traffic: Traffic };

export async function measure({ world, traffic }: Bench, contender: Contender, load: Load): Promise<Measured> {
  world.slack.registration.eventsUrl = contender.eventsUrl;
  const before = await contender.usage();
  const run = await traffic.run(load).catch((cause: Error) => {
    throw new Error(`${contender.name}: ${cause.message}\n${contender.lastLines()}`, { cause });
  });
  await pause(SETTLE_MS);
  const after = await contender.usage();
  const cpuMs = after.cpuMs - before.cpuMs;
  return {
    turns: load.turns,
    turnsPerSecond: load.turns / (run.elapsedMs / 1000),
    cpuMsPerTurn: cpuMs / load.turns,
    coreUse: cpuMs / run.elapsedMs,
    slackCallsPerTurn: run.slackCalls / load.turns,
    memoryBytes: after.memoryBytes,
    latencies: run.moments.map(toLatencies),
  };
}

function toLatencies({ deliveredAt, askedAt, answeredAt, postedAt }: Moments): Latencies {
  return { toQuestionMs: askedAt - deliveredAt, toPostMs: postedAt - answeredAt };
}
