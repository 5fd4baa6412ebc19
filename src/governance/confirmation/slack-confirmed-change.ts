// Carries out a change that was confirmed, in the name of one admin, and tells how it ended.
import type { AdminSession } from '../../admin-api/admin-session.ts';
import { compareAccounts } from '../../identity/directory-account.ts';
import type { Log } from '../../log.ts';
import type { Content } from '../../slack/views/content.ts';
import type { WithLock } from '../../with-lock.ts';
import { applyChange } from '../changes/apply-change.ts';
import type { AppliedOutcome } from '../changes/carry-out-once.ts';
import { type ChangeRequest, type ChangeStore, needsSecondApprover } from '../changes/change.ts';
import type { PlannedChange } from '../changes/change-kind.ts';
import { buildChangeOutcome, buildOutcomeModal, buildRepeatedOutcome, listWarnings } from '../changes/change-views.ts';
import type { AccountPorts, Admin } from '../shell/access.ts';
import { fitsIntoSection } from '../shell/blocks.ts';
import { type FailurePorts, toFailureMessage } from '../shell/failure-message.ts';
import { orTellFailure, type Place } from '../shell/modal.ts';
import type { TimeZones } from '../shell/respond.ts';
import { isShownToApprover } from './approval-views.ts';
import { describeChanged, kindOf } from './change-kinds.ts';

/** Nobody changes anything without a reason. */
export type ConfirmedChange = { change: PlannedChange; request: ChangeRequest & { reason: string } };

/** Who carries it out in their own name, and where they hear of it. */
type Applying = Admin & Place;

export type CarryOutPorts = AccountPorts & {
  changes: ChangeStore;
  /** One at a time per key, across replicas. */
  exclusively: WithLock;
  /** REQUIRE_SECOND_APPROVER. */
  needsApproval: boolean;
  now: () => number;
  log: Log;
};

export type ApplyPorts = CarryOutPorts & FailurePorts & TimeZones;

/** Never throws: what stopped it is told, too. */
export function applyAndTell(
  confirmed: ConfirmedChange,
  { caller, openSession, say, modal, lead }: Applying,
  ports: ApplyPorts,
): Promise<void> {
  const { topic } = kindOf(confirmed.change);
  const work = async () => {
    const session = await openSession();
    const [ended, timeZone] = await Promise.all([carryOut(confirmed, session, ports), ports.timeZone(caller)]);
    if (ended.outcome.kind === 'duplicate') {
      // Looked up as late as can be: the first click shows its outcome in the same modal.
      await lead;
      return modal.show(buildOutcomeModal(topic, await tellRepeated(confirmed, ports)));
    }
    const content = ended.tell({ timeZone });
    await say(content);
    await modal.show(buildOutcomeModal(topic, content));
  };
  return orTellFailure(work, { say, modal }, (error) => toFailureMessage(error, ports));
}

/** How it ended, and what is said of it. */
export type EndedChange = { outcome: AppliedOutcome; tell(options: { timeZone: string }): Content };

/**
 * Once per change id. Throws only where the store fails before anything was sent, or on a bug: such as what a second
 * admin has to approve, and none has.
 */
export async function carryOut(
  confirmed: ConfirmedChange,
  session: AdminSession,
  ports: CarryOutPorts,
): Promise<EndedChange> {
  if (needsSecondApprover(confirmed.change.plan, ports) && !isApproved(confirmed.request)) {
    throw new Error('a change that loosens something was approved by nobody else');
  }
  const { changes, exclusively, now } = ports;
  const { change } = confirmed;
  const request = await withAccount(confirmed.request, ports);
  const kind = kindOf(change);
  const outcome = await applyChange(kind, change.plan, request, { session, changes, exclusively, now });
  const { changeId, by } = request;
  const fields = { team: by.team, user: by.user, change: changeId, kind: change.kind };
  ports.log.info({ ...fields, outcome: outcome.kind, reason: readReason(outcome) }, 'change ended');
  return { outcome, tell: (options) => buildChangeOutcome(kind, change, outcome, options) };
}

function isApproved({ approvedBy, account, approverAccount }: ChangeRequest): boolean {
  return approvedBy !== undefined && compareAccounts(account, approverAccount) === 'different';
}

/** Of who asks: what waited for an approval has the one that it was asked with. */
async function withAccount(request: ChangeRequest, { adminAccount }: AccountPorts): Promise<ChangeRequest> {
  const { team, user } = request.by;
  if (request.approvedBy !== undefined) return request;
  return { ...request, account: (await adminAccount({ team, user }))?.account };
}

/** Plain text. */
export const TOO_MUCH_CHANGES =
  'So much would change at once that it cannot be shown whole, and nobody should confirm what they have not seen. Nothing was changed. Change it in parts with `/assistant-admin allocation`, or in the admin console.';

/** Whether all that changes, and all that it would break, is shown where it is confirmed or approved. */
export function isConfirmable(change: PlannedChange): boolean {
  const { plan } = change;
  if (!fitsIntoSection(listWarnings(plan))) return false;
  return isShownToApprover(change) && kindOf(change).isListedWhole(plan);
}

/** A second click: whichever of the two is shown last says the same. */
async function tellRepeated({ change, request }: ConfirmedChange, { changes }: CarryOutPorts): Promise<Content> {
  const record = await changes.get(request.changeId);
  return buildRepeatedOutcome(describeChanged(change), record?.outcome?.kind);
}

function readReason(outcome: AppliedOutcome): string | undefined {
  if (outcome.kind === 'failed') return outcome.failure.code;
  if (outcome.kind === 'conflict') return outcome.stage;
  return outcome.kind === 'applied_not_verified' ? outcome.reason : undefined;
}
