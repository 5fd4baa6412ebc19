// A decision about a finding: recorded once, or put to a second admin first, and told.
import { LockBusyError } from '../../errors.ts';
import type { ModalTopic } from '../../slack/views/modal.ts';
import { type AskingPorts, askAndTell } from '../confirmation/approval-request.ts';
import { isShownToApprover } from '../confirmation/approval-views.ts';
import { type PlannedDecision, toPending } from '../confirmation/pending-change.ts';
import type { OverlayRecord } from '../register/overlay.ts';
import {
  DECISION_UNCLEAR,
  type DecisionOutcome,
  type DecisionPorts,
  DecisionUnclearError,
  decideOnce,
} from '../review/decide-once.ts';
import { buildDecided, buildDecidedBefore } from '../review/decided-views.ts';
import type { Decided, DecisionRequest } from '../review/decisions.ts';
import { type FindingPorts, type Reviewed, type ReviewedFinding, readDecidable } from '../review/reviewed-finding.ts';
import { buildAdminProblem } from '../shell/failure-message.ts';
import type { Submitted } from './review-action.ts';
import { buildReviewNotice } from './review-action-views.ts';

const NOT_ASKED =
  'A second administrator has to approve this since this window was opened, so nothing was recorded. Open it again.';

const TOO_MUCH =
  'This is so much that an approver would not be shown all of it, so nothing was asked for. Correct some of it first, or state it in the register.';

/** `needsApproval`: REQUIRE_SECOND_APPROVER. */
export type DecidePorts = AskingPorts & DecisionPorts & FindingPorts & { needsApproval: boolean };

type Found = Reviewed & ReviewedFinding;

type DecisionForm = {
  topic: ModalTopic;
  reason: string;
  /** Gets the finding as it was reviewed, beside the register as it is now. */
  decide(found: Found, request: DecisionRequest): Decided<OverlayRecord>;
  /** Whether it approves more than the register does. */
  approvesMore(found: Found, now: number): boolean;
};

export async function decideAndTell(submitted: Submitted, form: DecisionForm, ports: DecidePorts): Promise<void> {
  const { state, modal, say } = submitted;
  const { topic } = form;
  const found = await readDecidable(state.place, ports);
  if ('problem' in found) return modal.showProblem(found.problem);
  const asked = toAsked(found, submitted, form, ports);
  if (asked !== undefined && submitted.approver !== undefined) return ask(asked, submitted, form, ports);
  const outcome = await decideNow(found, submitted, form, ports);
  if (outcome === 'unclear') {
    await say(buildAdminProblem(DECISION_UNCLEAR));
    return modal.showProblem(DECISION_UNCLEAR);
  }
  if (outcome.kind === 'problem') return modal.showProblem(outcome.sentence);
  if (outcome.kind === 'duplicate') return modal.show(buildReviewNotice(buildDecidedBefore().blocks, topic));
  const content = buildDecided(outcome.record, found.finding, found.environmentName);
  await say(content);
  await modal.show(buildReviewNotice(content.blocks, topic));
}

/** Undefined where nobody else has to approve it, or it cannot be decided any more. */
function toAsked(
  found: Found,
  submitted: Submitted,
  { decide, approvesMore, reason }: DecisionForm,
  ports: DecidePorts,
): PlannedDecision | undefined {
  if (!ports.needsApproval || !approvesMore(found, ports.now())) return undefined;
  const decided = decide(found, toRequest(found, submitted, reason, ports));
  if ('problem' in decided) return undefined;
  const { record } = decided;
  const defaults = record.kind === 'classification' ? found.approved.own.defaults[record.classification] : undefined;
  return { kind: 'decision', record, finding: found.finding, environmentName: found.environmentName, defaults };
}

async function ask(
  planned: PlannedDecision,
  { caller, state, modal, say, approver = '' }: Submitted,
  { reason }: DecisionForm,
  ports: DecidePorts,
): Promise<void> {
  if (!isShownToApprover(planned)) return modal.showProblem(TOO_MUCH);
  const pending = toPending({ id: state.id, by: caller, approver, reason, planned }, ports.now());
  await askAndTell({ pending, caller, say, modal }, ports);
}

async function decideNow(
  { finding }: Found,
  submitted: Submitted,
  form: DecisionForm,
  ports: DecidePorts,
): Promise<DecisionOutcome | 'unclear'> {
  const { caller, state } = submitted;
  const decide = async (): Promise<Decided<OverlayRecord>> => {
    // Others may have decided while this waited for its turn.
    const found = await readDecidable(state.place, ports);
    if ('problem' in found) return found;
    if (ports.needsApproval && form.approvesMore(found, ports.now())) return { problem: NOT_ASKED };
    return form.decide(found, toRequest(found, submitted, form.reason, ports));
  };
  const { team, user } = caller;
  try {
    const outcome = await decideOnce({ id: state.id, environmentId: finding.environmentId }, decide, ports);
    const kind = outcome.kind === 'recorded' ? outcome.record.kind : undefined;
    ports.log.info({ team, user, decision: state.id, outcome: outcome.kind, kind }, 'decision ended');
    return outcome;
  } catch (error) {
    if (error instanceof DecisionUnclearError) {
      ports.log.warn({ err: error, team, user, decision: state.id }, 'decision unclear');
      return 'unclear';
    }
    // The other click of a double one is at it for long.
    if (error instanceof LockBusyError && (await isRecorded(state.id, ports))) return { kind: 'duplicate' };
    throw error;
  }
}

async function isRecorded(id: string, { overlay }: DecidePorts): Promise<boolean> {
  return (await overlay.list()).some((record) => record.id === id);
}

function toRequest({ approved }: Found, { caller, state }: Submitted, reason: string, { now }: DecidePorts) {
  const { team, workspace, user } = caller;
  return { id: state.id, by: { team, workspace, user }, at: now(), registerHash: approved.registerHash, reason };
}
