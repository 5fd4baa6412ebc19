// *Ask for approval*: where something allows more than before, and a second admin has to approve that.
import type { ViewResponseAction } from '@slack/bolt';
import type { AdminSession } from '../../admin-api/admin-session.ts';
import { compareAccounts } from '../../identity/directory-account.ts';
import type { SendFile } from '../../slack/send-file.ts';
import { toCallCode } from '../../slack/web/slack-errors.ts';
import { type ChangeStore, needsSecondApprover } from '../changes/change.ts';
import { type AccessPorts, type AccountPorts, type Admin, NotAdminError, requireOtherAdmin } from '../shell/access.ts';
import type { Caller } from '../shell/admin-rules.ts';
import { buildAdminProblem, type FailurePorts, toFailureMessage } from '../shell/failure-message.ts';
import { APPROVER_FIELD, readApprover } from '../shell/form-fields.ts';
import { orTellFailure, type Place, toProblem } from '../shell/modal.ts';
import type { TimeZones, WritePorts } from '../shell/respond.ts';
import { buildApprovalRequest, buildAsked, buildAskedModal, buildFileComment } from './approval-views.ts';
import { kindOf } from './change-kinds.ts';
import { type AskPorts, askApproval, type Pending } from './pending-change.ts';
import type { ConfirmedChange } from './slack-confirmed-change.ts';

/** What somebody is found with who may approve. */
export type ApproverPorts = AccessPorts & AccountPorts;

/** `needsApproval`: REQUIRE_SECOND_APPROVER. */
export type ChoicePorts = ApproverPorts & { needsApproval: boolean };

type Chosen =
  | { kind: 'not_needed'; approver?: undefined }
  | { kind: 'named'; approver: string }
  /** The submission is answered with this, and nothing goes on. */
  | { kind: 'wrong'; answer: ViewResponseAction };

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
  return findAccountProblem(approver, by, ports);
}

/** Who never signed in may be chosen: the accounts are compared when they approve. */
async function findAccountProblem(
  approver: string,
  { team, user }: Caller,
  { adminAccount }: AccountPorts,
): Promise<string | undefined> {
  const [own, other] = await Promise.all([user, approver].map((one) => adminAccount({ team, user: one })));
  if (own?.account === undefined) return OWN_UNKNOWN;
  const accounts = compareAccounts(own.account, other?.account);
  if (accounts === 'same') return SAME_ACCOUNT;
  return accounts === 'unknown' && other?.isSignedIn ? OTHER_UNKNOWN : undefined;
}

/** What is asked for, and where whoever asks hears of it. */
type Asking = Pick<Place, 'say' | 'modal'> &
  Pick<Admin, 'openSession'> & {
    asked: Pending;
    /** All of it, where the message shows a part. */
    file?: { name: string; content: string };
  };

export type AskingPorts = AskPorts &
  AccountPorts &
  WritePorts &
  TimeZones &
  FailurePorts & { changes: ChangeStore; sendFile: SendFile };

/** Keeps it, writes to the approver, and tells who asked. Never throws: what stopped it is told, too. */
export function askAndTell(asking: Asking, ports: AskingPorts): Promise<void> {
  const { asked, file, say, modal } = asking;
  const { id: change, by, approver, planned } = asked;
  const work = async () => {
    const { pending, isApproverSignedIn } = await withAccount(asking, ports);
    const kind = await askApproval(pending, () => announce(pending, file, ports), ports);
    ports.log.info({ team: by.team, user: by.user, approver, change, kind }, 'approval asked for');
    const content = buildAsked(pending, { timeZone: await ports.timeZone(by), isApproverSignedIn });
    if (kind === 'asked') await say(content);
    await modal.show(buildAskedModal(planned, content));
  };
  const toMessage = (error: unknown) =>
    error instanceof NotAskedError ? toNotAsked(error.sentence) : toFailureMessage(error, ports);
  return orTellFailure(work, { say, modal }, toMessage);
}

/** The account is stored: by the time of the approval, the requester may be signed in with another one, or not at all. */
async function withAccount(
  { asked, openSession }: Asking,
  ports: AskingPorts,
): Promise<{ pending: Pending; isApproverSignedIn: boolean }> {
  const { by, approver } = asked;
  const find = (user: string) => ports.adminAccount({ team: by.team, user });
  const account = (await find(by.user))?.account;
  if (account === undefined) throw new NotAskedError(OWN_UNKNOWN);
  // Else somebody could ask with an account without rights, and approve with their administrator's account.
  await requireRights(asked, await openSession(), ports);
  const [own, other] = await Promise.all([by.user, approver].map(find));
  if (own?.account !== account) throw new NotAskedError(ACCOUNT_CHANGED);
  return { pending: { ...asked, account }, isApproverSignedIn: other?.isSignedIn === true };
}

/** Throws the refusal of the service where they may not look at what is asked for, and where it is down. */
export async function requireRights(
  asked: Pick<Pending, 'planned'>,
  session: AdminSession,
  ports: Pick<AskingPorts, 'changes' | 'now'>,
): Promise<void> {
  const { planned } = asked;
  if (planned.kind === 'decision') return void (await session.readAllocation(planned.record.environmentId));
  const change = planned.kind === 'bulk' ? planned.first : planned;
  if (change.kind === 'classification') return void (await session.readAllocation(change.environmentId));
  await kindOf(change).lookUp(change.plan, { ...ports, session });
}

const NOT_ASKED =
  'A second administrator has to approve this since this window was opened, so nothing was changed. Open it again.';

const PICK_SOMEBODY = 'Choose the administrator who is to approve this.';

const YOURSELF = 'Choose somebody else: nobody approves their own change.';

const SAME_ACCOUNT =
  'Choose somebody else: this is you under another name. Both of you sign in to the administrative service with the same account.';

const OWN_UNKNOWN =
  'This app does not know which account you are signed in with, so it cannot tell you from an approver. Sign in again with /assistant-admin sign-in, and then ask again.';

const ACCOUNT_CHANGED = 'You signed in with another account meanwhile, so nothing was asked for. Ask again.';

const OTHER_UNKNOWN =
  'This app does not know which account they are signed in with. Ask them to sign in again with /assistant-admin sign-in, or choose somebody else.';

const NO_ADMIN = 'This is not an administrator of this app. Choose somebody who may use /assistant-admin.';

const NOT_TOLD =
  'Slack did not take my message to the approver, so nothing was asked for and nothing was changed. Try again, or choose somebody else.';

/** Nothing was asked for. `sentence`: why, in plain text. */
class NotAskedError extends Error {
  readonly sentence: string;

  constructor(sentence: string, options?: ErrorOptions) {
    super('nothing was asked for', options);
    this.sentence = sentence;
  }
}

function toNotAsked(sentence: string) {
  return { sentence, content: buildAdminProblem(sentence) };
}

async function announce(pending: Pending, file: Asking['file'], ports: AskingPorts): Promise<void> {
  const { team, workspace } = pending.by;
  const approver = { team, workspace, user: pending.approver };
  const timeZone = await ports.timeZone(approver);
  // First, so that the request can say whether it is there.
  const isFileSent = file && (await trySendFile(approver, { ...file, comment: buildFileComment(pending) }, ports));
  try {
    await ports.messenger.postDirect(approver, buildApprovalRequest(pending, { timeZone, isFileSent }));
  } catch (error) {
    ports.log.warn({ code: toCallCode(error), change: pending.id }, 'approver not told');
    throw new NotAskedError(NOT_TOLD, { cause: error });
  }
}

async function trySendFile(...[approver, file, { sendFile, log }]: [...Parameters<SendFile>, AskingPorts]) {
  try {
    await sendFile(approver, file);
    return true;
  } catch (error) {
    log.warn({ code: toCallCode(error) }, 'approver got no file');
    return false;
  }
}
