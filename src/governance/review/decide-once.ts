// A decision about a finding becomes a record of the overlay, with its entries in the audit log: once.
import { PermanentError } from '../../errors.ts';
import type { WithLock } from '../../with-lock.ts';
import type { AuditEntry, AuditStore } from '../audit/audit-log.ts';
import { DECISION_ACTIONS, isDecisionLogged, toDecided } from '../audit/decision-entries.ts';
import type { OverlayRecord, OverlayStore } from '../register/overlay.ts';
import { toIdKey } from '../register/register.ts';
import type { Decided } from './decisions.ts';

export type DecisionPorts = {
  overlay: OverlayStore;
  audit: Pick<AuditStore, 'append' | 'list'>;
  exclusively: WithLock;
};

export type DecisionOutcome =
  | { kind: 'recorded'; record: OverlayRecord }
  /** This decision was taken before. Say nothing twice. */
  | { kind: 'duplicate' }
  | { kind: 'problem'; sentence: string };

/** The store failed while the decision was recorded, and does not tell whether it was. */
export class DecisionUnclearError extends PermanentError {
  constructor(options?: ErrorOptions) {
    super('decision_unclear', 'a decision may or may not have been recorded', options);
  }
}

/** In plain text. */
export const DECISION_UNCLEAR =
  'This app could not write everything down, and cannot tell whether your decision was recorded. It may have been recorded; look at the review again before you decide once more.';

/** `environmentId`: compared without regard to case. */
type Deciding = { id: string; environmentId: string };

/**
 * `decide` runs where no record has this id yet, and one at a time for each environment: it sees what others decided
 * about it meanwhile, in `records`: all of the overlay. The log comes first: where it cannot be written, nothing is decided. Throws StoreUnavailableError
 * where nothing was recorded, and the same decision can then be tried again; else DecisionUnclearError.
 */
export function decideOnce(
  { id, environmentId }: Deciding,
  decide: (records: readonly OverlayRecord[]) => Promise<Decided<OverlayRecord>>,
  ports: DecisionPorts,
): Promise<DecisionOutcome> {
  const { overlay, exclusively } = ports;
  return exclusively(`decision:${toIdKey(environmentId)}`, async () => {
    const records = await overlay.list();
    const recorded = records.find((record) => record.id === id);
    if (recorded) {
      await completeLog(recorded, ports);
      return { kind: 'duplicate' };
    }
    const decided = await decide(records);
    return 'problem' in decided ? { kind: 'problem', sentence: decided.problem } : record(decided.record, ports);
  });
}

async function record(record: OverlayRecord, { overlay, audit }: DecisionPorts): Promise<DecisionOutcome> {
  await audit.append(toEntry(record, { kind: 'begun' }));
  let added: Awaited<ReturnType<OverlayStore['add']>>;
  try {
    added = await overlay.add(record);
  } catch (error) {
    // A write that got no answer may have been made.
    if (!(await isRecorded(record, overlay))) {
      const failed = { kind: 'failed', written: 'perhaps', reason: 'not_recorded' } as const;
      await audit.append(toEntry(record, failed)).catch(() => undefined);
      throw error;
    }
    added = 'new';
  }
  // Best effort: the decision is recorded, and the audit list shows a missing entry from the record.
  await audit.append(toEntry(record, { kind: 'done' })).catch(() => undefined);
  return added === 'new' ? { kind: 'recorded', record } : { kind: 'duplicate' };
}

async function isRecorded({ id }: OverlayRecord, { list }: OverlayStore): Promise<boolean> {
  try {
    return (await list()).some((record) => record.id === id);
  } catch (error) {
    throw new DecisionUnclearError({ cause: error });
  }
}

/** Writes the entry of its end, where this app broke off before it. Never throws: the next look does it again. */
export async function completeLog(record: OverlayRecord, { audit }: DecisionPorts): Promise<void> {
  try {
    if (!(await isDecisionLogged(record, audit))) await audit.append(toEntry(record, { kind: 'done' }));
  } catch {
    // Best effort: the audit list shows the decision from its record.
  }
}

/** Names stay out of the log. */
function toEntry(record: OverlayRecord, outcome: AuditEntry['outcome']): AuditEntry {
  const { id, kind, by, account, approvedBy, approverAccount, at, environmentId, reason } = record;
  return {
    schema: 1,
    at,
    what: DECISION_ACTIONS[kind],
    who: { user: by.user, account, approver: approvedBy, approverAccount },
    team: by.team,
    workspace: by.workspace,
    subject: {
      environmentId,
      agentResourceId: kind === 'classification' ? undefined : record.agentResourceId,
      changeId: id,
    },
    after: toDecided(record),
    reason,
    outcome,
    requestIds: [],
  };
}
