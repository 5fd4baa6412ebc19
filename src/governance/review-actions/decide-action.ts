// A decision about a finding: looked up again before its form is shown and before it is recorded; recorded once, or put
// to a second admin first; and told.
import type { ModalView } from '@slack/types';
import type { AdminSession } from '../../admin-api/admin-session.ts';
import { LockBusyError } from '../../errors.ts';
import type { ModalTopic } from '../../slack/views/modal.ts';
import { isShownToApprover } from '../confirmation/approval-views.ts';
import { toPending } from '../confirmation/pending-change.ts';
import { type AskingPorts, askAndTell } from '../confirmation/slack-approval-request.ts';
import type { OverlayRecord } from '../register/overlay.ts';
import {
  DECISION_UNCLEAR,
  type DecisionOutcome,
  type DecisionPorts,
  DecisionUnclearError,
  decideOnce,
} from '../review/decide-once.ts';
import { buildDecided, buildDecidedBefore } from '../review/decided-views.ts';
import { approvesMore, type Decided, type DecisionRequest } from '../review/decisions.ts';
import type { ReviewedFinding } from '../review/finding.ts';
import { type DecisionKind, type RecheckPorts, recheck, type StillOpen } from '../review/recheck.ts';
import { type FindingPorts, type PlannedDecision, type Reviewed, readDecidable } from '../review/reviewed-finding.ts';
import type { Caller } from '../shell/admin-rules.ts';
import type { AdminShell } from '../shell/admin-shell.ts';
import { buildAdminProblem } from '../shell/failure-message.ts';
import {
  type Filled,
  type FormValues,
  type Pressed,
  type ReviewActionPorts,
  readWithReason,
  registerReviewAction,
  type Submitted,
} from './review-action.ts';
import { buildReviewNotice, type ReviewFormState } from './review-action-views.ts';

const NOT_ASKED =
  'A second administrator has to approve this since this window was opened, so nothing was recorded. Open it again.';

const TOO_MUCH =
  'This is so much that an approver would not be shown all of it, so nothing was asked for. Correct some of it first, or state it in the register.';

type Problem = { problem: string };

type Found = Reviewed & ReviewedFinding;

/** The finding with what of it is still there, beside the register as it is now. */
export type Current<Kind extends DecisionKind> = Omit<Found, 'finding'> & StillOpen<Kind>;

/** Who is shown the form, and what has to be in it. */
export type FormRequest = { caller: Caller; session: AdminSession; state: ReviewFormState; needsApprover: boolean };

/** What differs from decision to decision. */
export type ReviewDecision<Kind extends DecisionKind, Answer> = {
  kind: Kind;
  actionId: string;
  topic: ModalTopic;
  working: string;
  /** Said instead of the form where others have decided about it all. */
  nothingOpen?: string;
  buildForm(current: Current<Kind>, request: FormRequest): Promise<ModalView | Problem>;
  /** All but the reason. */
  read(values: FormValues, now: number): Filled<Answer>;
  decide(current: Current<Kind>, request: DecisionRequest & Answer): Decided<OverlayRecord>;
};

/** `needsApproval`: REQUIRE_SECOND_APPROVER. */
export type DecidePorts = AskingPorts &
  DecisionPorts &
  FindingPorts &
  RecheckPorts &
  ReviewActionPorts & { needsApproval: boolean };

export function registerReviewDecision<Kind extends DecisionKind, Answer>(
  shell: AdminShell,
  decision: ReviewDecision<Kind, Answer>,
  ports: DecidePorts,
): void {
  const { actionId, topic, working } = decision;
  registerReviewAction(
    shell,
    {
      ...{ actionId, topic, working },
      open: (pressed) => openForm(pressed, decision, ports),
      read: (values, now) => readWithReason(decision.read(values, now), values),
      submit: (submitted, answer) => decideAndTell(submitted, { decision, answer }, ports),
    },
    ports,
  );
}

async function openForm<Kind extends DecisionKind, Answer>(
  { caller, session, modal, state }: Pressed,
  { kind, nothingOpen, buildForm }: ReviewDecision<Kind, Answer>,
  ports: DecidePorts,
): Promise<void> {
  const found = await readDecidable(state.place, ports);
  if ('problem' in found) return modal.showProblem(found.problem);
  const look = await recheck(kind, found, { openSession: async () => session, ports });
  if ('problem' in look) return modal.showProblem(look.problem);
  const still = look(found.approved, nothingOpen);
  if ('problem' in still) return modal.showProblem(still.problem);
  const needsApprover = ports.needsApproval && approvesMore(kind, still.finding);
  const view = await buildForm({ ...found, ...still }, { caller, session, state, needsApprover });
  return 'problem' in view ? modal.showProblem(view.problem) : modal.show(view);
}

type Deciding<Kind extends DecisionKind, Answer> = {
  decision: ReviewDecision<Kind, Answer>;
  answer: Answer & { reason: string };
};

/** What would be recorded beside this register. */
type Decide = (found: Found) => { record: OverlayRecord; needsApprover: boolean } | Problem;

/** Hours may have passed since the form was opened. */
async function decideAndTell<Kind extends DecisionKind, Answer>(
  submitted: Submitted,
  { decision, answer }: Deciding<Kind, Answer>,
  ports: DecidePorts,
): Promise<void> {
  const { caller, state, modal, say, openSession, approver } = submitted;
  const { kind, topic } = decision;
  const found = await readDecidable(state.place, ports);
  if ('problem' in found) return modal.showProblem(found.problem);
  const look = await recheck(kind, found, { openSession, ports });
  if ('problem' in look) return modal.showProblem(look.problem);
  const decide: Decide = (now) => {
    const still = look(now.approved);
    if ('problem' in still) return still;
    const { team, workspace, user } = caller;
    const { registerHash } = now.approved;
    const request = { id: state.id, by: { team, workspace, user }, at: ports.now(), registerHash, ...answer };
    const decided = decision.decide({ ...now, ...still }, request);
    if ('problem' in decided) return decided;
    return { ...decided, needsApprover: ports.needsApproval && approvesMore(kind, still.finding) };
  };
  const decided = decide(found);
  if ('record' in decided && decided.needsApprover && approver !== undefined) {
    return ask(toPlanned(decided.record, found), { ...submitted, approver, reason: answer.reason }, ports);
  }
  const outcome = await decideNow(found, decide, submitted, ports);
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

function toPlanned(record: OverlayRecord, { finding, environmentName, approved }: Found): PlannedDecision {
  const defaults = record.kind === 'classification' ? approved.own.defaults[record.classification] : undefined;
  return { kind: 'decision', record, finding, environmentName, defaults };
}

async function ask(
  planned: PlannedDecision,
  { caller, state, modal, say, approver, reason }: Submitted & { approver: string; reason: string },
  ports: DecidePorts,
): Promise<void> {
  if (!isShownToApprover(planned)) return modal.showProblem(TOO_MUCH);
  const pending = toPending({ id: state.id, by: caller, approver, reason, planned }, ports.now());
  await askAndTell({ pending, caller, say, modal }, ports);
}

async function decideNow(
  { finding }: Found,
  decide: Decide,
  { caller: { team, user }, state: { id, place } }: Submitted,
  ports: DecidePorts,
): Promise<DecisionOutcome | 'unclear'> {
  try {
    const outcome = await decideOnce(
      { id, environmentId: finding.environmentId },
      async () => {
        // Others may have decided while this waited for its turn.
        const found = await readDecidable(place, ports);
        const decided = 'problem' in found ? found : decide(found);
        return 'record' in decided && decided.needsApprover ? { problem: NOT_ASKED } : decided;
      },
      ports,
    );
    const kind = outcome.kind === 'recorded' ? outcome.record.kind : undefined;
    ports.log.info({ team, user, decision: id, outcome: outcome.kind, kind }, 'decision ended');
    return outcome;
  } catch (error) {
    if (error instanceof DecisionUnclearError) {
      ports.log.warn({ err: error, team, user, decision: id }, 'decision unclear');
      return 'unclear';
    }
    // The other click of a double one has held the lock for long.
    if (error instanceof LockBusyError && (await isRecorded(id, ports))) return { kind: 'duplicate' };
    throw error;
  }
}

async function isRecorded(id: string, { overlay }: DecidePorts): Promise<boolean> {
  return (await overlay.list()).some((record) => record.id === id);
}
