// A decision about a finding: looked up again before its form is shown and before it is recorded; recorded once, or put
// to a second admin first; and told.

import type { ModalView } from '@slack/types';
import type { AdminSession } from '../../admin-api/admin-session.ts';
import { LockBusyError } from '../../errors.ts';
import { isShownToApprover } from '../confirmation/approval-views.ts';
import { toPending } from '../confirmation/pending-change.ts';
import { type AskingPorts, askAndTell } from '../confirmation/slack-approval-request.ts';
import { findAdditions } from '../register/merge-overlay.ts';
import type { OverlayRecord } from '../register/overlay.ts';
import {
  DECISION_UNCLEAR,
  type DecisionOutcome,
  type DecisionPorts,
  DecisionUnclearError,
  decideOnce,
} from '../review/decide-once.ts';
import { buildDecided, buildDecidedBefore } from '../review/decided-views.ts';
import { approvesMore, type Decided, type DecisionRequest, type Problem } from '../review/decisions.ts';
import type { ReviewedFinding } from '../review/finding.ts';
import { type DecisionKind, type RecheckPorts, recheck, type StillOpen } from '../review/recheck.ts';
import { REVIEW_TOPICS } from '../review/review-buttons.ts';
import { type FindingPorts, type PlannedDecision, type Reviewed, readDecidable } from '../review/reviewed-finding.ts';
import type { Caller } from '../shell/admin-rules.ts';
import type { AdminShell } from '../shell/admin-shell.ts';
import { buildAdminProblem } from '../shell/failure-message.ts';
import type { FormValues } from '../shell/form-fields.ts';
import {
  type Filled,
  type Pressed,
  type ReviewActionPorts,
  readWithReason,
  registerReviewAction,
  type Submitted,
} from './review-action.ts';
import { buildReviewNotice, type ReviewFormState } from './review-action-views.ts';

type Found = Reviewed & ReviewedFinding;

/** The finding with the differences that are still there, and the register as it is now. */
export type Current<Kind extends DecisionKind> = Omit<Found, 'finding'> & StillOpen<Kind>;

/** Who sees the form, and what it contains. */
export type FormRequest = { caller: Caller; session: AdminSession; state: ReviewFormState; needsApprover: boolean };

/** What differs from decision to decision. */
type ReviewDecision<Kind extends DecisionKind, Answer> = {
  kind: Kind;
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

type Deciding<Kind extends DecisionKind, Answer> = {
  decision: ReviewDecision<Kind, Answer>;
  answer: Answer & { reason: string };
};

/** What would be recorded beside this register. */
type Decide = (found: Found) => { record: OverlayRecord; needsApprover: boolean } | Problem;

const NOT_ASKED =
  'A second administrator has to approve this since this window was opened, so nothing was recorded. Open it again.';

const TOO_MUCH =
  'This is so much that an approver would not be shown all of it, so nothing was asked for. Correct some of it first, or state it in the register.';

export function registerReviewDecision<Kind extends DecisionKind, Answer>(
  shell: AdminShell,
  decision: ReviewDecision<Kind, Answer>,
  ports: DecidePorts,
): void {
  registerReviewAction(
    shell,
    {
      topic: REVIEW_TOPICS[decision.kind],
      working: decision.working,
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

/** Hours may have passed since the form was opened. */
async function decideAndTell<Kind extends DecisionKind, Answer>(
  submitted: Submitted,
  { decision, answer }: Deciding<Kind, Answer>,
  ports: DecidePorts,
): Promise<void> {
  const { caller, state, modal, say, openSession, approver } = submitted;
  const { kind } = decision;
  const topic = REVIEW_TOPICS[kind];
  const found = await readDecidable(state.place, ports);
  if ('problem' in found) return modal.showProblem(found.problem);
  const look = await recheck(kind, found, { openSession, ports });
  if ('problem' in look) return modal.showProblem(look.problem);
  const { team, workspace, user } = caller;
  const account = (await ports.adminAccount({ team, user }))?.account;
  const decide: Decide = (now) => {
    const still = look(now.approved);
    if ('problem' in still) return still;
    const { registerHash } = now.approved;
    const by = { team, workspace, user };
    const request = { id: state.id, by, account, at: ports.now(), registerHash, ...answer };
    const decided = decision.decide({ ...now, ...still }, request);
    if ('problem' in decided) return decided;
    const accepts = decided.record.kind === 'exception' ? decided.record.accepts : undefined;
    return { ...decided, needsApprover: ports.needsApproval && approvesMore(kind, still.finding, accepts) };
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

export function toPlanned(
  record: OverlayRecord,
  { finding, environmentName, approved }: ReviewedFinding & Pick<Found, 'approved'>,
): PlannedDecision {
  const [added] = record.kind === 'classification' ? findAdditions(approved.own, [record]).environments : [];
  const defaults = added && {
    allocations: added.environment.allocations,
    unnamedAgents: added.environment.unnamedAgents,
  };
  return { kind: 'decision', record, finding, environmentName, defaults };
}

type Asked = Omit<Submitted, 'state'> & { state: { id: string }; approver: string; reason: string };

/** Puts it to the second admin. */
export async function ask(
  planned: PlannedDecision,
  { caller, openSession, state, modal, say, approver, reason }: Asked,
  ports: DecidePorts,
): Promise<void> {
  if (!isShownToApprover(planned)) return modal.showProblem(TOO_MUCH);
  const asked = toPending({ id: state.id, by: caller, approver, reason, planned }, ports.now());
  await askAndTell({ asked, openSession, say, modal }, ports);
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
