// *Approve* and *Reject…*, under the message that the second administrator got.
import type { AnyBlock } from '@slack/types';
import { z } from 'zod';
import { AccountNotLinkedError } from '../../identity/identity-errors.ts';
import { parseClickPlace } from '../../slack/answer-clicks.ts';
import { type Content, formatTime } from '../../slack/views/content.ts';
import { toCallCode } from '../../slack/web/slack-errors.ts';
import { parseReason } from '../audit/reason.ts';
import { readTargetNames } from '../run/item-words.ts';
import type { GovernanceServices } from '../services.ts';
import { NotAdminError } from '../shell/access.ts';
import type { AdminShell, Answer, Clicked, Submission } from '../shell/admin-shell.ts';
import { buildAdminSignIn, buildAdminText, SentenceError, toFailureMessage } from '../shell/failure-message.ts';
import { type FormValues, REASON_FIELD, readReason } from '../shell/form-fields.ts';
import type { OwnOpened } from '../shell/modal.ts';
import { parseState } from '../shell/modal-state.ts';
import { tryDm } from '../shell/respond.ts';
import type { Objection } from './approval-rights.ts';
import type { Approval } from './approval-store.ts';
import {
  APPROVE_ACTION,
  buildClosedRequest,
  buildDecidedRequest,
  buildRejectEnd,
  buildRejected,
  buildRejectForm,
  describeClosed,
  parseApprovalButton,
  REJECT_ACTION,
  REJECT_FORM,
  REJECT_TOPIC,
} from './approval-views.ts';
import { approve, type Decided, findWaiting, reject } from './decide-approval.ts';

const UNREADABLE = 'This button cannot be read, so nothing was decided. Have it asked for again.';

const SIGN_IN_FIRST = 'Sign in first: what you approve is done in your name, with your rights. The request stays open.';

const SIGN_IN_AGAIN =
  'Nothing was done: this app does not know which account you are signed in with, so it cannot tell you from who asked. Sign in again.';

const STAYS_OPEN = 'Nothing was decided: the request stays open. Press the button again, or reject it.';

const OUTDATED =
  ':x: Somebody changed the same meanwhile, so nothing was changed. If it is still wanted, it has to be asked for again.';

const OBJECTIONS: Record<Exclude<Objection, 'approver_unknown'>, string> = {
  own_request: 'You asked for this yourself. Somebody else has to approve it.',
  not_named: 'Another administrator was asked to approve this, so you cannot decide about it. Nothing was done.',
  same_account:
    'Nothing was done: you sign in to the administrative service with the same account as who asked. Somebody else has to be asked.',
  not_as_shown:
    'Nothing was done: what is kept is not what this message shows. Reject it, and have it asked for again.',
};

export function registerApprovals(shell: AdminShell, services: GovernanceServices): void {
  const toFailure = (error: unknown) => toOpenFailure(error, services);
  shell.onClick(APPROVE_ACTION, (clicked) => approveClicked(clicked, services), { isFresh: true, toFailure });

  shell.onOwnModalButton(
    { actionId: REJECT_ACTION, topic: REJECT_TOPIC, parse: parseApprovalButton, outOfDate: UNREADABLE },
    ({ id }, opened) => showRejectForm(id, opened, services),
    { isForAll: false },
  );
  shell.onSubmission({ callbackId: REJECT_FORM, topic: REJECT_TOPIC, isFresh: true }, async (submission) =>
    submitReject(submission, services),
  );
}

async function approveClicked(clicked: Clicked, services: GovernanceServices): Promise<void> {
  const { caller, openSession, say, value, body } = clicked;
  const button = parseApprovalButton(value);
  if (button === undefined) return void (await say(buildAdminText(UNREADABLE)));
  const decided = await approve({ ...button, caller, openSession }, services);
  const replace = async (content: Content) => {
    if (!(await services.clicks.replace(body, content))) await say(content);
  };
  const timeZone = await services.timeZone(caller);
  if (decided.kind === 'not_allowed') return void (await say(buildObjection(decided.objection)));
  if (decided.kind === 'closed') {
    const blocks = (body.message?.blocks ?? []) as AnyBlock[];
    return replace(buildClosedRequest(blocks, describeClosed(decided.approval, timeZone)));
  }
  const name = await readTargetNames(services);
  const isDone = decided.kind === 'approved';
  const when = formatTime(services.now(), timeZone);
  const words = isDone ? `✓ You approved this on ${when}. It is carried out now; you hear how it ends.` : OUTDATED;
  const { approval } = decided;
  services.log.info(
    { team: caller.team, user: caller.user, plan: approval.id, kind: decided.kind },
    'approval decided',
  );
  await replace(buildDecidedRequest(approval, words, name));
  if (!isDone) await tryDm(approval.by, buildDecidedRequest(approval, OUTDATED, name), services);
}

function buildObjection(objection: Objection): Content {
  if (objection === 'approver_unknown') return buildAdminSignIn(SIGN_IN_AGAIN, 'press *Approve* again');
  return buildAdminText(OBJECTIONS[objection]);
}

function toOpenFailure(error: unknown, services: GovernanceServices): Content {
  if (error instanceof AccountNotLinkedError) return buildAdminSignIn(SIGN_IN_FIRST, 'press *Approve* again');
  const { content } = toFailureMessage(error, services);
  if (error instanceof NotAdminError || error instanceof SentenceError) return content;
  const { text, blocks } = content;
  return { text, blocks: [...blocks, { type: 'context', elements: [{ type: 'mrkdwn', text: STAYS_OPEN }] }] };
}

const stateSchema = z.object({ id: z.string().min(1), replyTo: z.string() });

/** `replyTo`: where it was clicked, see respond.ts. */
type RejectState = z.infer<typeof stateSchema>;

async function showRejectForm(
  id: string,
  { modal, caller, replyTo }: OwnOpened,
  services: GovernanceServices,
): Promise<void> {
  const found = await findWaiting({ id, caller }, services);
  const metadata = JSON.stringify({ id, replyTo } satisfies RejectState);
  if (found.kind === 'waiting') return modal.show(buildRejectForm(found.approval, metadata));
  await modal.show(buildRejectEnd(describeEnd(found, await services.timeZone(caller))));
}

function submitReject({ view, caller, toPlace }: Submission, services: GovernanceServices): Answer {
  const state = parseState(stateSchema, view.private_metadata);
  const parsed = parseReason(readReason(view.state.values as FormValues));
  if (!parsed.ok) return { answer: { response_action: 'errors', errors: { [REASON_FIELD]: parsed.sentence } } };
  if (!state) return { answer: { response_action: 'update', view: buildRejectEnd(UNREADABLE) } };
  return {
    answer: { response_action: 'update', view: buildRejectEnd('Rejecting it…') },
    async afterwards() {
      const { modal, say } = toPlace(state.replyTo);
      try {
        const decided = await reject({ id: state.id, caller, said: parsed.reason }, services);
        const timeZone = await services.timeZone(caller);
        const sentence = describeEnd(decided, timeZone);
        await modal.show(buildRejectEnd(sentence));
        if (decided.kind !== 'rejected') return;
        const name = await readTargetNames(services);
        const content = buildDecidedRequest(decided.approval, sentence, name);
        if (!(await replaceAt(state.replyTo, caller.workspace, content, services))) await say(content);
        await tryDm(decided.approval.by, buildRejected(decided.approval, name), services);
      } catch (error) {
        await modal.showFailure(error);
      }
    },
  };
}

/** mrkdwn. */
function describeEnd(decided: Decided, timeZone: string): string {
  if (decided.kind === 'not_allowed') {
    return decided.objection === 'approver_unknown' ? SIGN_IN_AGAIN : OBJECTIONS[decided.objection];
  }
  if (decided.kind !== 'rejected') return describeClosed(decided.approval, timeZone);
  const { decidedAt = 0 } = decided.approval satisfies Approval;
  return `:x: You rejected this on ${formatTime(decidedAt, timeZone)}. Nothing was changed.`;
}

/** False: the request is not there, or Slack does not let us change it. */
async function replaceAt(
  replyTo: string,
  workspace: string,
  content: Content,
  { messenger, log }: GovernanceServices,
): Promise<boolean> {
  const place = parseClickPlace(replyTo);
  if (place.channel === undefined || place.threadTs === undefined) return false;
  try {
    await messenger.update({ workspace, channel: place.channel }, place.threadTs, content);
    return true;
  } catch (error) {
    log.warn({ code: toCallCode(error) }, 'request not replaced');
    return false;
  }
}
