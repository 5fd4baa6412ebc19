// *Approve* and *Reject*, under the message that the second admin got.
import type { AnyBlock } from '@slack/types';
import { AccountNotLinkedError } from '../../identity/identity-errors.ts';
import { type Content, formatTime } from '../../slack/views/content.ts';
import { buildRepeatedOutcome } from '../changes/change-views.ts';
import { DECISION_UNCLEAR, DecisionUnclearError } from '../review/decide-once.ts';
import { buildDecided } from '../review/decided-views.ts';
import { type AccessPorts, type Admin, NotAdminError } from '../shell/access.ts';
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
  buildApproved,
  buildClosedRequest,
  buildDecidedRequest,
  buildRejected,
  describeClosed,
  parseApprovalId,
  REJECT_ACTION,
} from './approval-views.ts';
import { describeChanged } from './change-kinds.ts';
import { approveChange, type DecidePorts, rejectChange } from './decide-approval.ts';
import { isDecision, type Pending, type PendingChange } from './pending-change.ts';
import { type AccountPorts, requireOtherAccount, SameAccountError } from './slack-approval-request.ts';
import {
  carryOutFor,
  type KnownPorts,
  type RecordPorts,
  RequesterGoneError,
  recordFor,
  tellFromRecord,
} from './slack-approved-change.ts';
import type { CarryOutPorts } from './slack-confirmed-change.ts';

/** `body`: of the click on the request, in the approver's direct messages. */
type Click = Clicked & { id: string; timeZone: string };

export type ApprovalPorts = AccessPorts &
  AccountPorts &
  CarryOutPorts &
  DecidePorts &
  FailurePorts &
  KnownPorts &
  RecordPorts &
  SayPorts &
  TimeZones &
  WritePorts;

type Ended = Exclude<Awaited<ReturnType<typeof rejectChange>>, { kind: 'rejected' }>;

const UNREADABLE = 'This button cannot be read, so nothing was decided. Have it asked for anew.';

const SIGN_IN_FIRST =
  'Please sign in to the administrative interface first: what you approve is done in your name, with your rights. The request stays open.';

const STAYS_OPEN = 'Nothing was decided: the request stays open. Press the button again, or reject it.';

const OBJECTIONS = {
  own_request: 'You asked for this yourself. Somebody else has to approve it.',
  not_named: 'This request was put to another administrator, so you cannot decide about it. Nothing was done.',
};

const REQUESTER_GONE =
  'is not an administrator of this app any more, so nothing was done. The request stays open until it runs out; you can reject it.';

const SAME_ACCOUNT =
  'Nothing was done: you sign in to the administrative service with the same account as who asked for this, so you would approve what you asked for yourself. The request stays open until it runs out; somebody else has to be asked.';

const BROKE_OFF = 'You approved this before, and this app broke off in the middle.';

/** A second click of the same hand, which needs no answer of its own. */
const DOUBLE_CLICK_MS = 10_000;

export function registerApprovals(shell: AdminShell, ports: ApprovalPorts): void {
  const toFailure = (error: unknown) => toOpenFailure(error, ports);
  for (const [actionId, decide] of [
    [APPROVE_ACTION, approve],
    [REJECT_ACTION, reject],
  ] as const) {
    const run = async (clicked: Clicked) => {
      const { caller, say, value } = clicked;
      const id = parseApprovalId(value);
      if (id === undefined) return void (await say(buildAdminText(UNREADABLE)));
      const timeZone = await ports.timeZone(caller);
      await orTellRecord({ id, say }, ports, () => decide({ ...clicked, id, timeZone }, ports));
    };
    shell.onClick(actionId, run, { isFresh: true, toFailure });
  }
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
  const { id, caller, timeZone } = click;
  await ports.allowance.spend('change', caller);
  const approval = await approveChange({ id, clicker: caller }, (pending) => carryOut(pending, click, ports), ports);
  if (approval.kind !== 'carried_out') return tellEnded(approval, click, ports);
  const { pending, ended } = approval;
  const decision = `You approved this on ${formatTime(ports.now(), timeZone)}.`;
  const content = buildDecidedRequest(pending, decision, ended.tell({ timeZone }));
  const requesterZone = await ports.timeZone(pending.by);
  await Promise.all([
    replace(click, content, ports),
    tryDm(pending.by, buildApproved(pending, ended.tell({ timeZone: requesterZone })), ports),
  ]);
}

async function carryOut(pending: Pending, approver: Admin, ports: ApprovalPorts) {
  await requireOtherAccount(pending.by, approver.caller, ports);
  return isDecision(pending)
    ? recordFor(pending, approver, ports)
    : carryOutFor(pending as PendingChange, approver, ports);
}

async function reject(click: Click, ports: ApprovalPorts): Promise<void> {
  const { id, caller, timeZone } = click;
  const rejection = await rejectChange({ id, clicker: caller }, ports);
  if (rejection.kind !== 'rejected') return tellEnded(rejection, click, ports);
  const { pending } = rejection;
  const nothing = isDecision(pending) ? 'Nothing was recorded.' : 'Nothing was changed.';
  const decision = `:x: You rejected this on ${formatTime(ports.now(), timeZone)}. ${nothing}`;
  ports.log.info({ team: caller.team, user: caller.user, change: id }, 'approval rejected');
  await Promise.all([
    replace(click, buildDecidedRequest(pending, decision), ports),
    tryDm(pending.by, buildRejected(pending), ports),
  ]);
}

async function tellEnded(ended: Ended, click: Click, ports: ApprovalPorts): Promise<void> {
  const { timeZone, body, say } = click;
  switch (ended.kind) {
    case 'not_allowed':
      return void (await say(buildAdminText(OBJECTIONS[ended.objection])));
    case 'broke_off': {
      const { pending, change } = ended;
      const content = buildRepeatedOutcome(describeChanged(pending.planned), change.outcome?.kind);
      await replace(click, buildDecidedRequest(pending, BROKE_OFF, content), ports);
      await tryDm(pending.by, buildApproved(pending, content), ports);
      return;
    }
    case 'recorded': {
      const { pending } = ended;
      const { record, finding, environmentName } = pending.planned;
      const content = buildDecided(record, finding, environmentName);
      await replace(click, buildDecidedRequest(pending, BROKE_OFF, content), ports);
      await tryDm(pending.by, buildApproved(pending, content), ports);
      return;
    }
    case 'closed': {
      const { state } = ended;
      const isDecided = state?.kind === 'approved' || state?.kind === 'rejected';
      if (isDecided && ports.now() - state.at < DOUBLE_CLICK_MS) return;
      const sentence = describeClosed(state, timeZone);
      // A message that was decided says how it ended, and keeps that.
      if (isDecided) return void (await say(buildAdminText(sentence)));
      await replace(click, buildClosedRequest((body.message?.blocks ?? []) as AnyBlock[], sentence), ports);
    }
  }
}

/** Puts it in the place of the request; where Slack does not let us, below it. */
async function replace({ body, say }: Click, content: Content, { clicks }: SayPorts): Promise<void> {
  if (!(await clicks.replace(body, content))) await say(content);
}

function toOpenFailure(error: unknown, ports: ApprovalPorts): Content {
  if (error instanceof NotAdminError) return toFailureMessage(error, ports).content;
  if (error instanceof DecisionUnclearError) return buildAdminProblem(DECISION_UNCLEAR);
  if (error instanceof SameAccountError) return buildAdminText(SAME_ACCOUNT);
  if (error instanceof RequesterGoneError) return buildAdminText(`<@${error.user}> ${REQUESTER_GONE}`);
  if (error instanceof AccountNotLinkedError) {
    return buildAdminSignIn(ports.signInVariant, SIGN_IN_FIRST, 'press *Approve* again');
  }
  const { text, blocks } = toFailureMessage(error, ports).content;
  return { text, blocks: [...blocks, { type: 'context', elements: [{ type: 'mrkdwn', text: STAYS_OPEN }] }] };
}
