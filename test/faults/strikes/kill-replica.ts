import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from '../cluster.ts';
import type { Recovery } from '../recovery.ts';

/** From one replica being up again to the next kill. */
const LIFE_MS = { from: 200, to: 2_000 };

/** Now and then the next kill comes while the last victim is still starting. */
const SOON_SHARE = 0.05;

/** Lets them live for a moment, then kills one at random, which starts again. */
export async function killReplica({ replicas, random }: Cluster, recovery?: Recovery): Promise<void> {
  await sleep(random.between(LIFE_MS.from, LIFE_MS.to));
  const alive = replicas.filter(({ state }) => state === 'up');
  if (alive.length === 0) throw new Error(`no replica is up: ${replicas.map(({ crashes }) => crashes).join('\n')}`);
  const victim = random.pick(alive);
  recovery?.death();
  await victim.kill();
  // That it does not start again is noted among its crashes.
  const started = victim.start().catch(() => undefined);
  if (alive.length === 1 || !random.chance(SOON_SHARE)) await started;
}
