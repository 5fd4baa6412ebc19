import type { Change, ChangeOutcome, ChangeStore } from '../changes/change.ts';
import type { AuditEntry, AuditStore } from './audit-log.ts';

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

const STOP_ACTIONS = { stop: 'agent_stop', run_again: 'agent_run_again' } as const;

function toAction(change: Change): AuditEntry['what'] {
  if (change.kind === 'allocation') return 'allocation_change';
  return change.action === undefined ? 'limit_change' : STOP_ACTIONS[change.action];
}

function toEntry(change: Change, outcome: ChangeOutcome | { kind: 'begun' }, at: number): AuditEntry {
  const { requestIds = [], ...ended } = { requestIds: undefined, ...outcome };
  return {
    schema: 1,
    at,
    what: toAction(change),
    who: {
      user: change.user,
      account: change.account,
      approver: change.approvedBy,
      approverAccount: change.approverAccount,
    },
    team: change.team,
    workspace: change.workspace,
    subject: {
      environmentId: change.environmentId,
      agentResourceId: change.kind === 'agent_limit' ? change.agentResourceId : undefined,
      currencyType: change.kind === 'agent_limit' ? change.currencyType : undefined,
      changeId: change.id,
    },
    before: change.before,
    after: change.after,
    reason: change.reason,
    outcome: ended,
    requestIds,
  };
}
