import type { AuditEntry } from '../audit/audit-entry.ts';
import { toDecided } from '../audit/decision-entries.ts';
import type { Pending } from '../confirmation/pending-change.ts';

type Step = { what: 'approval_requested' | 'approval_refused'; outcome: AuditEntry['outcome']; at: number };

/** A step of an approval in the audit log. That it was approved stands in the entries of the change or decision itself. */
export function toApprovalEntry({ id, by, approver, reason, planned }: Pending, step: Step): AuditEntry {
  const { subject, ...values } = toPlanned(planned);
  return {
    schema: 1,
    at: step.at,
    what: step.what,
    who: { user: by.user, approver },
    team: by.team,
    workspace: by.workspace,
    subject: { ...subject, changeId: id },
    ...values,
    reason,
    outcome: step.outcome,
    requestIds: [],
  };
}

function toPlanned(planned: Pending['planned']): Pick<AuditEntry, 'subject' | 'before' | 'after'> {
  if (planned.kind === 'decision') {
    const { record } = planned;
    const agentResourceId = record.kind === 'classification' ? undefined : record.agentResourceId;
    return { subject: { environmentId: record.environmentId, agentResourceId }, after: toDecided(record) };
  }
  if (planned.kind === 'allocation') {
    const { environmentId, before, after } = planned.plan;
    return { subject: { environmentId }, before, after };
  }
  const { agent, before, after } = planned.plan;
  const { environmentId, agentResourceId } = agent;
  return { subject: { environmentId, agentResourceId }, before, after };
}
