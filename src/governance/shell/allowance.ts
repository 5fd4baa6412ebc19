import type { Person } from '../../conversation/question.ts';
import { UserError } from '../../errors.ts';
import type { TokenBuckets } from '../../slack/web/buckets.ts';

/** `action`: a command, a click, a submission. `change`: a change that is confirmed, approved or corrected. */
export type AllowanceKind = 'action' | 'change';

/** Port: how much each admin may do, counted over all replicas. */
export type Allowance = {
  /**
   * `count`: all or nothing, at most as many as there are. Throws AdminTooOftenError, and StoreUnavailableError where it
   * cannot be counted.
   */
  spend(kind: AllowanceKind, person: Person, count?: number): Promise<void>;
};

/** In a minute, and all at once where there was a pause: more than hands can do, and less than a script would. */
export const ALLOWANCES: Record<AllowanceKind, number> = { action: 60, change: 10 };

const PER_MS = 60_000;

/** Somebody does more than an admin does by hand; nothing was asked of anybody for it. */
export class AdminTooOftenError extends UserError {
  readonly kind: AllowanceKind;
  readonly waitMs: number;

  constructor(kind: AllowanceKind, waitMs: number) {
    super('admin_too_often', `more than ${ALLOWANCES[kind]} of kind ${kind} in a minute`);
    this.kind = kind;
    this.waitMs = waitMs;
  }
}

export function createAllowance(buckets: Pick<TokenBuckets, 'take'>): Allowance {
  return {
    async spend(kind, { team, user }, count = 1) {
      const limit = ALLOWANCES[kind];
      const bucket = { key: `admin:${kind}:${team}:${user}`, limit, perMs: PER_MS };
      for (let wanted = count; wanted > 0; wanted -= 1) {
        // Each leaves room for those that follow, so the first is refused where not all of them are there.
        const waitMs = await buckets.take([bucket], (wanted - 1) / limit);
        if (waitMs > 0) throw new AdminTooOftenError(kind, waitMs);
      }
    },
  };
}

/** For load tests against a stand-in, as SLACK_BUDGETS=off is. */
export const UNLIMITED: Allowance = { spend: async () => undefined };

/** What went wrong, and what to do. */
export function describeTooOften({ kind, waitMs }: AdminTooOftenError): string {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  const wait = `Wait ${seconds} ${seconds === 1 ? 'second' : 'seconds'}, then do this again`;
  if (kind === 'action') {
    return `That is more than ${ALLOWANCES.action} commands and clicks in a minute, so nothing was looked up or changed. ${wait}.`;
  }
  return `That is more than ${ALLOWANCES.change} changes in a minute, so nothing was changed. ${wait}: look at the plan, and confirm it.`;
}
