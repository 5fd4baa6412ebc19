import type { Change, ChangeOutcome, ChangeStore } from '../changes/change.ts';
import type { AuditEntry } from './audit-entry.ts';
import type { AuditStore } from './audit-store.ts';

/**
 * The same changes, each with two entries in the audit log: one before anything is sent, one with how it ended. Where the
 * first cannot be written, `begin` fails, and nothing is sent: the record then ends at once, or it would stay begun.
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
      // The log first: a record that has not ended is ended by the next look, a missing entry would stay missing.
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
