// What the service showed, and what a comparison with a policy leaves of it: without reading anything.
import type { CreditsState, Seen, SeenAgent, SeenThreshold, Sent } from '../../../src/governance/plan/seen.ts';
import { judge, type Reviewed } from '../../../src/governance/review/review.ts';
import type { Policy } from '../../../src/policy/policy.ts';
import { toTargetKey } from '../../../src/policy/target.ts';
import { CURRENCY } from '../samples.ts';
import { NOW } from '../world.ts';
import { aSeenAgent, STALE_MS } from './a-tenant.ts';

export type SeenOptions = {
  environments?: readonly string[];
  agents?: readonly SeenAgent[];
  isWhole?: boolean;
  /** By agent id; what is not in it is `none`. */
  thresholds?: Record<string, SeenThreshold>;
  /** What is not in it has none. */
  credits?: Record<string, CreditsState | 'unreadable'>;
};

export function aSeen(options: SeenOptions = {}): Seen {
  const { environments = ['env-1'], agents = [aSeenAgent()], isWhole = true, thresholds = {}, credits = {} } = options;
  return {
    ...{ at: NOW, agents, isWhole },
    environments: environments.map((id) => ({ environmentId: id, name: `The ${id}`, ownerId: `owner-of-${id}` })),
    threshold: ({ agentId }) => thresholds[agentId] ?? { limit: 'none', stopped: false },
    credits(id) {
      const found = credits[id] ?? {};
      return found === 'unreadable' ? found : { credits: found, raw: 'none' };
    },
  };
}

type ReviewOptions = { sent?: Record<string, Sent>; now?: number; words?: string; id?: string };

export function reviewSeen(
  policy: Policy,
  seen: Seen,
  { sent = {}, now = NOW, words = '', id = 'r1' }: ReviewOptions = {},
): Reviewed {
  const byKey = new Map(
    seen.agents.map(({ environmentId, agentId }) => [
      toTargetKey({ environmentId, agentId, currency: CURRENCY }),
      sent[agentId],
    ]),
  );
  const review = { id, words, at: now, endedAt: now };
  return judge(policy, seen, {
    ...{ review, readSent: (key) => byKey.get(key), currency: CURRENCY, limitStaleMs: STALE_MS },
  });
}
