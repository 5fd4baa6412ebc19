// *Confirm*, of whatever change: from the click to the message about how it ended.
import type { ViewResponseAction } from '@slack/bolt';
import { toPending } from '../../../governance/approval/pending-change.ts';
import { parseReason } from '../../../governance/audit/reason.ts';
import type { Caller } from '../../../governance/is-admin.ts';
import { ALLOCATION_CONFIRM_MODAL } from '../../views/admin/allocation/confirm.ts';
import { buildAskingModal } from '../../views/admin/approval/told.ts';
import { parseConfirmState } from '../../views/admin/change-confirm.ts';
import { buildApplyingModal } from '../../views/admin/change-outcome.ts';
import { isConfirmable, TOO_MUCH_CHANGES } from '../../views/admin/confirmable.ts';
import { LIMIT_CONFIRM_MODAL } from '../../views/admin/limit/confirm.ts';
import { ALLOCATION_TOPIC, LIMIT_TOPIC, type ModalTopic } from '../../views/admin/modal-topic.ts';
import { REASON_FIELD, readReason } from '../../views/admin/reason-field.ts';
import type { AdminShell, Answer, Submission } from './admin-shell.ts';
import type { Allowance } from './allowance.ts';
import { type ApplyPorts, applyAndTell, type ConfirmedChange } from './apply-change.ts';
import { type AskingPorts, askAndTell, type ChoicePorts, chooseApprover } from './approval/ask.ts';
import { type KeepPorts, readChange } from './kept-for-modals.ts';
import { toProblem } from './modal.ts';

/** Who is to confirm, and what is known already. */
export type Confirming = {
  caller: Caller;
  /** To begin with; the admin may say it otherwise. */
  reason?: string | undefined;
  /** See say.ts. */
  replyTo?: string | undefined;
};

const OUT_OF_DATE = 'This window is too old, so nothing was changed. Open it again, and decide from what is there now.';

export type ChangeConfirmPorts = ApplyPorts & AskingPorts & ChoicePorts & KeepPorts & { allowance: Allowance };

/**
 * Carries out what was planned in the background, or asks the second admin, and shows how it ended, in the modal and in a
 * message.
 */
export function registerChangeConfirm(shell: AdminShell, ports: ChangeConfirmPorts): void {
  for (const [callbackId, topic] of [
    [LIMIT_CONFIRM_MODAL, LIMIT_TOPIC],
    [ALLOCATION_CONFIRM_MODAL, ALLOCATION_TOPIC],
  ] as const) {
    shell.onSubmission({ callbackId, topic, isFresh: true }, (submission) => confirm(submission, topic, ports));
  }
}

async function confirm(submission: Submission, topic: ModalTopic, ports: ChangeConfirmPorts): Promise<Answer> {
  const { caller, openSession, toPlace } = submission;
  const read = await readSubmission(submission, topic, ports);
  if ('answer' in read) return read;
  const { confirmed, approver, replyTo } = read;
  const { change } = confirmed;
  await ports.allowance.spend('change', caller);
  const view = approver === undefined ? buildApplyingModal(change) : buildAskingModal(change, approver);
  return {
    answer: { response_action: 'update', view },
    afterwards() {
      const telling = { caller, ...toPlace(replyTo) };
      if (approver === undefined) return applyAndTell(confirmed, { ...telling, openSession }, ports);
      const { changeId: id, reason } = confirmed.request;
      const pending = toPending({ id, by: caller, approver, reason, planned: change }, ports.now());
      return askAndTell({ pending, ...telling }, ports);
    },
  };
}

/** `approver`: of the second admin, where one is needed. */
type Read =
  | { confirmed: ConfirmedChange; approver: string | undefined; replyTo: string | undefined }
  | { answer: ViewResponseAction };

async function readSubmission(
  { view, caller }: Submission,
  topic: ModalTopic,
  ports: ChangeConfirmPorts,
): Promise<Read> {
  const state = parseConfirmState(view.private_metadata);
  const change = state && (await readChange(state.changeId, ports));
  if (!change) return { answer: toProblem(OUT_OF_DATE, topic) };
  // Nobody confirms or approves what they were not shown.
  if (!isConfirmable(change)) return { answer: toProblem(TOO_MUCH_CHANGES, topic) };
  const { values } = view.state;
  const parsed = parseReason(readReason(values));
  if (!parsed.ok) return { answer: { response_action: 'errors', errors: { [REASON_FIELD]: parsed.sentence } } };
  const { changeId, replyTo } = state;
  const confirmed = { change, request: { changeId, by: caller, reason: parsed.reason } };
  const chosen = await chooseApprover(confirmed, values, ports);
  return chosen.kind === 'wrong' ? { answer: chosen.answer } : { confirmed, approver: chosen.approver, replyTo };
}
