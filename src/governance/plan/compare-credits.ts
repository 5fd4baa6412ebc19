// The credits of one environment: what the policy approves, beside what the service shows.
import { type Policy, readCredits } from '../policy/policy.ts';
import { listCreditCurrencies } from '../policy/policy-index.ts';
import { isSameId } from '../policy/target.ts';
import { type Credits, RULE_TYPES } from '../policy/values.ts';
import { findCredits, holds, toCreditsWay } from './compare.ts';
import type { CompareOptions, Differences, Scope } from './comparison.ts';
import type { CreditsState, SeenCredits, SeenEnvironment } from './seen.ts';

/** `looked`: undefined where the environment was not looked at. */
export type ComparedCredits = { environment: SeenEnvironment; looked: SeenCredits | undefined };

/** Adds what it finds to `found`. */
export function compareCredits(
  policy: Policy,
  { environment: { environmentId, name: environmentName }, looked }: ComparedCredits,
  scope: Scope,
  { now, restore }: CompareOptions,
  found: Differences,
): void {
  const kept = restore?.credits(environmentId) ?? {};
  const currencies = listCreditCurrencies(policy, environmentId, now);
  const left = Object.keys(kept).filter((one) => !currencies.some((other) => isSameId(one, other)));
  const governed = [...currencies, ...left].filter((one) => scope.credits(environmentId, one));
  if (governed.length === 0 || looked === undefined) return;
  found.compared += governed.length;
  if (looked === 'unreadable') {
    found.leftOut.push({ environmentId, reason: 'unreadable' });
    return;
  }
  const before = looked.credits;
  const after: CreditsState = {};
  for (const currency of governed) {
    const approved = readCredits(policy, { environmentId, currency }, now)?.value ?? findCredits(kept, currency);
    const present = findCredits(before, currency);
    if (approved === undefined || holds(approved, present)) continue;
    const complete = completeCredits(approved, present);
    if (complete === undefined) found.leftOut.push({ environmentId, currency, reason: 'no_amount' });
    else after[currency] = complete;
  }
  if (Object.keys(after).length === 0) return;
  const way = toCreditsWay(before, after);
  found.items.push({ resource: 'credits', environmentId, environmentName, before, after, way });
}

/** An update sets the amount and all four rules: what is not approved stays as it is. Undefined: there is no amount. */
function completeCredits(approved: Credits, present: Credits | undefined): Credits | undefined {
  const allocated = approved.allocated ?? present?.allocated;
  if (allocated === undefined) return undefined;
  const rules = RULE_TYPES.map((rule) => [rule, approved.rules[rule] ?? present?.rules[rule] ?? false]);
  return { allocated, rules: Object.fromEntries(rules) };
}
