import { z } from 'zod';
import type { Allocation, CurrencyAllocation } from '../../admin-api/licensing-wire.ts';
import { findCurrency, readRule, type WantedCredits } from '../allocations/allocation.ts';
import { buildAllocationRows } from '../allocations/allocation-plan.ts';
import type { Change, ChangeOutcome, ChangeStore, PlanRow } from '../changes/change.ts';
import type { KnownLimit } from '../inventory/agent-limit.ts';
import { buildPlanRows } from '../limits/limit-plan.ts';
import type { OverlayRecord } from '../register/overlay.ts';
import { toCanonicalJson } from '../shell/values.ts';
import type { AuditEntry, AuditStore, LinkedEntry } from './audit-log.ts';

/**
 * The same changes, each with two entries in the audit log: one before anything is sent, one with how it ended. If the
 * first cannot be written, `begin` fails and nothing is sent; the record is then ended, so that it does not stay begun.
 */
export function createAuditedChanges(
  changes: ChangeStore,
  audit: Pick<AuditStore, 'append'>,
  now: () => number,
): ChangeStore {
  return {
    ...changes,
    async begin(change) {
      const begun = await changes.begin(change);
      if (begun === 'duplicate') return begun;
      try {
        await audit.append(toEntry(change, { kind: 'begun' }, change.at));
      } catch (error) {
        await changes.finish(change.id, NOT_LOGGED).catch(() => undefined);
        throw error;
      }
      return begun;
    },
    async finish(id, outcome) {
      const change = await changes.get(id);
      // The log first: an unfinished record is finished by the next look, a missing entry would stay missing.
      if (change) await audit.append(toEntry(change, outcome, now()));
      await changes.finish(id, outcome);
    },
  };
}

const NOT_LOGGED = { kind: 'failed', written: 'no', reason: 'not_logged' } as const satisfies ChangeOutcome;

const ACTIONS = { agent_limit: 'limit_change', allocation: 'allocation_change' } as const;

function toEntry(change: Change, outcome: ChangeOutcome | { kind: 'begun' }, at: number): AuditEntry {
  const { requestIds = [], ...ended } = { requestIds: undefined, ...outcome };
  return {
    schema: 1,
    at,
    what: ACTIONS[change.kind],
    who: { user: change.user, approver: change.approvedBy },
    team: change.team,
    workspace: change.workspace,
    subject: {
      environmentId: change.environmentId,
      agentResourceId: change.kind === 'agent_limit' ? change.agentResourceId : undefined,
      changeId: change.id,
    },
    before: change.before,
    after: change.after,
    reason: change.reason,
    outcome: ended,
    requestIds,
  };
}

/** `currencyType` comes from outside; undefined for an agent's limit. */
export type AuditedRow = PlanRow & { currencyType?: string };

// Entries may be of an older release.
const limitSchema = z.object({
  limit: z.number(),
  notify: z.boolean(),
  notificationThreshold: z.number(),
  stopWhenReached: z.boolean(),
  stopped: z.union([z.boolean(), z.literal('unknown')]),
});

const knownSchema = z.discriminatedUnion('source', [
  z.object({ source: z.literal('deployment'), limit: limitSchema, readAt: z.number() }),
  z.object({ source: z.literal('none'), readAt: z.number() }),
  z.object({ source: z.literal('last_set'), limit: limitSchema, setAt: z.number(), setBy: z.string() }),
  z.object({ source: z.literal('unknown'), stopped: z.boolean().optional() }),
]);

const fieldsSchema = z.record(z.string(), z.unknown()).default({});

const allocationSchema = z.object({
  environmentId: z.string(),
  currencyAllocations: z.array(
    z.object({
      currencyType: z.string(),
      allocated: z.number().optional(),
      autoAllocated: z.number().optional(),
      enforcementRules: z.array(
        z.object({
          ruleType: z.string(),
          enabled: z.union([z.boolean(), z.literal('unknown')]),
          others: fieldsSchema,
        }),
      ),
      others: fieldsSchema,
    }),
  ),
  others: fieldsSchema,
});

/** Old → new, only what changed. Undefined if the entry holds neither a limit nor an allocation. */
export function readAuditedRows({ before, after }: Pick<AuditEntry, 'before' | 'after'>): AuditedRow[] | undefined {
  const limits = z.object({ before: knownSchema, after: limitSchema }).safeParse({ before, after }).data;
  if (limits) return onlyChanged(buildPlanRows(limits.before, limits.after));
  const allocations = z.object({ before: allocationSchema, after: allocationSchema }).safeParse({ before, after }).data;
  return allocations && onlyChanged(compare(allocations.before as Allocation, allocations.after as Allocation));
}

export type FoundInstead = { limit: KnownLimit } | { expected: Allocation; allocation: Allocation | 'none' };

/** Of a conflict: what was found instead of what was expected. */
export function readFoundInstead({ before, after, outcome }: AuditEntry): FoundInstead | undefined {
  const { found, reason } = outcome;
  const limit = knownSchema.safeParse(found).data;
  if (limit) return { limit };
  // Before the write, the old values were expected.
  const expected = allocationSchema.safeParse(reason === 'before_write' ? before : after).data as
    | Allocation
    | undefined;
  const allocation = found === 'none' ? found : (allocationSchema.safeParse(found).data as Allocation | undefined);
  return expected && allocation && { expected, allocation };
}

function compare(before: Allocation, after: Allocation): AuditedRow[] {
  return after.currencyAllocations.flatMap((currency) => {
    const old = findCurrency(before, currency.currencyType);
    return toCanonicalJson(old) === toCanonicalJson(currency) ? [] : buildAllocationRows(old, toCredits(currency));
  });
}

/** A change states all four rules of the currencies that it is about. */
function toCredits(currency: CurrencyAllocation): WantedCredits {
  const { currencyType, allocated = 0 } = currency;
  const isOn = (rule: keyof WantedCredits['rules']) => readRule(currency, rule) === 'on';
  return {
    currencyType,
    allocated,
    rules: { Alert: isOn('Alert'), TenantPool: isOn('TenantPool'), PayGo: isOn('PayGo'), Deny: isOn('Deny') },
  };
}

function onlyChanged<Row extends PlanRow>(rows: readonly Row[]): Row[] {
  return rows.filter(({ isChanged }) => isChanged);
}

/** A decision has two entries: one before it is recorded, one afterwards. */
export const DECISION_ACTIONS = {
  exception: 'exception_accepted',
  classification: 'environment_classified',
  agent_limit: 'limit_approved',
} as const satisfies Record<OverlayRecord['kind'], AuditEntry['what']>;

const WORDS: readonly string[] = Object.values(DECISION_ACTIONS);

/** Whether the entry is of something that is recorded in the overlay. */
export function isDecisionEntry({ what }: AuditEntry): boolean {
  return WORDS.includes(what);
}

const CHUNK = 100;

/** A form is sent twice within minutes, so further back nothing is searched. */
const MAX_SEARCHED = 2_000;

/** Whether its end is in the log. Also true if that is too far back to be found. */
export async function isDecisionLogged(
  { id, kind }: Pick<OverlayRecord, 'id' | 'kind'>,
  audit: Pick<AuditStore, 'list'>,
): Promise<boolean> {
  let before: number | undefined;
  for (let searched = 0; searched < MAX_SEARCHED; searched += CHUNK) {
    const entries = await audit.list({ limit: CHUNK, before });
    // The latest first: the end of a decision comes before its begin here.
    const last = entries.find(
      ({ what, subject, outcome }) =>
        what === DECISION_ACTIONS[kind] && subject.changeId === id && outcome.kind !== 'failed',
    );
    if (last) return last.outcome.kind === 'done';
    if (entries.length < CHUNK) return false;
    before = entries.at(-1)?.seq;
  }
  return true;
}

/** Whether an entry soon after this one says how the same ended. */
export async function isEndedAfter(begun: LinkedEntry, audit: Pick<AuditStore, 'list'>): Promise<boolean> {
  const after = await audit.list({ limit: CHUNK, before: begun.seq + CHUNK + 1 });
  return after.some((entry) => isEndOf(entry, begun));
}

export function isEndOf(entry: LinkedEntry, begun: LinkedEntry): boolean {
  const { seq, what, subject, outcome } = entry;
  return (
    seq > begun.seq && what === begun.what && subject.changeId === begun.subject.changeId && outcome.kind !== 'begun'
  );
}

/** What was decided. Names stay out of the log. */
export function toDecided(record: OverlayRecord): object {
  const { registerHash } = record;
  switch (record.kind) {
    case 'exception':
      return { accepts: record.accepts, expiresOn: record.expiresOn, registerHash };
    case 'classification': {
      const { classification, owners, allocations } = record;
      return { classification, owners, allocations, registerHash };
    }
    case 'agent_limit':
      return { limit: record.limit, registerHash };
  }
}

/** In characters: a shorter reason says nothing to somebody who reads it in a year. */
const MIN_LENGTH = 10;

const MAX_LENGTH = 500;

export type ParsedReason = { ok: true; reason: string } | { ok: false; sentence: string };

/** Why an admin does something, on one line; or the sentence that says what is wrong with it. */
export function parseReason(typed: string): ParsedReason {
  const reason = typed
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
  const length = [...reason].length;
  if (length < MIN_LENGTH) {
    return { ok: false, sentence: `Say why, in at least ${MIN_LENGTH} characters: it is kept in the audit log.` };
  }
  if (length > MAX_LENGTH) return { ok: false, sentence: `Say it in at most ${MAX_LENGTH} characters.` };
  return { ok: true, reason };
}
