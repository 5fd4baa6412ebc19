// *Confirm*, of whatever change: from the click to the message about how it ended.
import type { ViewResponseAction } from '@slack/bolt';
import type { ModalTopic } from '../../slack/views/modal.ts';
import { parseReason } from '../audit/reason.ts';
import { buildApplyingModal } from '../changes/change-views.ts';
import { parseConfirmState, readPlannedChange } from '../changes/slack-confirmation.ts';
import type { AdminShell, Answer, Submission } from '../shell/admin-shell.ts';
import type { Allowance } from '../shell/allowance.ts';
import { REASON_FIELD, readReason } from '../shell/form-fields.ts';
import { toProblem } from '../shell/modal.ts';
import type { KeepPorts } from '../shell/modal-state.ts';
import { buildAskingModal } from './approval-views.ts';
import { CHANGE_KINDS, kindOf } from './change-kinds.ts';
import { toPending } from './pending-change.ts';
import { type AskingPorts, askAndTell, type ChoicePorts, chooseApprover } from './slack-approval-request.ts';
import {
  type ApplyPorts,
  applyAndTell,
  type ConfirmedChange,
  isConfirmable,
  TOO_MUCH_CHANGES,
} from './slack-confirmed-change.ts';

const OUT_OF_DATE = 'This window is too old, so nothing was changed. Open it again, and decide from what is there now.';

export type ChangeConfirmPorts = ApplyPorts & AskingPorts & ChoicePorts & KeepPorts & { allowance: Allowance };

/**
 * Carries out what was planned in the background, or asks the second admin, and shows how it ended, in the modal and in a
 * message.
 */
export function registerChangeConfirm(shell: AdminShell, ports: ChangeConfirmPorts): void {
  for (const { confirmModal: callbackId, topic } of Object.values(CHANGE_KINDS)) {
    const isCounted = callbackId !== CHANGE_KINDS.stop.confirmModal;
    shell.onSubmission({ callbackId, topic, isFresh: true, isCounted }, (submission) =>
      confirm(submission, topic, ports),
    );
  }
}

async function confirm(submission: Submission, topic: ModalTopic, ports: ChangeConfirmPorts): Promise<Answer> {
  const { caller, openSession, toPlace } = submission;
  const read = await readSubmission(submission, topic, ports);
  if ('answer' in read) return read;
  const { confirmed, approver, replyTo } = read;
  const { change } = confirmed;
  // However many agents have to be stopped, each of them is.
  const isStop = change.kind === 'stop' && change.plan.loosens === false;
  if (!isStop) await ports.allowance.spend('change', caller);
  const view = approver === undefined ? buildApplyingModal(kindOf(change), change) : buildAskingModal(change, approver);
  return {
    answer: { response_action: 'update', view },
    afterwards() {
      const place = toPlace(replyTo);
      if (approver === undefined) return applyAndTell(confirmed, { caller, openSession, ...place }, ports);
      const { changeId: id, reason } = confirmed.request;
      const asked = toPending({ id, by: caller, approver, reason, planned: change }, ports.now());
      return askAndTell({ asked, openSession, ...place }, ports);
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
  const change = state && (await readPlannedChange(state.changeId, ports));
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
