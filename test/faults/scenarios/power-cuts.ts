import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from '../cluster.ts';
import { type ForgetfulDisk, mountForgetfulDisk } from '../forgetful-disk.ts';
import { type Scenario, USUAL_LEASE_SECONDS } from '../scenario.ts';
import { strikeOften } from '../under-load.ts';
import { holds } from '../verdict.ts';

/** From one cut to the next, once everything runs again. */
const LIFE_MS = { from: 500, to: 2_500 };

export const powerCuts: Scenario = {
  name: 'power-cuts',
  about:
    'the machine with the store loses its power, and every write that was not flushed; needs root and a loop device',
  counts: { redis: 50, sqlite: 50 },
  async run(options) {
    const disk = await mountForgetfulDisk().catch((error: Error) => error.message);
    if (typeof disk === 'string') return { facts: [], criteria: [holds('the power can be cut', false, disk)] };
    const cluster = { leaseSeconds: USUAL_LEASE_SECONDS, storeFolder: disk.folder };
    return strikeOften(options, { cluster }, (running) => ({
      unit: 'power cuts',
      strike: () => cutPower(running, disk),
    })).finally(() => disk.close());
  },
};

/** Ends the machine that has the store, and starts it again on what was flushed. Replicas of Redis are elsewhere. */
async function cutPower({ replicas, redis, random }: Cluster, disk: ForgetfulDisk): Promise<void> {
  await sleep(random.between(LIFE_MS.from, LIFE_MS.to));
  const there = redis ? [] : replicas;
  await Promise.all([redis?.kill(), ...there.map((replica) => replica.kill())]);
  await disk.cutPower();
  await redis?.restart();
  await Promise.all(there.map((replica) => replica.start()));
}
