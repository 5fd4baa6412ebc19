// A form about a finding that is submitted: what is wrong is said at its fields, the rest goes on in the background.

import type { ModalTopic } from '../../slack/views/modal.ts';
import { type ApproverPorts, findApproverProblem } from '../confirmation/approval-request.ts';
import { ACKNOWLEDGEMENT_LEAD_MS } from '../confirmation/confirmed-change.ts';
import { parseReviewPlace, type ReviewPlace } from '../review/finding-views.ts';
import type { Admin } from '../shell/access.ts';
import type { AdminShell } from '../shell/admin-shell.ts';
import { APPROVER_FIELD, readApprover } from '../shell/blocks.ts';
import { type FailurePorts, toFailureMessage } from '../shell/failure-message.ts';
import { type Modal, type Opened, toProblem } from '../shell/modal.ts';
import type { Say } from '../shell/respond.ts';
import { buildReviewWorking, parseReviewForm, type ReviewFormState } from './review-action-views.ts';

/** `view.state.values` of a submission, as far as these forms need it. */
export type FormValues = Record<
  string,
  Record<
    string,
    {
      value?: string | null;
      selected_date?: string | null;
      selected_option?: { value: string } | null;
      selected_options?: { value: string }[] | null;
      selected_user?: string | null;
      selected_users?: string[] | null;
    }
  >
>;

export type Submitted = Admin & {
  state: ReviewFormState;
  modal: Modal;
  say: Say;
  /** The second admin, where the form asked for one; they may be it. */
  approver: string | undefined;
};

/** `errors`: a sentence for each field, by its block id. */
export type Checked = { errors: Record<string, string> } | { run(submitted: Submitted): Promise<void> };

const OUT_OF_DATE = 'This window is too old, so nothing was done. Give the command again: /assistant-admin review.';

export type ReviewForm = {
  callbackId: string;
  topic: ModalTopic;
  /** Shown while it goes on; mrkdwn. */
  working: string;
  /** Quick, and without a look at anything else. */
  check(values: FormValues, now: number): Checked;
};

export type FormPorts = ApproverPorts & FailurePorts & { now: () => number };

export function registerReviewForm(
  shell: AdminShell,
  { callbackId, topic, working, check }: ReviewForm,
  ports: FormPorts,
): void {
  shell.onSubmission({ callbackId, topic, isFresh: true }, async ({ view, toPlace, caller, openSession }) => {
    const state = parseReviewForm(view.private_metadata);
    if (!state) return { answer: toProblem(OUT_OF_DATE, topic) };
    const checked = check(view.state.values, ports.now());
    if ('errors' in checked) return { answer: { response_action: 'errors', errors: checked.errors } };
    const picked = readApprover(view.state.values);
    const problem = picked === 'not_asked' ? undefined : await findApproverProblem(picked, caller, ports);
    if (problem !== undefined) return { answer: { response_action: 'errors', errors: { [APPROVER_FIELD]: problem } } };
    const approver = picked === 'not_asked' ? undefined : picked;
    return {
      answer: { response_action: 'update', view: buildReviewWorking(working, topic) },
      afterwards() {
        const { say, modal } = toPlace(state.replyTo);
        const submitted = { caller, openSession, state, modal: afterAcknowledgement(modal), say, approver };
        return runAndTell(checked.run, submitted, ports);
      },
    };
  });
}

async function runAndTell(
  run: (submitted: Submitted) => Promise<void>,
  submitted: Submitted,
  ports: FailurePorts,
): Promise<void> {
  try {
    await run(submitted);
  } catch (error) {
    const { sentence, content } = toFailureMessage(error, ports);
    await submitted.say(content);
    await submitted.modal.showProblem(sentence);
  }
}

function afterAcknowledgement(modal: Modal): Modal {
  const lead = new Promise((resolve) => setTimeout(resolve, ACKNOWLEDGEMENT_LEAD_MS));
  return {
    show: async (view) => {
      await lead;
      await modal.show(view);
    },
    showProblem: async (sentence) => {
      await lead;
      await modal.showProblem(sentence);
    },
    showFailure: async (error) => {
      await lead;
      await modal.showFailure(error);
    },
  };
}

export type Pressed = Opened & { place: ReviewPlace };

const BUTTON_OUT_OF_DATE =
  'This button is too old, so nothing was done. Give the command again: `/assistant-admin review`.';

/** A button of a review's report, which opens a modal. */
export function onReviewButton(
  shell: AdminShell,
  button: { actionId: string; topic: ModalTopic },
  work: (pressed: Pressed) => Promise<void>,
): void {
  shell.onModalButton({ ...button, parse: parseReviewPlace, outOfDate: BUTTON_OUT_OF_DATE }, (place, opened) =>
    work({ ...opened, place }),
  );
}
