// An approved decision, recorded with both names.
import type { PendingDecision } from '../../../../governance/approval/pending-change.ts';
import { decideAgain } from '../../../../governance/review/decide-again.ts';
import { type DecisionPorts, decideOnce } from '../../../../governance/review/decide-once.ts';
import { buildAdminText } from '../../../views/admin/admin-messages.ts';
import { buildDecided, buildDecidedBefore } from '../../../views/admin/review-action/decided.ts';
import type { Content } from '../../../views/content.ts';
import { toMrkdwnLine } from '../../../views/shown-text.ts';
import type { AccessPorts, Admin } from '../access.ts';
import { type RegisterPorts, readReady } from '../review-action/finding.ts';
import { lookAgainFor } from '../review-action/look-again.ts';
import type { LookPorts } from '../review-action/sources.ts';
import { requireStillAdmin } from './carry-out.ts';

/** How it ended, and what is said of it. */
type EndedDecision = { tell(options: { timeZone: string }): Content };

export type RecordPorts = AccessPorts & DecisionPorts & LookPorts & RegisterPorts;

/**
 * Once, and only while it can still be decided so: where it cannot, the request ends all the same, and it is told why.
 * Throws where nothing was recorded, and DecisionUnclearError: then the request stays open.
 */
export async function recordFor(
  pending: PendingDecision,
  { caller, openSession }: Admin,
  ports: RecordPorts,
): Promise<EndedDecision> {
  const { id, by, planned } = pending;
  const { record, finding, environmentName } = planned;
  await requireStillAdmin(by, ports);
  // Whoever has not signed in for administration is nobody's second admin.
  const session = await openSession();
  const findProblem = await lookAgainFor(planned, session, ports);
  const outcome = await decideOnce(
    { id, environmentId: record.environmentId },
    async () => {
      const approved = await readReady(ports);
      if ('problem' in approved) return approved;
      const problem = findProblem(approved);
      if (problem !== undefined) return { problem };
      return decideAgain({ record, finding }, approved, { approvedBy: caller.user, at: ports.now() });
    },
    ports,
  );
  const { team, user } = caller;
  ports.log.info({ team, user, decision: id, outcome: outcome.kind, kind: record.kind }, 'decision ended');
  switch (outcome.kind) {
    case 'recorded':
      return { tell: () => buildDecided(outcome.record, finding, environmentName) };
    case 'duplicate':
      return { tell: buildDecidedBefore };
    case 'problem':
      return { tell: () => buildAdminText(`:x: *Not recorded*: ${toMrkdwnLine(outcome.sentence, 600)}`) };
  }
}
