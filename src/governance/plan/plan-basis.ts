// What a plan depends on in the policy. Two administrators at once: where the entries of one plan are changed by another, it
// is made anew; where others are changed, both hold.
import { createHash } from 'node:crypto';
import type { Edit } from '../policy/edit.ts';
import { findEntry, type Policy } from '../policy/policy.ts';
import { type Target, toEntryKey } from '../policy/target.ts';
import type { SettingId } from '../policy/values.ts';
import { toCanonicalJson } from '../shell/canonical-json.ts';
import type { Item } from './plan.ts';

/** Over the entries that the edits touch, and all that the items' values come from. */
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
  const agent = { environmentId, agentId: item.agent.agentId };
  add('limit', { ...agent, currency: item.currency });
  add('stop', agent);
  add('stop', { environmentId });
}

/** With the one that an exception stands in for. */
function listClassNames(policy: Policy, environmentId: string): string[] {
  const entry = findEntry(policy, 'class', { environmentId });
  return [entry?.standing?.value, entry?.exception?.value].filter((name) => name !== undefined);
}

function byKey([one]: [string, unknown], [other]: [string, unknown]): number {
  return one < other ? -1 : 1;
}
