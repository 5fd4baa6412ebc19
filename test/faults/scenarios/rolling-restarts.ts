import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../random.ts';
import { type Scenario, USUAL_LEASE_SECONDS } from '../scenario.ts';
import { type Roll, rollReplica } from '../strikes/roll-replica.ts';
import { underLoad } from '../under-load.ts';
import { none, toPercentiles, type Verdict } from '../verdict.ts';

/** A few answers take seconds; before some of the restarts, one takes nearly as long as a restart waits. */
const SLOW_SHARE = 0.01;
const SLOWEST_MS = 44_000;
const SLOWEST_EVERY = 10;

const REST_MS = 1_000;

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
    const cluster = { ...options, leaseSeconds: USUAL_LEASE_SECONDS, answerMs };
    return underLoad({ cluster, load: options, isUninterrupted: true }, async ({ replicas }, _, progress) => {
      const rolls: Roll[] = [];
      for (let restarted = 1; restarted <= options.count; restarted++) {
        await sleep(REST_MS);
        isNextSlowest = restarted % SLOWEST_EVERY === 0;
        await sleep(REST_MS);
        const replica = replicas[restarted % replicas.length];
        if (replica) rolls.push(await rollReplica(replica));
        progress(`${restarted} restarts`);
      }
      return () => judge(rolls);
    });
  },
};

function judge(rolls: Roll[]): Verdict {
  const problems = rolls.flatMap(({ problem = [] }) => problem);
  return {
    facts: [
      ['restarts', String(rolls.length)],
      ['from SIGTERM to the end', toPercentiles(rolls.map(({ ms }) => ms))],
    ],
    criteria: [none('exits other than 0 within 60 s', problems)],
  };
}
