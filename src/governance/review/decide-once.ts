// A decision about a finding becomes a record of the overlay, with its entry in the audit log: once.
import type { AuditEntry } from '../audit/audit-entry.ts';
import type { AuditStore } from '../audit/audit-store.ts';
import type { Exclusively } from '../one-at-a-time.ts';
import type { OverlayRecord } from '../register/overlay.ts';
import type { OverlayStore } from '../register/overlay-store.ts';
import type { Decided } from './decisions.ts';

export type DecisionPorts = { overlay: OverlayStore; audit: Pick<AuditStore, 'append'>; exclusively: Exclusively };

export type DecisionOutcome =
  | { kind: 'recorded'; record: OverlayRecord }
  /** This decision was taken before. Say nothing twice. */
  | { kind: 'duplicate' }
  | { kind: 'problem'; sentence: string };

/**
 * `decide` runs where no record has this id yet. The log comes first: where it cannot be written, nothing is decided.
 * Throws where the store fails; the same decision can then be tried again.
 */
export function decideOnce(
  id: string,
  decide: () => Promise<Decided<OverlayRecord>>,
  { overlay, audit, exclusively }: DecisionPorts,
): Promise<DecisionOutcome> {
  return exclusively(`decision:${id}`, async () => {
    const records = await overlay.list();
    if (records.some((record) => record.id === id)) return { kind: 'duplicate' };
    const decided = await decide();
    if ('problem' in decided) return { kind: 'problem', sentence: decided.problem };
    const { record } = decided;
    await audit.append(toEntry(record, { kind: 'done' }));
    try {
      const added = await overlay.add(record);
      return added === 'new' ? { kind: 'recorded', record } : { kind: 'duplicate' };
    } catch (error) {
      const failed = { kind: 'failed', written: 'perhaps', reason: 'not_recorded' } as const;
      await audit.append(toEntry(record, failed)).catch(() => undefined);
      throw error;
    }
  });
}

const ACTIONS = {
  exception: 'exception_accepted',
  classification: 'environment_classified',
  agent_limit: 'limit_approved',
} as const satisfies Record<OverlayRecord['kind'], AuditEntry['what']>;

/** Names stay out of the log. */
function toEntry(record: OverlayRecord, outcome: AuditEntry['outcome']): AuditEntry {
  const { id, kind, by, approvedBy, at, environmentId, reason } = record;
  return {
    schema: 1,
    at,
    what: ACTIONS[kind],
    who: { user: by.user, approver: approvedBy },
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

function toDecided(record: OverlayRecord): object {
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
