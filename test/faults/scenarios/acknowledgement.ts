import { setTimeout as sleep } from 'node:timers/promises';
import { watchAcknowledgements } from '../acknowledgements.ts';
import { type Scenario, USUAL_LEASE_SECONDS } from '../scenario.ts';
import { underLoad } from '../under-load.ts';
import { atMost, percentile, toPercentiles } from '../verdict.ts';

const ANSWER_MS = 20_000;

const P99_LIMIT_MS = 500;

/** What is asked in a minute takes longer than a minute to answer: so many questions go on at once, the rest waits. */
const OPEN_TIMEOUT_MS = 600_000;

export const acknowledgement: Scenario = {
  name: 'acknowledgement',
  about: 'every answer takes 20 s, for so many seconds: how soon does Slack get its 200?',
  counts: { redis: 60, sqlite: 60 },
  run: (options) => {
    const setting = {
      cluster: { ...options, leaseSeconds: USUAL_LEASE_SECONDS, answerMs: () => ANSWER_MS },
      // A thread for each message: in one thread the next would wait for 20 s.
      load: { ...options, threads: 1_000, threadLength: 1 },
      openTimeoutMs: OPEN_TIMEOUT_MS,
      isUninterrupted: true,
    };
    return underLoad(setting, async ({ balancer }, _, progress) => {
      const acknowledgements = watchAcknowledgements(balancer);
      for (let second = 1; second <= options.count; second++) {
        await sleep(1_000);
        progress(`${second} s`);
      }
      return () => {
        const times = acknowledgements.times();
        return {
          facts: [['acknowledged after', toPercentiles(times)], ...acknowledgements.counts()],
          criteria: [
            acknowledgements.criterion(),
            atMost('acknowledged at p99', percentile(times, 0.99), P99_LIMIT_MS, 'ms'),
          ],
        };
      };
    });
  },
};
