import { lookUntil } from '../look-until.ts';
import { type Scenario, USUAL_LEASE_SECONDS } from '../scenario.ts';
import { loseAnswers } from '../strikes/lose-answers.ts';
import { underLoad } from '../under-load.ts';

const LOOK_MS = 1_000;

export const lostAnswers: Scenario = {
  name: 'lost-answers',
  about: 'Slack posts and edits as asked, and its answer is lost; now and then it is never asked',
  counts: { redis: 1_000, sqlite: 1_000 },
  run(options) {
    const cluster = { ...options, leaseSeconds: USUAL_LEASE_SECONDS };
    const setting = { cluster, load: options, isUninterrupted: true };
    return underLoad(setting, async (cluster, _, progress) => {
      const losing = loseAnswers(cluster);
      while (!(await lookUntil(() => losing.lost >= options.count, LOOK_MS))) progress(`${losing.lost} answers lost`);
      return () => ({ facts: [['answers of Slack that were lost', String(losing.lost)]] });
    });
  },
};
