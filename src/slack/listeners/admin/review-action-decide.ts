// A decision about a finding: recorded once, and told.
import type { OverlayRecord } from '../../../governance/register/overlay.ts';
import { decideOnce } from '../../../governance/review/decide-once.ts';
import type { Decided, DecisionRequest } from '../../../governance/review/decisions.ts';
import type { ModalTopic } from '../../views/admin/modal-topic.ts';
import { buildDecided, buildDecidedBefore } from '../../views/admin/review-action-decided.ts';
import { buildReviewNotice } from '../../views/admin/review-action-modal.ts';
import type { AdminPorts } from './admin-ports.ts';
import { type Reviewed, type ReviewedFinding, readDecidable } from './review-action-finding.ts';
import type { Submitted } from './review-action-submit.ts';

/** `decide` gets the finding as it was reviewed, beside the register as it is now. */
export async function decideAndTell(
  { caller, state, modal, say }: Submitted,
  { topic, reason }: { topic: ModalTopic; reason: string },
  ports: AdminPorts,
  decide: (found: Reviewed & ReviewedFinding, request: DecisionRequest) => Decided<OverlayRecord>,
): Promise<void> {
  const { team, workspace, user } = caller;
  let decidedOn: ReviewedFinding | undefined;
  const outcome = await decideOnce(
    state.id,
    async () => {
      const found = await readDecidable(state.place, ports);
      if ('problem' in found) return found;
      decidedOn = found;
      const by = { team, workspace, user };
      return decide(found, { id: state.id, by, at: ports.now(), registerHash: found.approved.registerHash, reason });
    },
    ports,
  );
  const recorded = outcome.kind === 'recorded' ? outcome.record.kind : undefined;
  ports.log.info({ team, user, decision: state.id, outcome: outcome.kind, kind: recorded }, 'decision ended');
  if (outcome.kind === 'problem') return modal.showProblem(outcome.sentence);
  if (outcome.kind === 'duplicate' || decidedOn === undefined) {
    return modal.show(buildReviewNotice(buildDecidedBefore().blocks, topic));
  }
  const content = buildDecided(outcome.record, decidedOn.finding, decidedOn.environmentName);
  await say(content);
  await modal.show(buildReviewNotice(content.blocks, topic));
}
