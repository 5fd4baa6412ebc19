// *Choose settings…* in the confirmation of a correction: which of the differences are corrected.
import { randomUUID } from 'node:crypto';
import type { ActionsBlock, ModalView } from '@slack/types';
import { buildPlainText, buildSection } from '../../slack/views/content.ts';
import { parseConfirmState } from '../changes/slack-confirmation.ts';
import { listChoosable, listCorrectable } from '../review/correction.ts';
import { describeFinding } from '../review/decided-views.ts';
import type { Finding, ReviewedFinding } from '../review/finding.ts';
import {
  CHOOSE_SETTINGS_ACTION,
  encodeReviewPlace,
  parseReviewPlace,
  REVIEW_TOPICS,
} from '../review/review-buttons.ts';
import { type FindingPorts, readFinding } from '../review/reviewed-finding.ts';
import type { AdminShell } from '../shell/admin-shell.ts';
import { type FailurePorts, toFailureMessage } from '../shell/failure-message.ts';
import { orTellFailure, toProblem } from '../shell/modal.ts';
import { FORM_OUT_OF_DATE, type Submitted } from './review-action.ts';
import { buildReviewForm, buildReviewWorking, parseReviewForm, type ReviewFormState } from './review-action-views.ts';
import { buildTicks, readTicks } from './settings-form.ts';

const SETTINGS_FORM = `${REVIEW_TOPICS.correct.id}_settings`;

/** All of them are corrected where nobody chooses. `goOn`: shows the confirmation of what is chosen. */
export function registerChooseSettings(
  shell: AdminShell,
  goOn: (submitted: Submitted) => Promise<void>,
  ports: FindingPorts & FailurePorts,
): void {
  const topic = REVIEW_TOPICS.correct;
  const button = {
    actionId: CHOOSE_SETTINGS_ACTION,
    topic,
    parse: parseReviewPlace,
    outOfDate: FORM_OUT_OF_DATE,
    readReplyTo: (metadata: string) => parseConfirmState(metadata)?.replyTo ?? '',
  };
  shell.onModalButton(button, async (place, { modal, replyTo }) => {
    const found = await readFinding(place, ports);
    if ('problem' in found) return modal.showProblem(found.problem);
    await modal.show(buildSettingsChoice(found, { id: randomUUID(), place, replyTo }));
  });
  shell.onSubmission({ callbackId: SETTINGS_FORM, topic, isFresh: true }, async ({ view, toPlace, ...admin }) => {
    const state = parseReviewForm(view.private_metadata);
    if (!state) return { answer: toProblem(FORM_OUT_OF_DATE, topic) };
    const ticks = readTicks(view.state.values);
    if ('errors' in ticks) return { answer: { response_action: 'errors', errors: ticks.errors } };
    return {
      answer: { response_action: 'update', view: buildReviewWorking(topic.loading, topic) },
      afterwards() {
        const settings = ticks.answer;
        const submitted = { ...admin, state: { ...state, settings }, approver: undefined, ...toPlace(state.replyTo) };
        return orTellFailure(
          () => goOn(submitted),
          submitted,
          (error) => toFailureMessage(error, ports),
        );
      },
    };
  });
}

const UNTOLD =
  ' What the service does not tell of the limit is set as approved in any case: a limit is written as a whole.';

/** A choice of more than these would not fit into what a modal carries. */
const MAX_SETTINGS = 30;

/** Nothing where there is nothing to choose. */
export function buildSettingsButton(finding: Finding, { place }: ReviewFormState): ActionsBlock[] {
  const { length } = listChoosable(finding);
  const value = encodeReviewPlace(place);
  if (length < 2 || length > MAX_SETTINGS || value === undefined) return [];
  const text = buildPlainText('Choose settings…');
  return [{ type: 'actions', elements: [{ type: 'button', action_id: CHOOSE_SETTINGS_ACTION, text, value }] }];
}

export function buildSettingsChoice({ finding, environmentName }: ReviewedFinding, state: ReviewFormState): ModalView {
  const untold = finding.kind === 'agent' && listCorrectable(finding).length > listChoosable(finding).length;
  const why = `What is ticked goes back to what the register approves. The rest stays as it is, and is drift still.${untold ? UNTOLD : ''}`;
  return buildReviewForm(REVIEW_TOPICS.correct, {
    submit: 'Review change',
    blocks: [
      buildSection(`${describeFinding(finding, environmentName)}\n${why}`),
      ...buildTicks('Correct these', listChoosable(finding)),
    ],
    state,
    callbackId: SETTINGS_FORM,
  });
}
