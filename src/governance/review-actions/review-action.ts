// What can be done about a finding: a button of the report opens a modal, and what is submitted there goes on in the
// background.
import { randomUUID } from 'node:crypto';
import type { ModalTopic } from '../../slack/views/modal.ts';
import { parseReason } from '../audit/reason.ts';
import { type ApproverPorts, findApproverProblem } from '../confirmation/slack-approval-request.ts';
import { parseReviewPlace } from '../review/review-buttons.ts';
import type { Admin } from '../shell/access.ts';
import type { AdminShell } from '../shell/admin-shell.ts';
import { type FailurePorts, toFailureMessage } from '../shell/failure-message.ts';
import { APPROVER_FIELD, type FormValues, REASON_FIELD, readApprover, readReason } from '../shell/form-fields.ts';
import { type Opened, orTellFailure, type Place, toProblem } from '../shell/modal.ts';
import { buildReviewWorking, parseReviewForm, type ReviewFormState, toFormId } from './review-action-views.ts';

/** What was filled in, or a sentence for each field that is wrong, by its block id. */
export type Filled<Answer> = { answer: Answer } | { errors: Record<string, string> };

/** `state`: for the form that is to be shown. */
export type Pressed = Omit<Opened, 'replyTo'> & { state: ReviewFormState };

export type Submitted = Admin &
  Place & {
    state: ReviewFormState;
    /** The second admin, where the form asked for one; they may be it. */
    approver: string | undefined;
  };

type ReviewAction<Answer> = {
  /** `id`: also of the button. */
  topic: ModalTopic;
  /** Of the form. Default: toFormId's. */
  callbackId?: string;
  /** Shown while it goes on; mrkdwn. */
  working: string;
  open(pressed: Pressed): Promise<void>;
  /** Quick: Slack waits for it. */
  read(values: FormValues, now: number): Filled<Answer>;
  submit(submitted: Submitted, answer: Answer): Promise<void>;
};

export type ReviewActionPorts = ApproverPorts & FailurePorts & { now: () => number };

const BUTTON_OUT_OF_DATE =
  'This button is too old, so nothing was done. Give the command again: `/assistant-admin review`.';

export const FORM_OUT_OF_DATE =
  'This window is too old, so nothing was done. Give the command again: /assistant-admin review.';

export function registerReviewAction<Answer>(
  shell: AdminShell,
  action: ReviewAction<Answer>,
  ports: ReviewActionPorts,
): void {
  const { topic, callbackId = toFormId(topic), working } = action;
  const button = { actionId: topic.id, topic, parse: parseReviewPlace, outOfDate: BUTTON_OUT_OF_DATE };
  shell.onModalButton(button, (place, { replyTo, ...opened }) =>
    action.open({ ...opened, state: { id: randomUUID(), place, replyTo } }),
  );
  shell.onSubmission({ callbackId, topic, isFresh: true }, async ({ view, toPlace, caller, openSession }) => {
    const state = parseReviewForm(view.private_metadata);
    if (!state) return { answer: toProblem(FORM_OUT_OF_DATE, topic) };
    const filled = action.read(view.state.values, ports.now());
    if ('errors' in filled) return { answer: { response_action: 'errors', errors: filled.errors } };
    const picked = readApprover(view.state.values);
    const problem = picked === 'not_asked' ? undefined : await findApproverProblem(picked, caller, ports);
    if (problem !== undefined) return { answer: { response_action: 'errors', errors: { [APPROVER_FIELD]: problem } } };
    const approver = picked === 'not_asked' ? undefined : picked;
    return {
      answer: { response_action: 'update', view: buildReviewWorking(working, topic) },
      afterwards() {
        const submitted = { caller, openSession, state, approver, ...toPlace(state.replyTo) };
        const work = () => action.submit(submitted, filled.answer);
        return orTellFailure(work, submitted, (error) => toFailureMessage(error, ports));
      },
    };
  });
}

/** With the reason, which most forms ask for. */
export function readWithReason<Answer>(
  filled: Filled<Answer>,
  values: FormValues,
): Filled<Answer & { reason: string }> {
  const parsed = parseReason(readReason(values));
  if ('answer' in filled && parsed.ok) return { answer: { ...filled.answer, reason: parsed.reason } };
  return {
    errors: {
      ...('errors' in filled ? filled.errors : {}),
      ...(parsed.ok ? {} : { [REASON_FIELD]: parsed.sentence }),
    },
  };
}
