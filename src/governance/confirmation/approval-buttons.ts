// *Approve*, under the message that the second admin got.
import type { AnyBlock } from '@slack/types';
import { AccountNotLinkedError } from '../../identity/identity-errors.ts';
import { type Content, formatTime } from '../../slack/views/content.ts';
import { mayBeWritten } from '../changes/carry-out-once.ts';
import { buildRepeatedOutcome } from '../changes/change-views.ts';
import { DECISION_UNCLEAR, DecisionUnclearError } from '../review/decide-once.ts';
import { buildDecided } from '../review/decided-views.ts';
import { type AccessPorts, type AccountPorts, NotAdminError } from '../shell/access.ts';
import type { AdminShell, Clicked } from '../shell/admin-shell.ts';
import {
  buildAdminProblem,
  buildAdminSignIn,
  buildAdminText,
  type FailurePorts,
  toFailureMessage,
} from '../shell/failure-message.ts';
import { type SayPorts, type TimeZones, tryDm, type WritePorts } from '../shell/respond.ts';
import {
  APPROVE_ACTION,
  type ApprovalButton,
  buildApproved,
  buildClosedRequest,
  buildDecidedRequest,
  buildRejected,
  describeClosed,
  parseApprovalButton,
} from './approval-views.ts';
import { describeChanged } from './change-kinds.ts';
import { approveChange, type DecidePorts, type Ended } from './decide-approval.ts';
import type { Objection } from './find-objection.ts';
import { isBulk, isDecision, type Pending } from './pending-change.ts';
import {
  type Approver,
  ApproverChangedError,
  BEGUN,
  type BeginPorts,
  beginFor,
  carryOutFor,
  type EndedDecision,
  type KnownPorts,
  NotAsShownError,
  type RecordPorts,
  RequesterGoneError,
  recordFor,
  tellFromRecord,
} from './slack-approved-change.ts';
import type { CarryOutPorts, EndedChange } from './slack-confirmed-change.ts';

/** `body`: of the click on the request, in the approver's direct messages. */
type Click = Clicked & ApprovalButton & { timeZone: string };

export type ApprovalPorts = AccessPorts &
  AccountPorts &
  BeginPorts &
  CarryOutPorts &
  DecidePorts &
  FailurePorts &
  KnownPorts &
  RecordPorts &
  SayPorts &
  TimeZones &
  WritePorts;

const UNREADABLE = 'This button cannot be read, so nothing was decided. Have it requested again.';

const SIGN_IN_FIRST =
  'Please sign in to the administrative interface first: what you approve is done in your name, with your rights. The request stays open.';

const SIGN_IN_AGAIN =
  'Nothing was done: this app does not know which account you are signed in with, so it cannot tell you from who asked for this. Please sign in again. If you have just done that, who asked for this has to sign in again, too, and ask again.';

const STAYS_OPEN = 'Nothing was decided: the request stays open. Press the button again, or reject it.';

const OBJECTIONS: Record<Exclude<Objection, 'approver_unknown'>, string> = {
  own_request: 'You asked for this yourself. Somebody else has to approve it.',
  not_named: 'This request was put to another administrator, so you cannot decide about it. Nothing was done.',
  same_account:
    'Nothing was done: you sign in to the administrative service with the same account as who asked for this, so you would approve what you asked for yourself. The request stays open until it runs out; somebody else has to be asked.',
  requester_unknown:
    'Nothing was done: this request does not say with which account it was asked for, so it cannot be told whether that was yours. Reject it. Who asked for it has to sign in again with `/assistant-admin sign-in`, and then ask again.',
  not_as_shown:
    'Nothing was done: what would be carried out is not what this message shows, because the request was changed since. Reject it, and have it asked for again.',
};

const REQUESTER_GONE =
  'is not an administrator of this app any more, so nothing was done. The request stays open until it runs out; you can reject it.';

const APPROVER_CHANGED =
  'You signed in with another account meanwhile, so nothing was done. The request stays open: press *Approve* again.';

export const BROKE_OFF = 'You approved this before, and this app broke off in the middle.';

/** A second click of the same hand, which needs no answer of its own. */
const DOUBLE_CLICK_MS = 10_000;

export function registerApprovals(shell: AdminShell, ports: ApprovalPorts): void {
  const toFailure = (error: unknown) => toOpenFailure(error, ports);
  const run = async (clicked: Clicked) => {
    const { caller, say, value } = clicked;
    const button = parseApprovalButton(value);
    if (button === undefined) return void (await say(buildAdminText(UNREADABLE)));
    const timeZone = await ports.timeZone(caller);
    const click = { ...clicked, ...button, timeZone };
    await orTellRecord(click, ports, () => approve(click, ports));
  };
  shell.onClick(APPROVE_ACTION, run, { isFresh: true, toFailure });
}

/** Where the store failed on the way, its records know better than the error what was decided. */
async function orTellRecord(
  { id, say }: Pick<Click, 'id' | 'say'>,
  ports: ApprovalPorts,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    const known = await tellFromRecord(error, id, ports);
    if (known === undefined) throw error;
    await say(known);
  }
}

async function approve(click: Click, ports: ApprovalPorts): Promise<void> {
  const { id, shown, caller, timeZone } = click;
  await ports.allowance.spend('change', caller);
  const approval = await approveChange(
    { id, shown, clicker: caller },
    (pending, account) => carryOut(pending, { ...click, account }, ports),
    ports,
  );
  if (approval.kind !== 'carried_out') return tellEnded(approval, click, ports);
  const { pending, ended } = approval;
  const decision = `You approved this on ${formatTime(ports.now(), timeZone)}.`;
  const requesterZone = await ports.timeZone(pending.by);
  const request = buildDecidedRequest(pending, decision, ended.tell({ timeZone }));
  const isSent = ended.outcome !== undefined && mayBeWritten(ended.outcome);
  await tellBoth(
    click,
    { pending, request, told: buildApproved(pending, ended.tell({ timeZone: requesterZone }), { isSent }) },
    ports,
  );
}

function carryOut(pending: Pending, approver: Approver, ports: ApprovalPorts): Promise<EndedChange | EndedDecision> {
  if (isBulk(pending)) return beginFor(pending, approver, ports);
  return isDecision(pending) ? recordFor(pending, approver, ports) : carryOutFor(pending, approver, ports);
}

async function tellEnded(ended: Ended, click: Click, ports: ApprovalPorts): Promise<void> {
  const { id: change, caller, timeZone, body, say } = click;
  switch (ended.kind) {
    case 'not_allowed':
      ports.log.warn({ team: caller.team, user: caller.user, change, code: ended.objection }, 'approval not allowed');
      return void (await say(buildObjection(ended.objection)));
    case 'broke_off':
    case 'recorded': {
      const { pending } = ended;
      const content = toDoneBefore(ended);
      const request = buildDecidedRequest(pending, BROKE_OFF, content);
      const isSent = ended.kind === 'broke_off' && ended.change.outcome?.written !== 'no';
      return tellBoth(click, { pending, request, told: buildApproved(pending, content, { isSent }) }, ports);
    }
    case 'closed': {
      const { state, pending } = ended;
      if (pending !== undefined) await tryDm(pending.by, buildRejected(pending, state?.reason ?? ''), ports);
      const isDecided = state?.kind === 'approved' || state?.kind === 'rejected';
      if (isDecided && ports.now() - state.at < DOUBLE_CLICK_MS) return;
      const sentence = describeClosed(state, timeZone);
      // A message that was decided says how it ended, and keeps that.
      if (isDecided) return void (await say(buildAdminText(sentence)));
      await replace(click, buildClosedRequest((body.message?.blocks ?? []) as AnyBlock[], sentence), ports);
    }
  }
}

/** mrkdwn. */
export function describeObjection(objection: Objection): string {
  return objection === 'approver_unknown' ? SIGN_IN_AGAIN : OBJECTIONS[objection];
}

function buildObjection(objection: Objection): Content {
  if (objection !== 'approver_unknown') return buildAdminText(describeObjection(objection));
  return buildAdminSignIn(SIGN_IN_AGAIN, 'press *Approve* again');
}

export function toDoneBefore(ended: Extract<Ended, { kind: 'broke_off' | 'recorded' }>): Content {
  if (ended.kind === 'broke_off') {
    return buildRepeatedOutcome(describeChanged(ended.pending.planned), ended.change.outcome?.kind);
  }
  const { planned } = ended.pending;
  if (planned.kind === 'bulk') return buildAdminText(BEGUN);
  const { record, finding, environmentName } = planned;
  return buildDecided(record, finding, environmentName);
}

/** `request`: in its place, for who decided. `told`: to who asked. */
type Told = { pending: Pending; request: Content; told: Content };

async function tellBoth(click: Click, { pending, request, told }: Told, ports: ApprovalPorts): Promise<void> {
  await Promise.all([replace(click, request, ports), tryDm(pending.by, told, ports)]);
}

/** Puts it in the place of the request; where Slack does not let us, below it. */
async function replace({ body, say }: Click, content: Content, { clicks }: SayPorts): Promise<void> {
  if (!(await clicks.replace(body, content))) await say(content);
}

function toOpenFailure(error: unknown, ports: ApprovalPorts): Content {
  if (error instanceof NotAdminError) return toFailureMessage(error, ports).content;
  if (error instanceof DecisionUnclearError) return buildAdminProblem(DECISION_UNCLEAR);
  if (error instanceof ApproverChangedError) return buildAdminProblem(APPROVER_CHANGED);
  if (error instanceof NotAsShownError) return buildAdminProblem(OBJECTIONS.not_as_shown);
  if (error instanceof RequesterGoneError) return buildAdminText(`<@${error.user}> ${REQUESTER_GONE}`);
  if (error instanceof AccountNotLinkedError) return buildAdminSignIn(SIGN_IN_FIRST, 'press *Approve* again');
  const { text, blocks } = toFailureMessage(error, ports).content;
  return { text, blocks: [...blocks, { type: 'context', elements: [{ type: 'mrkdwn', text: STAYS_OPEN }] }] };
}
