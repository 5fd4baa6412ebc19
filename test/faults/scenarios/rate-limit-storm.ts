import { type Scenario, USUAL_LEASE_SECONDS } from '../scenario.ts';
import { limitSlack } from '../strikes/limit-slack.ts';
import { underLoad } from '../under-load.ts';

export const rateLimitStorm: Scenario = {
  name: 'rate-limit-storm',
  about: 'Slack answers 429 with Retry-After to all calls of a method, or of all, for seconds at a time',
  counts: { redis: 60, sqlite: 60 },
  run(options) {
    const cluster = { ...options, leaseSeconds: USUAL_LEASE_SECONDS };
    const setting = { cluster, load: options, isUninterrupted: true };
    return underLoad(setting, async (cluster, _, progress) => {
      let inside = 0;
      for (let storm = 1; storm <= options.count; storm++) {
        inside += await limitSlack(cluster);
        progress(`${storm} storms, ${inside} calls inside`);
      }
      return () => ({
        facts: [
          ['storms', String(options.count)],
          ['calls made though Slack had said when to call again', String(inside)],
        ],
      });
    });
  },
};
