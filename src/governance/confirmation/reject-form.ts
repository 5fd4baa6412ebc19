// *Reject*, under the message that the second admin got: a form asks why, and who asked for it gets the reason.
import { parseClickPlace } from '../../slack/answer-clicks.ts';
import type { Messenger } from '../../slack/messenger.ts';
import type { Content } from '../../slack/views/content.ts';
import { toCallCode } from '../../slack/web/slack-errors.ts';
import { parseReason } from '../audit/reason.ts';
import type { Caller } from '../shell/admin-rules.ts';
import type { AdminShell, Answer, Submission } from '../shell/admin-shell.ts';
import { type FailurePorts, toFailureMessage } from '../shell/failure-message.ts';
import { REASON_FIELD, readReason } from '../shell/form-fields.ts';
import { type OwnOpened, orTellFailure, type Place, toProblem } from '../shell/modal.ts';
import { type TimeZones, tryDm, type WritePorts } from '../shell/respond.ts';
import { BROKE_OFF, describeObjection, toDoneBefore } from './approval-buttons.ts';
import {
  buildApproved,
  buildDecidedRequest,
  buildRejected,
  describeClosed,
  parseApprovalButton,
  REJECT_ACTION,
} from './approval-views.ts';
import { type DecidePorts, type Ended, findWaiting, rejectChange } from './decide-approval.ts';
import {
  buildRejectEnd,
  buildRejectForm,
  describeRejected,
  parseRejectState,
  REJECT_FORM,
  REJECT_TOPIC,
} from './reject-form-views.ts';
import { type KnownPorts, tellFromRecord } from './slack-approved-change.ts';

export type RejectPorts = DecidePorts &
  FailurePorts &
  KnownPorts &
  TimeZones &
  WritePorts & { messenger: Pick<Messenger, 'update'> };

const UNREADABLE = 'This button cannot be read, so nothing was decided. Have it requested again.';

const OUT_OF_DATE = 'This window is too old, so nothing was decided. Press *Reject* again.';

export function registerReject(shell: AdminShell, ports: RejectPorts): void {
  const button = { actionId: REJECT_ACTION, topic: REJECT_TOPIC, parse: parseApprovalButton, outOfDate: UNREADABLE };
  shell.onOwnModalButton(button, ({ id }, opened) => showForm(id, opened, ports), { isForAll: false });
  shell.onSubmission({ callbackId: REJECT_FORM, topic: REJECT_TOPIC, isFresh: true }, async (submission) =>
    submit(submission, ports),
  );
}

async function showForm(id: string, { modal, caller, replyTo }: OwnOpened, ports: RejectPorts): Promise<void> {
  const found = await findWaiting({ id, clicker: caller }, ports);
  if (found.kind === 'waiting') return modal.show(buildRejectForm(found.pending, { id, replyTo }));
  await modal.show(buildRejectEnd(describeEnd(found, await ports.timeZone(caller))));
}

function submit({ view, caller, toPlace }: Submission, ports: RejectPorts): Answer {
  const state = parseRejectState(view.private_metadata);
  if (!state) return { answer: toProblem(OUT_OF_DATE, REJECT_TOPIC) };
  const parsed = parseReason(readReason(view.state.values));
  if (!parsed.ok) return { answer: { response_action: 'errors', errors: { [REASON_FIELD]: parsed.sentence } } };
  const { reason } = parsed;
  return {
    answer: { response_action: 'update', view: buildRejectEnd('Rejecting it…') },
    afterwards() {
      const place = toPlace(state.replyTo);
      const work = () => rejectAndTell({ ...state, ...place, caller, reason }, ports);
      return orTellFailure(work, place, (error) => toFailureMessage(error, ports));
    },
  };
}

type Rejecting = Place & { id: string; replyTo: string; caller: Caller; reason: string };

async function rejectAndTell(rejecting: Rejecting, ports: RejectPorts): Promise<void> {
  const { id, caller, reason, say, modal } = rejecting;
  try {
    const rejection = await rejectChange({ id, clicker: caller, reason }, ports);
    const timeZone = await ports.timeZone(caller);
    if (rejection.kind !== 'rejected') return await tellEnded(rejection, { ...rejecting, timeZone }, ports);
    const { pending } = rejection;
    ports.log.info({ team: caller.team, user: caller.user, change: id }, 'approval rejected');
    const decision = describeRejected(pending, { reason, at: ports.now(), timeZone });
    await Promise.all([
      modal.show(buildRejectEnd(decision)),
      replace(rejecting, buildDecidedRequest(pending, decision), ports),
      tryDm(pending.by, buildRejected(pending, reason), ports),
    ]);
  } catch (error) {
    // Where the store failed on the way, its records know better than the error what was decided.
    const known = await tellFromRecord(error, id, ports);
    if (known === undefined) throw error;
    await say(known);
    await modal.show(buildRejectEnd(known.text));
  }
}

async function tellEnded(ended: Ended, rejecting: Rejecting & { timeZone: string }, ports: RejectPorts): Promise<void> {
  const { modal, timeZone } = rejecting;
  await modal.show(buildRejectEnd(describeEnd(ended, timeZone)));
  if (ended.kind === 'closed' && ended.pending !== undefined) {
    await tryDm(ended.pending.by, buildRejected(ended.pending, ended.state?.reason ?? ''), ports);
  }
  if (ended.kind !== 'broke_off' && ended.kind !== 'recorded') return;
  const content = toDoneBefore(ended);
  await Promise.all([
    replace(rejecting, buildDecidedRequest(ended.pending, BROKE_OFF, content), ports),
    tryDm(ended.pending.by, buildApproved(ended.pending, content), ports),
  ]);
}

/** Why it was not rejected; mrkdwn. */
function describeEnd(ended: Ended, timeZone: string): string {
  switch (ended.kind) {
    case 'not_allowed':
      return describeObjection(ended.objection);
    case 'closed':
      return describeClosed(ended.state, timeZone);
    case 'broke_off':
    case 'recorded':
      return `${BROKE_OFF} It was not rejected; the message says how it ended.`;
  }
}

/** Puts it in the place of the request; where Slack does not let us, below it. */
async function replace(
  { caller: { workspace }, replyTo, say }: Rejecting,
  content: Content,
  { messenger, log }: RejectPorts,
): Promise<void> {
  const place = parseClickPlace(replyTo);
  try {
    if (place.channel !== undefined && place.threadTs !== undefined) {
      return await messenger.update({ workspace, channel: place.channel }, place.threadTs, content);
    }
  } catch (error) {
    log.warn({ code: toCallCode(error) }, 'request not replaced');
  }
  await say(content);
}
