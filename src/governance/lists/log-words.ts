// What an entry of the log says, in plain text: what was done, from what to what, and how it ended.
import { z } from 'zod';
import type { AuditAction, AuditEntry } from '../audit/audit-log.ts';
import { describeSetting, OPERATIONS } from '../operations/operations.ts';
import type { Item } from '../plan/plan.ts';
import { creditsSchema, limitSchema, type SettingId } from '../policy/values.ts';
import { listItemChanges } from '../run/item-words.ts';
import type { ItemResult } from '../run/run.ts';
import { describeReason, RESULT_WORDS } from '../run/run-message.ts';

const ACTIONS: Record<AuditAction, string> = {
  plan_confirmed: 'Confirmed',
  policy_set: 'Policy',
  item_ended: 'Set',
  approval_requested: 'Approval asked for',
  approval_rejected: 'Approval rejected',
  policy_imported: 'Policy imported',
  review_run: 'Review',
  sign_ins_ended: 'Sign-ins ended',
  entries_forgotten: 'Old entries of this log removed',
  sealing_begun: 'Sealing of this log begun',
};

/** Kinds that this release does not know are shown as they are stored. */
export function describeAction(what: string): string {
  return (ACTIONS as Record<string, string>)[what] ?? splitWords(what);
}

const OUTCOMES: Record<Exclude<AuditEntry['outcome']['kind'], 'begun'>, string> = {
  ...RESULT_WORDS,
  done: '✓ done',
  verified: '✓ read back',
  refused: 'refused',
};

/** `isOpen`: nothing says how it ended. */
export function describeOutcome({ outcome }: Pick<AuditEntry, 'outcome'>, isOpen: boolean): string {
  if (isOpen) return 'begun, and not known to have ended';
  const { kind, reason } = outcome;
  const found = readState(outcome.found);
  const why = describeReason({ reason, found } as ItemResult);
  return `${(OUTCOMES as Record<string, string>)[kind] ?? splitWords(kind)}${why === '' ? '' : `: ${why}`}`;
}

function readState(state: unknown): ItemResult['found'] {
  return thresholdSchema.safeParse(state).data ?? creditsStateSchema.safeParse(state).data;
}

/** `limit none → 2,000 credits`: what changed; undefined where the entry is about no change. */
export function describeStates({ before, after }: Pick<AuditEntry, 'before' | 'after'>): string | undefined {
  if (after === undefined) return undefined;
  const item = toItem(before, after);
  if (item !== undefined) return describeChanges(item) || 'as it was';
  const next = describeState(after);
  return (before === undefined ? next : `${describeState(before) || 'nothing'} → ${next || 'nothing'}`) || undefined;
}

const thresholdSchema = z.object({ limit: limitSchema, stopped: z.boolean() });
const creditsStateSchema = z.record(z.string(), creditsSchema);
const settingSchema = z.object({
  setting: z.enum(Object.keys(OPERATIONS) as [SettingId, ...SettingId[]]),
  value: z.unknown().optional(),
  until: z.string().optional(),
});

/** What was written, as far as its changes are said. */
function toItem(before: unknown, after: unknown): Item | undefined {
  const next = readState(after);
  if (next === undefined) return undefined;
  const resource = thresholdSchema.safeParse(after).success ? 'threshold' : 'credits';
  const old = readState(before) ?? (resource === 'threshold' ? 'unknown' : undefined);
  return old && ({ resource, before: old, after: next } as Item);
}

function describeChanges(item: Item): string {
  const changes = listItemChanges(item).map(({ label, currency, old, next }) => {
    const of = currency === undefined ? '' : ` (${currency})`;
    return `${label}${of} ${old} → ${next}`.trim();
  });
  return changes.join(' · ');
}

function describeState(state: unknown): string {
  const setting = settingSchema.safeParse(state).data;
  return setting ? describeEntry(setting) : flatten(state).slice(0, MAX_DETAILS);
}

function describeEntry({ setting, value, until }: z.infer<typeof settingSchema>): string {
  const { noun, schema, ended } = OPERATIONS[setting];
  const parsed = schema.safeParse(value).data;
  const words =
    parsed === undefined
      ? ended === undefined
        ? `no ${noun}`
        : `${noun}: ${ended}`
      : describeSetting(setting, parsed as never);
  return `${words}${until === undefined ? '' : ` until ${until}`}`;
}

const MAX_DETAILS = 300;

/** Of a kind without words of its own: its names and values on one line, without hashes and what is empty. */
function flatten(value: unknown): string {
  if (Array.isArray(value))
    return value
      .map(flatten)
      .filter((one) => one !== '')
      .join('; ');
  if (typeof value !== 'object' || value === null) return String(value ?? '');
  return Object.entries(value)
    .filter(([name, one]) => !/hash$/i.test(name) && flatten(one) !== '')
    .map(([name, one]) => `${splitWords(name)}: ${flatten(one)}`)
    .join(', ');
}

/** `expiresOn` and `expires_on` become `expires on`. */
function splitWords(name: string): string {
  return name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();
}
