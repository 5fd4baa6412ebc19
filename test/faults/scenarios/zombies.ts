import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from '../cluster.ts';
import type { Scenario } from '../scenario.ts';
import { strikeOften } from '../under-load.ts';

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

/** One that is frozen may be on its way to the service just then, and ask when somebody else has ended the turn. */
export const WITH_ZOMBIES = { ignored: ['askedLate'] } as const;

export const zombies: Scenario = {
  name: 'zombies',
  about: 'SIGSTOP of a random replica for longer than its lease, then SIGCONT; every other one is killed soon after',
  counts: { redis: 100, sqlite: 20 },
  run: (options) =>
    strikeOften(options, { ...WITH_ZOMBIES, cluster: { replicas: options.store === 'redis' ? 3 : 1 } }, (cluster) => ({
      unit: 'frozen',
      strike: () => freezeReplica(cluster),
    })),
};
