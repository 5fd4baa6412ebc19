import type { AuditEntry } from '../audit/audit-entry.ts';
import type { PendingChange } from './pending-change.ts';

type Step = { what: 'approval_requested' | 'approval_refused'; outcome: AuditEntry['outcome']; at: number };

/** A step of an approval in the audit log. That a change was approved stands in the entries of the change itself. */
export function toApprovalEntry({ id, by, approver, reason, planned }: PendingChange, step: Step): AuditEntry {
  const { plan } = planned;
  return {
    schema: 1,
    at: step.at,
    what: step.what,
    who: { user: by.user, approver },
    team: by.team,
    workspace: by.workspace,
    subject: { ...toSubject(planned), changeId: id },
    before: plan.before,
    after: plan.after,
    reason,
    outcome: step.outcome,
    requestIds: [],
  };
}

function toSubject(planned: PendingChange['planned']): AuditEntry['subject'] {
  if (planned.kind === 'allocation') return { environmentId: planned.plan.environmentId };
  const { environmentId, agentResourceId } = planned.plan.agent;
  return { environmentId, agentResourceId };
}
