import { setTimeout as sleep } from 'node:timers/promises';
import { watchAcknowledgements } from '../acknowledgements.ts';
import { type Scenario, USUAL_LEASE_SECONDS } from '../scenario.ts';
import { strikeOften } from '../under-load.ts';

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
      cluster: { leaseSeconds: USUAL_LEASE_SECONDS, answerMs: () => ANSWER_MS },
      // A thread for each message: in one thread the next would wait for 20 s.
      load: { threads: 1_000, threadLength: 1 },
      openTimeoutMs: OPEN_TIMEOUT_MS,
      isUninterrupted: true,
    };
    return strikeOften(options, setting, ({ balancer }) => {
      const acknowledgements = watchAcknowledgements(balancer);
      return { unit: 'seconds', strike: () => sleep(1_000), judge: () => acknowledgements.judge(P99_LIMIT_MS) };
    });
  },
};
