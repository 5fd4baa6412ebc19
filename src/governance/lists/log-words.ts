// Describes an entry of the log in plain text: the action, the old and new values, and the outcome.
import { z } from 'zod';
import type { AuditAction, AuditEntry } from '../../audit/audit-log.ts';
import { formatDay } from '../../policy/policy.ts';
import { creditsSchema, limitSchema, type SettingId } from '../../policy/values.ts';
import { describeSetting, OPERATIONS } from '../operations/operations.ts';
import type { Item } from '../plan/plan.ts';
import { describeItemChanges } from '../run/item-words.ts';
import { describeReason, RESULT_WORDS } from '../run/run-message.ts';
import type { ItemResult } from '../run/run-store.ts';
import { formatCount } from '../shell/numbers.ts';

const ACTIONS: Record<AuditAction, string> = {
  plan_confirmed: 'Confirmed',
  policy_set: 'Policy',
  item_ended: 'Set',
  approval_requested: 'Approval asked for',
  approval_rejected: 'Approval rejected',
  approval_outdated: 'Approved too late',
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

/** `isOpen`: no entry says how it ended. Undefined: *Approval asked for* needs no outcome. */
export function describeOutcome(
  { what, outcome }: Pick<AuditEntry, 'what' | 'outcome'>,
  isOpen: boolean,
): string | undefined {
  if (what === 'approval_requested' && outcome.kind === 'done') return undefined;
  // In Slack, an import ends with showing its plan. If that is confirmed, the run has entries of its own.
  if (isOpen && what === 'policy_imported') return 'shown as a plan';
  if (isOpen) return 'begun, and not known to have ended';
  const { kind, reason } = outcome;
  const found = readState(outcome.found);
  const why = describeReason({ reason, found } as ItemResult);
  return `${(OUTCOMES as Record<string, string>)[kind] ?? splitWords(kind)}${why === '' ? '' : `: ${why}`}`;
}

function readState(state: unknown): ItemResult['found'] {
  return thresholdSchema.safeParse(state).data ?? creditsStateSchema.safeParse(state).data;
}

/** `limit none → 2,000 credits`: what changed. Undefined: the entry is about no change. */
export function describeStates({ before, after }: Pick<AuditEntry, 'before' | 'after'>): string | undefined {
  if (after === undefined) return undefined;
  const imported = importedSchema.safeParse(after).data;
  if (imported) return `${formatCount(imported.changes, 'change')} · file ${imported.sha256.slice(0, SHORT_HASH)}`;
  const [old, next] = [readStated(before), readStated(after)];
  const [from, to] = next.setting ? [toState(old), toState(next)] : [before, next.state ?? after];
  const item = next.setting && from === undefined ? undefined : toItem(from, to);
  const both = before === undefined ? [after] : [before, after];
  const words = item
    ? describeItemChanges(item, (name) => name) || 'as it was'
    : both.map((state) => describeState(state) || (before ? 'nothing' : '')).join(' → ');
  return next.until === undefined || words === '' ? words || undefined : `until ${formatDay(next.until)}: ${words}`;
}

/** The value as a state of the service, so that changes of the policy and of the service have the same words. */
function toState({ setting, value }: Stated): unknown {
  if (value === undefined) return undefined;
  if (setting === 'limit') return { limit: value, stopped: false };
  return setting === 'credits' ? { '': value } : undefined;
}

const importedSchema = z.object({ sha256: z.string(), changes: z.number() });

/** As many digits as git shows of a commit: enough to see whether it is this file; the log's CSV has all of them. */
const SHORT_HASH = 7;

const thresholdSchema = z.object({ limit: limitSchema, stopped: z.boolean() });
const creditsStateSchema = z.record(z.string(), creditsSchema);

/** A setting of the policy, or the values of a plan: its numbers, or the `state` of its only item. */
const statedSchema = z.object({
  setting: z.enum(Object.keys(OPERATIONS) as [SettingId, ...SettingId[]]).optional(),
  ...{ value: z.unknown().optional(), state: z.unknown().optional(), until: z.string().optional() },
  ...{ edits: z.number().optional(), items: z.number().optional() },
});

type Stated = z.infer<typeof statedSchema>;

function readStated(state: unknown): Stated {
  return statedSchema.safeParse(state).data ?? {};
}

/** An item with these states. Undefined: they are no states of the service. */
function toItem(before: unknown, after: unknown): Item | undefined {
  const next = readState(after);
  if (next === undefined) return undefined;
  const resource = thresholdSchema.safeParse(after).success ? 'threshold' : 'credits';
  const old = readState(before) ?? (resource === 'threshold' ? 'unknown' : undefined);
  return old && ({ resource, before: old, after: next } as Item);
}

function describeState(state: unknown): string {
  const { setting, value, edits, items } = readStated(state);
  if (setting === undefined) {
    const isPlan = edits !== undefined && items !== undefined;
    return isPlan ? formatCount(Math.max(edits, items), 'change') : flatten(state).slice(0, MAX_DETAILS);
  }
  const { noun, schema, ended } = OPERATIONS[setting];
  const parsed = schema.safeParse(value).data;
  if (parsed !== undefined) return describeSetting(setting, parsed as never);
  return ended === undefined ? `no ${noun}` : `${noun} ${ended}`;
}

const MAX_DETAILS = 300;

/** For a value without words of its own: its names and values on one line, without hashes and empty values. */
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
