// *Ask for approval*: where something allows more than before, and a second admin has to approve that.
import type { ViewResponseAction } from '@slack/bolt';
import type { Person } from '../../conversation/question.ts';
import { toCallCode } from '../../slack/web/slack-errors.ts';
import { needsSecondApprover } from '../changes/change.ts';
import { type AccessPorts, NotAdminError, requireOtherAdmin } from '../shell/access.ts';
import type { Caller } from '../shell/admin-rules.ts';
import { APPROVER_FIELD, readApprover } from '../shell/blocks.ts';
import { buildAdminProblem, type FailurePorts, toFailureMessage } from '../shell/failure-message.ts';
import { type Modal, toProblem } from '../shell/modal.ts';
import type { Say, TimeZones, WritePorts } from '../shell/respond.ts';
import { buildApprovalRequest, buildAsked, buildAskedModal } from './approval-views.ts';
import { kindOf } from './change-kinds.ts';
import { type AskPorts, askApproval, type Pending } from './pending-change.ts';
import { ACKNOWLEDGEMENT_LEAD_MS, type ConfirmedChange } from './slack-confirmed-change.ts';

const NOT_TOLD_SENTENCE =
  'Slack did not take my message to the approver, so nothing was asked for and nothing was changed. Try again, or choose somebody else.';

const NOT_TOLD = { sentence: NOT_TOLD_SENTENCE, content: buildAdminProblem(NOT_TOLD_SENTENCE) };

/** What `caller` asks for, and how what comes of it is told. */
type Asking = { pending: Pending; caller: Caller; say: Say; modal: Modal };

export type AskingPorts = AskPorts & WritePorts & TimeZones & FailurePorts;

/** What somebody is found with who may approve. */
export type ApproverPorts = AccessPorts & AccountPorts;

/** `needsApproval`: REQUIRE_SECOND_APPROVER. */
export type ChoicePorts = ApproverPorts & { needsApproval: boolean };

type Chosen =
  | { kind: 'not_needed'; approver?: undefined }
  | { kind: 'named'; approver: string }
  /** The submission is answered with this, and nothing goes on. */
  | { kind: 'wrong'; answer: ViewResponseAction };

const NOT_ASKED =
  'A second administrator has to approve this since this window was opened, so nothing was changed. Open it again.';

const PICK_SOMEBODY = 'Choose the administrator who is to approve this.';

const YOURSELF = 'Choose somebody else: nobody approves their own change.';

const SAME_ACCOUNT =
  'Choose somebody else: this is you under another name. Both of you sign in to the administrative service with the same account.';

const NO_ADMIN = 'This is not an administrator of this app. Choose somebody who may use /assistant-admin.';

/** Whether a confirmed change goes to a second admin first, and to whom. Throws AdminCheckFailedError. */
export async function chooseApprover(
  { change, request }: ConfirmedChange,
  values: Parameters<typeof readApprover>[0],
  ports: ChoicePorts,
): Promise<Chosen> {
  if (!needsSecondApprover(change.plan, ports)) return { kind: 'not_needed' };
  const approver = readApprover(values);
  if (approver === 'not_asked') return { kind: 'wrong', answer: toProblem(NOT_ASKED, kindOf(change).topic) };
  const problem = await findApproverProblem(approver, request.by, ports);
  if (approver !== undefined && problem === undefined) return { kind: 'named', approver };
  const errors = { [APPROVER_FIELD]: problem ?? PICK_SOMEBODY };
  return { kind: 'wrong', answer: { response_action: 'errors', errors } };
}

/** Why somebody cannot be the second admin for `by`; undefined where they can. Throws AdminCheckFailedError. */
export async function findApproverProblem(
  approver: string | undefined,
  by: Caller,
  ports: ApproverPorts,
): Promise<string | undefined> {
  if (approver === undefined) return PICK_SOMEBODY;
  if (approver === by.user) return YOURSELF;
  try {
    await requireOtherAdmin({ by, user: approver }, ports);
  } catch (error) {
    if (error instanceof NotAdminError) return NO_ADMIN;
    throw error;
  }
  return (await isSameAccount(by, { team: by.team, user: approver }, ports)) ? SAME_ACCOUNT : undefined;
}

/** Keeps it, writes to the approver, and tells who asked. Never throws: what stopped it is told, too. */
export async function askAndTell({ pending, caller, say, modal }: Asking, ports: AskingPorts): Promise<void> {
  const lead = new Promise((resolve) => setTimeout(resolve, ACKNOWLEDGEMENT_LEAD_MS));
  try {
    const kind = await askApproval(pending, () => announce(pending, ports), ports);
    const { team, user } = caller;
    ports.log.info({ team, user, approver: pending.approver, change: pending.id, kind }, 'approval asked for');
    const content = buildAsked(pending, { timeZone: await ports.timeZone(caller) });
    if (kind === 'asked') await say(content);
    await lead;
    await modal.show(buildAskedModal(pending.planned, content));
  } catch (error) {
    const { sentence, content } = error instanceof NotToldError ? NOT_TOLD : toFailureMessage(error, ports);
    await say(content);
    await lead;
    await modal.showProblem(sentence);
  }
}

/** Slack did not take the message to the approver. */
class NotToldError extends Error {}

async function announce(pending: Pending, ports: AskingPorts): Promise<void> {
  const { team, workspace } = pending.by;
  const approver = { team, workspace, user: pending.approver };
  const timeZone = await ports.timeZone(approver);
  try {
    await ports.messenger.postDirect(approver, buildApprovalRequest(pending, { timeZone }));
  } catch (error) {
    ports.log.warn({ code: toCallCode(error), change: pending.id }, 'approver not told');
    throw new NotToldError('the approver was not told', { cause: error });
  }
}

// Two people in Slack who sign in with one account are one admin: neither is a second one for the other.
export type AccountPorts = {
  /** The account's id in the directory, of the sign-in for administration; undefined where it is not known. */
  directoryId(person: Person): Promise<string | undefined>;
};

/** Who approves has the account of who asked. */
export class SameAccountError extends Error {}

/** Whether both are known to be the same account. Who has not signed in yet is asked again when they approve. */
export async function isSameAccount(one: Person, other: Person, { directoryId }: AccountPorts): Promise<boolean> {
  const [first, second] = await Promise.all([one, other].map(({ team, user }) => directoryId({ team, user })));
  return first !== undefined && first.toLowerCase() === second?.toLowerCase();
}

/** Throws SameAccountError. */
export async function requireOtherAccount(by: Person, approver: Person, ports: AccountPorts): Promise<void> {
  if (await isSameAccount(by, approver, ports)) throw new SameAccountError('both are signed in with one account');
}
