import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from '../cluster.ts';

/** How many leases a replica is frozen for: by the end the others have taken over what it worked on. */
const FROZEN_LEASES = { from: 1.5, to: 2.5 };

const REST_MS = 1_500;

const KILLED_SHARE = 0.5;

/** Freezes a replica past its lease, lets it go on as if nothing had been, and now and then kills it soon after. */
export async function freezeReplica({ replicas, random, leaseMs }: Cluster): Promise<void> {
  await sleep(random.between(0, REST_MS));
  const zombie = random.pick(replicas.filter(({ state }) => state === 'up'));
  zombie.freeze();
  await sleep(leaseMs * random.between(FROZEN_LEASES.from, FROZEN_LEASES.to));
  zombie.thaw();
  await sleep(random.between(0, REST_MS));
  if (!random.chance(KILLED_SHARE)) return;
  await zombie.kill();
  await zombie.start();
}
