// *Approve* and *Reject*, under the message that the second admin got.
import type { App, BlockButtonAction } from '@slack/bolt';
import type { AnyBlock } from '@slack/types';
import { approveChange, rejectChange } from '../../../governance/approval/decide-approval.ts';
import type { Caller } from '../../../governance/is-admin.ts';
import { AccountNotLinkedError } from '../../../identity/identity-errors.ts';
import { toCallCode } from '../../slack-errors.ts';
import { buildAdminSignIn, buildAdminText } from '../../views/admin/admin-messages.ts';
import {
  APPROVE_ACTION,
  buildClosedRequest,
  buildDecidedRequest,
  parseApprovalId,
  REJECT_ACTION,
} from '../../views/admin/approval-request.ts';
import { buildApproved, buildRejected } from '../../views/admin/approval-told.ts';
import { describeClosed } from '../../views/admin/approval-words.ts';
import { buildRepeatedOutcome } from '../../views/admin/change-outcome.ts';
import { formatTime } from '../../views/admin/limit-words.ts';
import type { Content } from '../../views/content.ts';
import { NotAdminError, requireAdmin, toCaller } from './access.ts';
import type { AdminPorts } from './admin-ports.ts';
import { carryOutFor, RequesterGoneError } from './approval-carry-out.ts';
import { tryToWrite } from './direct-message.ts';
import { toFailureMessage } from './failure-message.ts';
import { sayOrWrite } from './say-or-write.ts';

/** `message`: the request, as it stands in the approver's direct messages. */
type Click = {
  id: string;
  caller: Caller;
  timeZone: string;
  message: { channel: string; ts: string; blocks: AnyBlock[] };
  say(content: Content): Promise<boolean>;
};

type Ended = Exclude<Awaited<ReturnType<typeof rejectChange>>, { kind: 'rejected' }>;

const UNREADABLE = 'This button cannot be read, so nothing was decided. Ask for the change anew.';

const SIGN_IN_FIRST =
  'Please sign in to the administrative interface first: the change is made with your rights. The request stays open.';

const STAYS_OPEN = 'Nothing was decided: the request stays open. Press the button again, or reject it.';

const OBJECTIONS = {
  own_request: 'You asked for this change yourself. Somebody else has to approve it.',
  not_named: 'This request was put to another administrator, so you cannot decide about it. Nothing was changed.',
};

const REQUESTER_GONE =
  'is not an administrator of this app any more, so the change was not made. The request stays open until it runs out; you can reject it.';

/** A second click of the same hand, which needs no answer of its own. */
const DOUBLE_CLICK_MS = 10_000;

export function registerApprovals(app: App, ports: AdminPorts): void {
  for (const [actionId, decide] of [
    [APPROVE_ACTION, approve],
    [REJECT_ACTION, reject],
  ] as const) {
    app.action<BlockButtonAction>({ type: 'block_actions', action_id: actionId }, async ({ body, ack, client }) => {
      await ack();
      // Messages that only one person sees are not shown in direct messages.
      const say = sayOrWrite({ replyTo: undefined, client, user: body.user.id }, ports);
      ports.inBackground(async () => {
        try {
          const caller = await toCaller({ body, user: body.user.id }, ports);
          await requireAdmin(caller, ports);
          const id = parseApprovalId(body.actions[0]?.value);
          if (id === undefined) return void (await say(buildAdminText(UNREADABLE)));
          const timeZone = await ports.timeZone(caller);
          await decide({ id, caller, timeZone, message: toMessage(body), say }, ports);
        } catch (error) {
          await say(toOpenFailure(error, ports));
        }
      });
    });
  }
}

async function approve(click: Click, ports: AdminPorts): Promise<void> {
  const { id, caller, timeZone, message, say } = click;
  await ports.allowance.spend('change', caller);
  const approval = await approveChange(
    { id, clicker: caller },
    (pending) => carryOutFor(pending, caller, ports),
    ports,
  );
  if (approval.kind !== 'carried_out') return tellEnded(approval, click, ports);
  const { pending, ended } = approval;
  const decision = `You approved this on ${formatTime(ports.now(), timeZone)}.`;
  const content = buildDecidedRequest(pending, decision, ended.tell({ timeZone }));
  const requesterZone = await ports.timeZone(pending.by);
  await Promise.all([
    replace(message, content, { caller, say }, ports),
    tryToWrite(pending.by, buildApproved(pending, ended.tell({ timeZone: requesterZone })), ports),
  ]);
}

async function reject(click: Click, ports: AdminPorts): Promise<void> {
  const { id, caller, timeZone, message, say } = click;
  const rejection = await rejectChange({ id, clicker: caller }, ports);
  if (rejection.kind !== 'rejected') return tellEnded(rejection, click, ports);
  const { pending } = rejection;
  const decision = `:x: You rejected this on ${formatTime(ports.now(), timeZone)}. Nothing was changed.`;
  ports.log.info({ team: caller.team, user: caller.user, change: id }, 'approval rejected');
  await Promise.all([
    replace(message, buildDecidedRequest(pending, decision), { caller, say }, ports),
    tryToWrite(pending.by, buildRejected(pending), ports),
  ]);
}

async function tellEnded(ended: Ended, { timeZone, message, say, caller }: Click, ports: AdminPorts): Promise<void> {
  switch (ended.kind) {
    case 'not_allowed':
      return void (await say(buildAdminText(OBJECTIONS[ended.objection])));
    case 'broke_off': {
      const { pending, change } = ended;
      const content = buildRepeatedOutcome(pending.planned, change.outcome?.kind);
      const decision = 'You approved this before, and this app broke off in the middle.';
      await replace(message, buildDecidedRequest(pending, decision, content), { caller, say }, ports);
      await tryToWrite(pending.by, buildApproved(pending, content), ports);
      return;
    }
    case 'closed': {
      const { state } = ended;
      const isDecided = state?.kind === 'approved' || state?.kind === 'rejected';
      if (isDecided && ports.now() - state.at < DOUBLE_CLICK_MS) return;
      const sentence = describeClosed(state, timeZone);
      // A message that was decided says how it ended, and keeps that.
      if (isDecided) return void (await say(buildAdminText(sentence)));
      await replace(message, buildClosedRequest(message.blocks, sentence), { caller, say }, ports);
    }
  }
}

/** Puts it in the place of the request; where Slack does not let us, below it. */
async function replace(
  { channel, ts }: Click['message'],
  content: Content,
  { caller, say }: Pick<Click, 'caller' | 'say'>,
  { call, findInstallation, log }: AdminPorts,
): Promise<void> {
  try {
    const { botToken } = await findInstallation(caller.workspace);
    await call('chat.update', botToken, { channel, ts, ...content });
  } catch (error) {
    log.warn({ code: toCallCode(error) }, 'request not updated');
    await say(content);
  }
}

function toMessage({ container, message }: BlockButtonAction): Click['message'] {
  return {
    channel: String(container.channel_id ?? ''),
    ts: String(container.message_ts ?? ''),
    blocks: (message?.blocks ?? []) as AnyBlock[],
  };
}

function toOpenFailure(error: unknown, ports: AdminPorts): Content {
  if (error instanceof NotAdminError) return toFailureMessage(error, ports).content;
  if (error instanceof RequesterGoneError) return buildAdminText(`<@${error.user}> ${REQUESTER_GONE}`);
  if (error instanceof AccountNotLinkedError) {
    return buildAdminSignIn(ports.signInVariant, SIGN_IN_FIRST, 'press *Approve* again');
  }
  const { text, blocks } = toFailureMessage(error, ports).content;
  return { text, blocks: [...blocks, { type: 'context', elements: [{ type: 'mrkdwn', text: STAYS_OPEN }] }] };
}
