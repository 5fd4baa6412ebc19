// What has to be written so that the policy holds: the one comparison of policy and service. A review asks for everything, a
// change for what its edits touch.
import type { Policy } from '../policy/policy.ts';
import { listLimitCurrencies } from '../policy/policy-index.ts';
import { compareCredits } from './compare-credits.ts';
import { compareThreshold } from './compare-threshold.ts';
import type { CompareOptions, Differences, Scope } from './comparison.ts';
import type { Seen } from './seen.ts';

export const EVERYTHING: Scope = { agent: () => ({ limit: true, stop: true }), credits: () => true };

export function findDifferences(policy: Policy, seen: Seen, scope: Scope, options: CompareOptions): Differences {
  const found: Differences = { items: [], leftOut: [], asSent: [], compared: 0 };
  for (const environment of seen.environments) {
    compareCredits(policy, { environment, looked: seen.credits(environment.environmentId) }, scope, options, found);
  }
  for (const agent of seen.agents) {
    for (const currency of listLimitCurrencies(policy, agent, options.defaultCurrency)) {
      const touched = scope.agent(agent, currency);
      if (!touched) continue;
      compareThreshold(policy, { agent, currency, shown: seen.threshold(agent, currency) }, touched, options, found);
    }
  }
  return found;
}
