import { lookUntil } from '../look-until.ts';
import { type Scenario, UNINTERRUPTED } from '../scenario.ts';
import { underLoad } from '../under-load.ts';

const LOOK_MS = 1_000;

export const repeats: Scenario = {
  name: 'repeats',
  about: 'every delivery comes twice, and half of them are overtaken by later ones',
  counts: { redis: 20_000, sqlite: 20_000 },
  run(options) {
    const setting = { ...UNINTERRUPTED, load: { mischief: { duplicates: 1, delayed: 0.5 } } };
    return underLoad(options, setting, async ({ balancer }, _, progress) => {
      let deliveries = 0;
      balancer.onPassed(() => {
        deliveries += 1;
      });
      while (!(await lookUntil(() => deliveries >= options.count, LOOK_MS))) progress(`${deliveries} deliveries`);
      return () => ({ facts: [['deliveries, each sent twice', String(deliveries)]] });
    });
  },
};
