// An approved decision, recorded with both names.

import { requireStillAdmin } from '../../slack/listeners/admin/approval/carry-out.ts';
import { lookAgainFor } from '../../slack/listeners/admin/review-action/look-again.ts';
import type { LookPorts } from '../../slack/listeners/admin/review-action/sources.ts';
import { buildAdminText } from '../../slack/views/admin/admin-messages.ts';
import { buildDecided, buildDecidedBefore } from '../../slack/views/admin/review-action/decided.ts';
import type { Content } from '../../slack/views/content.ts';
import { toMrkdwnLine } from '../../slack/views/shown-text.ts';
import { decideAgain } from '../review/decide-again.ts';
import { type DecisionPorts, decideOnce } from '../review/decide-once.ts';
import { type RegisterPorts, readReady } from '../review/reviewed-finding.ts';
import type { AccessPorts, Admin } from '../shell/access.ts';
import type { PendingDecision } from './pending-change.ts';

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
