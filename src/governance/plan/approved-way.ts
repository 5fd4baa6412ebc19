// Whether edits approve more than the policy approves now: where the service holds it already, no item says so.
import { type Edit, previewEdits } from '../policy/edit.ts';
import { findEntry, type Policy, readCredits, readEntry, readLimit } from '../policy/policy.ts';
import type { Values } from '../policy/values.ts';
import { findCredits, toCreditsWay, toLimitWay } from './compare.ts';

type Options = { now: number; defaultCurrency: string };

/** What was not governed allowed everything: a first entry is never more. */
export function approvesMore(policy: Policy, edits: readonly Edit[], options: Options): boolean {
  const next = previewEdits(policy, edits);
  return edits.some((edit) => isMore(edit, policy, next, options));
}

function isMore({ setting, target }: Edit, before: Policy, after: Policy, options: Options): boolean {
  const { now } = options;
  if (setting === 'stop') {
    return readEntry(before, 'stop', target, now)?.value === true && !readEntry(after, 'stop', target, now)?.value;
  }
  if (setting === 'limit' && 'agentId' in target && target.currency !== undefined) {
    const agent = { ...target, currency: target.currency };
    const [old, next] = [before, after].map((policy) => readLimit(policy, agent, options)?.value);
    return isMoreLimit(old, next);
  }
  if (setting === 'credits' && 'environmentId' in target && target.currency !== undefined) {
    const environment = { environmentId: target.environmentId, currency: target.currency };
    const [old, next] = [before, after].map((policy) => readCredits(policy, environment, now)?.value);
    return old !== undefined && isMoreCredits({ [target.currency]: old }, next && { [target.currency]: next });
  }
  if (setting !== 'standard') return false;
  const [old, next] = [before, after].map((policy) => readEntry(policy, 'standard', target, now)?.value);
  return isMoreLimit(old?.limit, next?.limit) || (old !== undefined && isMoreCredits(old.credits, next?.credits));
}

/** Not governed any more allows everything. */
function isMoreLimit(old: Values['limit'] | undefined, next: Values['limit'] | undefined): boolean {
  if (old === undefined || old === 'none') return false;
  if (next === undefined) return true;
  return toLimitWay({ limit: old, stopped: false }, { limit: next, stopped: false }) === 'more';
}

type ByCurrency = Values['standard']['credits'];

function isMoreCredits(old: ByCurrency, next: ByCurrency | undefined): boolean {
  return Object.entries(old).some(([currency, credits]) => {
    const after = findCredits(next ?? {}, currency);
    return after === undefined || toCreditsWay({ [currency]: credits }, { [currency]: after }) === 'more';
  });
}

/** Whether edits change nothing that the policy says, whoever said it and why. */
export function saysAlready(policy: Policy, edits: readonly Edit[]): boolean {
  const next = previewEdits(policy, edits);
  const read = (one: Policy, { setting, target }: Edit) => {
    const { standing, exception } = findEntry(one, setting, target) ?? {};
    return JSON.stringify([standing?.value ?? null, exception?.value ?? null, exception?.until ?? null]);
  };
  return edits.every((edit) => read(policy, edit) === read(next, edit));
}
