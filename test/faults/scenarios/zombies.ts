import type { Scenario } from '../scenario.ts';
import { freezeReplica } from '../strikes/freeze-replica.ts';
import { underLoad } from '../under-load.ts';

export const zombies: Scenario = {
  name: 'zombies',
  about: 'SIGSTOP of a random replica for longer than its lease, then SIGCONT; every other one is killed soon after',
  counts: { redis: 100, sqlite: 20 },
  run(options) {
    const cluster = { ...options, replicas: options.store === 'redis' ? 3 : 1 };
    return underLoad({ cluster, load: options, hasZombies: true }, async (cluster, _, progress) => {
      for (let frozen = 1; frozen <= options.count; frozen++) {
        await freezeReplica(cluster);
        progress(`${frozen} frozen`);
      }
      return () => ({ facts: [['frozen', String(options.count)]] });
    });
  },
};
