// Makes a plan from edits: compares the next policy with what the service shows, for what the edits touch. If somebody
// changes an entry that a plan depends on, that plan is outdated. Otherwise plans of two administrators do not conflict.
import { createHash } from 'node:crypto';
import { toCanonicalJson } from '../../canonical-json.ts';
import { type Edit, previewEdits } from '../../policy/edit.ts';
import { findEntry, type Policy, readClass } from '../../policy/policy.ts';
import { type Target, toEntryKey, uniqueIds } from '../../policy/target.ts';
import type { SettingId } from '../../policy/values.ts';
import { type CompareOptions, findDifferences, type Scope } from './find-differences.ts';
import { createPlan, type Item, type LeftOut, type Plan, targetOf } from './plan.ts';
import type { Seen } from './seen.ts';

/** `id`: 12 hexadecimal digits. `seen` must include everything that the edits touch. */
export function makePlan(
  id: string,
  policy: Policy,
  edits: readonly Edit[],
  seen: Seen,
  options: CompareOptions,
): Plan {
  const next = previewEdits(policy, edits);
  const { items, leftOut } = findDifferences(next, seen, toScope(next, edits, options.now), {
    ...options,
    before: policy,
  });
  return toPlan(id, policy, { edits, items, leftOut });
}

/** Makes a plan from items that are known already. */
export function toPlan(
  id: string,
  policy: Policy,
  { edits, items, leftOut }: { edits: readonly Edit[]; items: readonly Item[]; leftOut: readonly LeftOut[] },
): Plan {
  const basis = hashBasis(policy, { edits, items });
  return createPlan(id, {
    policy: policy.revision,
    basis,
    edits: [...edits],
    items: [...items],
    leftOut: [...leftOut],
  });
}

/** The environments whose class the edits set, or the standard of their class. `policy`: with the edits. */
export function listReclassified(policy: Policy, edits: readonly Edit[], now: number): string[] {
  const touched = toKeys(edits);
  const isOfTouched = (environmentId: string) => {
    const className = readClass(policy, environmentId, now);
    return className !== undefined && touched.has(toEntryKey('standard', { className }));
  };
  const ids = [...edits, ...Object.values(policy.entries)].flatMap(({ setting, target }) =>
    setting === 'class' && 'environmentId' in target ? [target.environmentId] : [],
  );
  return uniqueIds(ids).filter((id) => touched.has(toEntryKey('class', { environmentId: id })) || isOfTouched(id));
}

function toKeys(edits: readonly Edit[]): ReadonlySet<string> {
  return new Set(edits.map(({ setting, target }) => toEntryKey(setting, target)));
}

/** What the edits touch: an agent, its environment, or all environments of a class. */
function toScope(policy: Policy, edits: readonly Edit[], now: number): Scope {
  const touched = toKeys(edits);
  const isTouched = (setting: SettingId, target: Target) => touched.has(toEntryKey(setting, target));
  const ofClass = new Set(listReclassified(policy, edits, now).map((id) => id.toLowerCase()));
  const isOfClass = (environmentId: string) => ofClass.has(environmentId.toLowerCase());
  return {
    agent(agent, currency) {
      const { environmentId } = agent;
      const limit = isOfClass(environmentId) || isTouched('limit', { ...agent, currency });
      const stop = isTouched('stop', agent) || isTouched('stop', { environmentId });
      return limit || stop ? { limit, stop } : undefined;
    },
    credits: (environmentId, currency) => isOfClass(environmentId) || isTouched('credits', { environmentId, currency }),
  };
}

/** Hashes the entries that the edits touch, and those that the values of the items come from. */
export function hashBasis(
  policy: Policy,
  { edits, items }: { edits: readonly Edit[]; items: readonly Item[] },
): string {
  const entries = new Map<string, unknown>();
  const add = (setting: SettingId, target: Target) =>
    entries.set(toEntryKey(setting, target), findEntry(policy, setting, target) ?? null);
  for (const { setting, target } of edits) add(setting, target);
  for (const item of items) addSources(item, policy, add);
  return createHash('sha256')
    .update(toCanonicalJson([...entries].sort(byKey)))
    .digest('hex');
}

function addSources(item: Item, policy: Policy, add: (setting: SettingId, target: Target) => void): void {
  const { environmentId } = item.resource === 'threshold' ? item.agent : item;
  add('class', { environmentId });
  for (const className of listClassNames(policy, environmentId)) add('standard', { className });
  if (item.resource === 'credits') {
    for (const currency of Object.keys(item.after)) add('credits', { environmentId, currency });
    return;
  }
  add('limit', targetOf(item));
  add('stop', item.agent);
  add('stop', { environmentId });
}

/** The class of its exception, and the class that the exception replaces. */
function listClassNames(policy: Policy, environmentId: string): string[] {
  const entry = findEntry(policy, 'class', { environmentId });
  return [entry?.standing?.value, entry?.exception?.value].filter((name) => name !== undefined);
}

function byKey([one]: [string, unknown], [other]: [string, unknown]): number {
  return one < other ? -1 : 1;
}
