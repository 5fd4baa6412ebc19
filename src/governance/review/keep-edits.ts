// *Keep…*: the edits of the policy after which what a review found is what is approved.
import { findCredits, isSameLimit } from '../plan/compare.ts';
import type { CreditsItem, Item } from '../plan/plan.ts';
import { type Edit, setEdit } from '../policy/edit.ts';
import { type Day, type Policy, readEntry } from '../policy/policy.ts';
import { type Credits, RULE_TYPES } from '../policy/values.ts';
import type { EndingException } from './finding.ts';

/** What is not shown cannot be kept, nor that there are no credits at all. */
export function isKeepable(item: Item): boolean {
  if (item.resource === 'threshold') return item.before !== 'unknown';
  return Object.keys(item.after).every((currency) => findCredits(item.before, currency) !== undefined);
}

/** `until`: the last day; undefined: for good. */
export function toKeepEdits(
  item: Item,
  policy: Policy,
  { until, now }: { until?: Day | undefined; now: number },
): Edit[] {
  if (item.resource === 'credits') return keepCredits(item, policy, { until, now });
  const { before, after, agent, currency } = item;
  if (before === 'unknown') return [];
  const target = { environmentId: agent.environmentId, agentId: agent.agentId };
  const limit = setEdit('limit', { ...target, currency }, before.limit, until);
  const stop = setEdit('stop', target, before.stopped, until);
  return [
    ...(isSameLimit(before.limit, after.limit) ? [] : [limit]),
    ...(before.stopped === after.stopped ? [] : [stop]),
  ];
}

/** Of an exception that ends: the same value, for longer or for good. */
export function toLongerEdits({ entry }: EndingException, until: Day | undefined): Edit[] {
  const { setting, target, exception } = entry;
  return exception === undefined ? [] : [setEdit(setting, target, exception.value, until)];
}

function keepCredits(
  { environmentId, before, after }: CreditsItem,
  policy: Policy,
  { until, now }: { until: Day | undefined; now: number },
): Edit[] {
  return Object.entries(after).flatMap(([currency, approved]) => {
    const found = findCredits(before, currency);
    if (found === undefined) return [];
    const target = { environmentId, currency };
    const own = readEntry(policy, 'credits', target, now)?.value;
    return [setEdit('credits', target, toKept(own, approved, found), until)];
  });
}

/** What the entry states already, with what differs as it was found. */
function toKept(own: Credits | undefined, approved: Credits, found: Credits): Credits {
  const isOther = found.allocated !== undefined && found.allocated !== approved.allocated;
  const allocated = isOther ? found.allocated : own?.allocated;
  const changed = RULE_TYPES.filter(
    (rule) => found.rules[rule] !== undefined && found.rules[rule] !== approved.rules[rule],
  );
  const rules = { ...own?.rules, ...Object.fromEntries(changed.map((rule) => [rule, found.rules[rule]])) };
  return { ...(allocated !== undefined && { allocated }), rules };
}
