import type { Person } from '../../conversation/question.ts';
import type { TokenBuckets } from '../../slack/web/buckets.ts';
import { describeSeconds, SentenceError } from './admin-failure.ts';

/** Port: how much each admin may do, counted over all replicas. */
export type Allowance = {
  /** Counts a command, a click or a submission. Throws a SentenceError if there were too many, and StoreUnavailableError. */
  spend(person: Person): Promise<void>;
};

/** Per minute, and all at once after a pause. More than a person can do by hand, and less than a script would do. */
export const ALLOWANCE = 60;

const PER_MS = 60_000;

export function createAllowance(buckets: Pick<TokenBuckets, 'take'>): Allowance {
  return {
    async spend({ team, user }) {
      const bucket = { key: `admin:action:${team}:${user}`, limit: ALLOWANCE, perMs: PER_MS };
      const waitMs = await buckets.take([bucket], 0);
      if (waitMs > 0) throw new SentenceError('admin_too_often', describeTooOften(waitMs));
    },
  };
}

/** For load tests against a stand-in, as SLACK_BUDGETS=off is. */
export const UNLIMITED: Allowance = { spend: async () => undefined };

function describeTooOften(waitMs: number): string {
  return `That is more than ${ALLOWANCE} commands and clicks in a minute, so nothing was looked up or changed. Wait ${describeSeconds(waitMs)}, then do this again.`;
}
