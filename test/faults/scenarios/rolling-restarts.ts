import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../random.ts';
import type { Replica } from '../replica.ts';
import { type Scenario, UNINTERRUPTED, USUAL_LEASE_SECONDS } from '../scenario.ts';
import { strikeOften } from '../under-load.ts';
import { none, toPercentiles } from '../verdict.ts';

/** An orchestrator that waits 60 s before it kills. */
const EXIT_WITHIN_MS = 60_000;

/** A few answers take seconds; before some of the restarts, one takes nearly as long as a restart waits. */
const SLOW_SHARE = 0.01;
const SLOWEST_MS = 44_000;
const SLOWEST_EVERY = 10;

const REST_MS = 1_000;

/** `ms`: from SIGTERM to the end; `problem`: set where it ended in another way than it should. */
type Roll = { ms: number; problem?: string };

/** SIGTERM, and a new start once the process has ended. */
export async function rollReplica(replica: Replica): Promise<Roll> {
  const begunAt = performance.now();
  const code = await replica.stop();
  const ms = performance.now() - begunAt;
  await replica.start();
  if (code === 0 && ms <= EXIT_WITHIN_MS) return { ms };
  return { ms, problem: `${replica.name} ended with ${code} after ${Math.round(ms)} ms` };
}

export const rollingRestarts: Scenario = {
  name: 'rolling-restarts',
  about: 'SIGTERM of one replica after the other, each of which starts again when it has ended',
  counts: { redis: 100, sqlite: 20 },
  run(options) {
    let isNextSlowest = false;
    const answerMs = (random: Random) => {
      if (!isNextSlowest) return random.chance(SLOW_SHARE) ? random.between(1_000, 8_000) : random.between(20, 200);
      isNextSlowest = false;
      return SLOWEST_MS;
    };
    const cluster = { leaseSeconds: USUAL_LEASE_SECONDS, answerMs };
    return strikeOften(options, { ...UNINTERRUPTED, cluster }, ({ replicas }) => {
      const rolls: Roll[] = [];
      return {
        unit: 'restarts',
        async strike(nth) {
          await sleep(REST_MS);
          isNextSlowest = nth % SLOWEST_EVERY === 0;
          await sleep(REST_MS);
          const replica = replicas[nth % replicas.length];
          if (replica) rolls.push(await rollReplica(replica));
        },
        judge() {
          const problems = rolls.flatMap(({ problem = [] }) => problem);
          return {
            facts: [['from SIGTERM to the end', toPercentiles(rolls.map(({ ms }) => ms))]],
            criteria: [none('exits other than 0 within 60 s', problems)],
          };
        },
      };
    });
  },
};
