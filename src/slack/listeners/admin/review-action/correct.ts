import { randomUUID } from 'node:crypto';
import type { AdminSession } from '../../../../admin/admin-session.ts';
import type { Caller } from '../../../../governance/is-admin.ts';
import { type CorrectionWish, findCorrection } from '../../../../governance/review/find-correction.ts';
import type { Correction } from '../../../../governance/review/plan-correction.ts';
import { isConfirmable, TOO_MUCH_CHANGES } from '../../../views/admin/confirmable.ts';
import { readLimitForm } from '../../../views/admin/limit/form.ts';
import { buildProblemModal } from '../../../views/admin/modal-topic.ts';
import { REVIEW_CORRECT_ACTION, type ReviewPlace } from '../../../views/admin/review/place.ts';
import {
  buildRuleChoice,
  buildStopChoice,
  CORRECT_CHOICE_FORM,
  readChosenRules,
} from '../../../views/admin/review-action/choice.ts';
import { buildCorrectionNotes, buildStuck } from '../../../views/admin/review-action/correct.ts';
import { CORRECT_TOPIC } from '../../../views/admin/review-action/modal.ts';
import { describeOccasion } from '../../../views/admin/review-action/words.ts';
import type { AdminShell } from '../admin-shell.ts';
import { type AllocationConfirmPorts, toAllocationConfirm } from '../allocation/confirm.ts';
import { type LimitConfirmPorts, toLimitConfirm } from '../limit/confirm.ts';
import type { Modal } from '../modal.ts';
import { type FindingPorts, type Reviewed, type ReviewedFinding, readFinding } from './finding.ts';
import { onReviewButton } from './open.ts';
import { type LookPorts, toCorrectionSources } from './sources.ts';
import { type FormPorts, registerReviewForm } from './submit.ts';

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
