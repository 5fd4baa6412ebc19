// *Approve* and *Reject…*, under the message that the second administrator got.
import type { AnyBlock } from '@slack/types';
import { codeOf } from '../../errors.ts';
import { AccountNotLinkedError } from '../../identity/identity-errors.ts';
import { parseClickPlace } from '../../slack/answer-clicks.ts';
import { buildNote, buildSection, type Content, toContent, withoutButtons } from '../../slack/views/content.ts';
import { toCallCode } from '../../slack/web/slack-errors.ts';
import { readTargetNames } from '../run/item-words.ts';
import { type Acting, answerWorking, type KeptForm, opensForm, registerForms, showForm } from '../run/kept-form.ts';
import type { GovernanceServices } from '../services.ts';
import { SentenceError } from '../shell/admin-failure.ts';
import type { AdminShell, Clicked } from '../shell/admin-shell.ts';
import { buildAdminSignIn, buildAdminText, toFailureMessage } from '../shell/failure-message.ts';
import type { Opened } from '../shell/modal.ts';
import { tryDm } from '../shell/respond.ts';
import {
  APPROVE_ACTION,
  type ApprovalButton,
  buildDecidedRequest,
  buildOutdated,
  buildRejectEnd,
  buildRejected,
  buildRejectForm,
  describeDecision,
  parseApprovalButton,
  REJECT_ACTION,
} from './approval-views.ts';
import { approve, findWaiting, reject } from './decide-approval.ts';

const UNREADABLE = 'This button cannot be read, so nothing was decided. Have the request sent again.';

const SIGN_IN_FIRST = 'Sign in first: what you approve is done in your name, with your rights. The request stays open.';

const STAYS_OPEN = 'Nothing was decided: the request stays open. Press the button again, or reject it.';

const OUTDATED =
  ':x: Somebody changed this meanwhile, so nothing was changed. If it is still wanted, it has to be asked for again.';

const REJECT_TOPIC = { id: 'approval_reject', title: 'Reject', loading: 'Looking up the request…' };

/** Nobody has to be signed in to reject something. */
export const REJECT_FORM: KeptForm<{ id: string }, undefined> = {
  callbackId: 'approval_reject_form',
  topic: REJECT_TOPIC,
  tooOld: 'This window is too old, so nothing was decided. Press the button again.',
  button: { ...opensForm(REJECT_ACTION, parseApprovalButton, openRejectForm), outOfDate: UNREADABLE },
  carryOut: ({ id }, { reason, replyTo }, submission, services) =>
    answerWorking({ ...REJECT_TOPIC, loading: 'Rejecting it…' }, submission, replyTo, (acting) =>
      rejectSubmitted(id, reason, acting, services),
    ),
};

export function registerApprovals(shell: AdminShell, services: GovernanceServices): void {
  const toFailure = (error: unknown) => toOpenFailure(error, services);
  shell.onClick(APPROVE_ACTION, (clicked) => approveClicked(clicked, services), {
    check: { isFresh: true },
    toFailure,
  });
  registerForms(shell, [REJECT_FORM], services);
}

async function approveClicked(clicked: Clicked, services: GovernanceServices): Promise<void> {
  const { caller, openSession, say, value, body } = clicked;
  const button = parseApprovalButton(value);
  if (button === undefined) return void (await say(buildAdminText(UNREADABLE)));
  // First: if this fails, it is said that nothing was decided.
  const name = await readTargetNames(services, Infinity);
  const decided = await approve({ ...button, caller, openSession }, services);
  const replace = async (content: Content) => {
    if (!(await services.clicks.replace(body, content))) await say(content);
  };
  const { kind, approval } = decided;
  const timeZone = await services.timeZone(caller);
  const decision = describeDecision(approval, timeZone);
  if (approval === undefined) return replace(toContent([...keepSections(body), buildSection(decision)]));
  const words = {
    outdated: OUTDATED,
    approved: `${decision} You hear how it ends.`,
    rejected: decision,
    closed: decision,
  };
  // The second click of a double click shows what the first one does.
  await replace(buildDecidedRequest(approval, words[kind], name));
  if (kind === 'closed') return;
  services.log.info({ team: caller.team, user: caller.user, plan: approval.id, kind }, 'approval decided');
  if (kind === 'outdated') await tryDm(approval.by, buildOutdated(approval, name), services);
}

/** The message is the only record of a request that the store has forgotten. */
function keepSections({ message }: Clicked['body']): AnyBlock[] {
  return withoutButtons(message?.blocks).filter(({ type }) => type === 'section') as AnyBlock[];
}

function toOpenFailure(error: unknown, services: GovernanceServices): Content {
  const again = 'press *Approve* again';
  if (error instanceof AccountNotLinkedError) return buildAdminSignIn(SIGN_IN_FIRST, again);
  const { content, sentence } = toFailureMessage(error, services);
  if (codeOf(error) === 'approver_unknown') return buildAdminSignIn(sentence, again);
  if (error instanceof SentenceError) return content;
  return toContent([...content.blocks, buildNote(STAYS_OPEN)]);
}

async function openRejectForm({ id }: ApprovalButton, opened: Opened, services: GovernanceServices): Promise<void> {
  const { modal, caller } = opened;
  const found = await findWaiting({ id, caller }, services);
  if (found.kind === 'closed') {
    return modal.show(buildRejectEnd(describeDecision(found.approval, await services.timeZone(caller))));
  }
  await showForm(REJECT_FORM, { state: { id }, ...buildRejectForm(found.approval) }, opened, services);
}

async function rejectSubmitted(
  id: string,
  said: string,
  { caller, modal, say, replyTo }: Acting,
  services: GovernanceServices,
): Promise<void> {
  const name = await readTargetNames(services, Infinity);
  const decided = await reject({ id, caller, said }, services);
  const { kind, approval } = decided;
  const sentence = describeDecision(approval, await services.timeZone(caller));
  await modal.show(buildRejectEnd(sentence));
  if (kind === 'closed') return;
  const content = buildDecidedRequest(approval, sentence, name);
  if (!(await replaceAt(replyTo, caller.workspace, content, services))) await say(content);
  await tryDm(approval.by, buildRejected(approval, name), services);
}

/** False: there is no message of the request, or Slack does not let us change it. */
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
