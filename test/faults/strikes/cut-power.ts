import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from '../cluster.ts';
import type { ForgetfulDisk } from '../forgetful-disk.ts';

/** From one cut to the next, once everything runs again. */
const LIFE_MS = { from: 500, to: 2_500 };

/** Ends the machine that has the store, and starts it again on what was flushed. Replicas of Redis are elsewhere. */
export async function cutPower({ replicas, redis, random }: Cluster, disk: ForgetfulDisk): Promise<void> {
  await sleep(random.between(LIFE_MS.from, LIFE_MS.to));
  const there = redis ? [] : replicas;
  await Promise.all([redis?.kill(), ...there.map((replica) => replica.kill())]);
  await disk.cutPower();
  await redis?.restart();
  await Promise.all(there.map((replica) => replica.start()));
}
