import { randomUUID } from 'node:crypto';
import type { AdminSession } from '../../admin-api/admin-session.ts';
import { type AllocationConfirmPorts, toAllocationConfirm } from '../../slack/listeners/admin/allocation/confirm.ts';
import { type LimitConfirmPorts, toLimitConfirm } from '../../slack/listeners/admin/limit/confirm.ts';
import { onReviewButton } from '../../slack/listeners/admin/review-action/open.ts';
import { type LookPorts, toCorrectionSources } from '../../slack/listeners/admin/review-action/sources.ts';
import { isConfirmable, TOO_MUCH_CHANGES } from '../../slack/views/admin/confirmable.ts';
import { REVIEW_CORRECT_ACTION, type ReviewPlace } from '../../slack/views/admin/review/place.ts';
import {
  buildRuleChoice,
  buildStopChoice,
  CORRECT_CHOICE_FORM,
  readChosenRules,
} from '../../slack/views/admin/review-action/choice.ts';
import { buildProblemModal } from '../../slack/views/modal.ts';
import type { Caller } from '../is-admin.ts';
import { readLimitForm } from '../limits/limit-form-views.ts';
import { describeOccasion } from '../review/decided-views.ts';
import { type CorrectionWish, findCorrection } from '../review/find-correction.ts';
import type { Correction } from '../review/plan-correction.ts';
import { type FindingPorts, type Reviewed, type ReviewedFinding, readFinding } from '../review/reviewed-finding.ts';
import type { AdminShell } from '../shell/admin-shell.ts';
import type { Modal } from '../shell/modal.ts';
import { buildCorrectionNotes, buildStuck } from './correct-words.ts';
import { type FormPorts, registerReviewForm } from './review-action.ts';
import { CORRECT_TOPIC } from './review-action-views.ts';

type Asked = {
  place: ReviewPlace;
  caller: Caller;
  session: AdminSession;
  modal: Modal;
  replyTo: string | undefined;
};

export type CorrectPorts = AllocationConfirmPorts & FindingPorts & FormPorts & LimitConfirmPorts & LookPorts;

/**
 * *Correct…* on a finding: what is there now is held against the register as it is now, and what would bring it back is
 * confirmed and carried out as any other change.
 */
export function registerReviewCorrect(shell: AdminShell, ports: CorrectPorts): void {
  const topic = CORRECT_TOPIC;
  onReviewButton(shell, { actionId: REVIEW_CORRECT_ACTION, topic }, (pressed) => show(pressed, {}, ports));
  registerReviewForm(
    shell,
    {
      callbackId: CORRECT_CHOICE_FORM,
      topic,
      working: topic.loading,
      check: (values) => {
        const wish = { chosen: readChosenRules(values), stopDecision: readLimitForm(values).stopDecision };
        return {
          async run({ caller, openSession, state, modal }) {
            const session = await openSession();
            await show({ caller, session, modal, place: state.place, replyTo: state.replyTo }, wish, ports);
          },
        };
      },
    },
    ports,
  );
}

async function show(asked: Asked, wish: CorrectionWish, ports: CorrectPorts): Promise<void> {
  const { place, session, modal } = asked;
  const found = await readFinding(place, ports);
  if ('problem' in found) return modal.showProblem(found.problem);
  const { finding, environmentName } = found;
  const sources = toCorrectionSources(session, found, ports);
  const correction = await findCorrection(finding, { ...wish, environmentName }, sources);
  await modal.show(await toView(correction, found, asked, ports));
}

async function toView(
  correction: Correction,
  { head, approved, environmentName }: Reviewed & ReviewedFinding,
  { place, caller, replyTo }: Asked,
  ports: CorrectPorts,
) {
  const state = { id: randomUUID(), place, replyTo };
  switch (correction.kind) {
    case 'nothing':
    case 'amount_not_told':
      return buildStuck(correction, environmentName);
    case 'needs_choice':
      return buildRuleChoice(correction, state);
    case 'needs_stop_decision':
      return buildStopChoice(correction, state);
  }
  if (!isConfirmable(correction)) {
    return buildProblemModal(TOO_MUCH_CHANGES, CORRECT_TOPIC);
  }
  const confirming = { caller, reason: describeOccasion(head.at, await ports.timeZone(caller)), replyTo };
  const view =
    correction.kind === 'limit'
      ? await toLimitConfirm(correction.plan, confirming, ports, false)
      : await toAllocationConfirm(
          correction.plan,
          { ...confirming, environmentName: correction.finding.name },
          ports,
          false,
        );
  const isRegisterChanged = head.registerHash !== approved.registerHash;
  const notes = buildCorrectionNotes(correction.left, { isRegisterChanged, finding: correction.finding });
  return { ...view, blocks: [...notes, ...view.blocks] };
}
