// Edits of the policy. Pure: the same policy and edits make the same policy.
import { type Day, EMPTY_POLICY, type Entry, findEntry, type Policy, type Why } from './policy.ts';
import { type Target, toEntryKey } from './target.ts';
import type { SettingId, Values } from './values.ts';

/**
 * `set`: an exception if it has `until`; otherwise the standing value, which ends an exception. `reason`: replaces that of
 * all edits. `restore`: puts back an earlier entry, or ends it.
 */
type EditChange<Setting extends SettingId = SettingId> =
  | { kind: 'set'; value: Values[Setting]; until?: Day | undefined; reason?: string | undefined }
  | { kind: 'restore'; entry: Entry<Setting> | undefined };

/** A change of one setting of one target. Plain JSON. */
export type Edit<Setting extends SettingId = SettingId> = {
  setting: Setting;
  target: Target;
  change: EditChange<Setting>;
};

export function setEdit<Setting extends SettingId>(
  setting: Setting,
  target: Target,
  value: Values[Setting],
  until?: Day,
): Edit<Setting> {
  return { setting, target, change: { kind: 'set', value, until } };
}

/** The same edit with this last day, if it sets something. Undefined: for good. */
export function withUntil(edit: Edit, until: Day | undefined): Edit {
  const { change } = edit;
  return change.kind === 'set' ? { ...edit, change: { ...change, until } } : edit;
}

/** Ends the entry, with its exception. */
export function endEdit<Setting extends SettingId>(setting: Setting, target: Target): Edit<Setting> {
  return { setting, target, change: { kind: 'restore', entry: undefined } };
}

/** Ends the exception, so that what it replaced holds again. */
export function endException({ setting, target, standing }: Entry): Edit {
  return { setting, target, change: { kind: 'restore', entry: standing && { setting, target, standing } } };
}

/** The policy of the next revision. `why`: who decided all of it. */
export function applyEdits(policy: Policy, edits: readonly Edit[], why: Why): Policy {
  const entries: Record<string, Entry> = { ...policy.entries };
  for (const edit of edits) {
    const key = toEntryKey(edit.setting, edit.target);
    const entry = applyEdit(entries[key], edit, why);
    if (entry === undefined) delete entries[key];
    else entries[key] = entry;
  }
  return { revision: policy.revision + 1, entries };
}

/** The same before anybody has decided the edits. Use only its values. */
export function previewEdits(policy: Policy, edits: readonly Edit[]): Policy {
  return applyEdits(policy, edits, { by: '', reason: '', at: 0 });
}

/** The edits that put the entries back as they are in `policy`, for *Undo*. */
export function toReverse(policy: Policy, edits: readonly Edit[]): Edit[] {
  const restore = ({ setting, target }: Edit): Edit => ({
    setting,
    target,
    change: { kind: 'restore', entry: findEntry(policy, setting, target) },
  });
  const first = new Map(edits.map((edit) => [toEntryKey(edit.setting, edit.target), restore(edit)]));
  return [...first.values()];
}

/** The entries that were touched, before and after. `reverse`: what toReverse returned then. */
export function replayEdits(edits: readonly Edit[], reverse: readonly Edit[], why: Why) {
  const before = applyEdits(EMPTY_POLICY, reverse, why);
  return { before, after: applyEdits(before, edits, why) };
}

function applyEdit(entry: Entry | undefined, { setting, target, change }: Edit, all: Why): Entry | undefined {
  if (change.kind === 'restore') return change.entry;
  const { value, until, reason = all.reason } = change;
  const why = { ...all, reason };
  if (until === undefined) return { setting, target, standing: { value, why } };
  return { setting, target, ...(entry?.standing && { standing: entry.standing }), exception: { value, why, until } };
}
