// Carries out a change that was confirmed, in the name of one admin, and tells how it ended.
import type { AdminSession } from '../../admin-api/admin-session.ts';
import type { Log } from '../../log.ts';
import type { Content } from '../../slack/views/content.ts';
import type { WithLock } from '../../with-lock.ts';
import { applyChange } from '../changes/apply-change.ts';
import type { AppliedOutcome } from '../changes/carry-out-once.ts';
import { type ChangeRequest, type ChangeStore, needsSecondApprover } from '../changes/change.ts';
import type { PlannedChange } from '../changes/change-kind.ts';
import { buildOutcomeModal, buildRepeatedOutcome } from '../changes/change-views.ts';
import type { Admin } from '../shell/access.ts';
import { fitsIntoSection } from '../shell/blocks.ts';
import { type FailurePorts, toFailureMessage } from '../shell/failure-message.ts';
import type { Modal } from '../shell/modal.ts';
import type { Say, TimeZones } from '../shell/respond.ts';
import { isShownToApprover } from './approval-views.ts';
import { describeChanged, kindOf } from './change-kinds.ts';

/** `request.by`: who asked for it; `request.approvedBy`: the second admin, where one was needed. Nobody changes anything without a reason. */
export type ConfirmedChange = { change: PlannedChange; request: ChangeRequest & { reason: string } };

/** Who carries it out in their own name, and where they hear of it. */
type Applying = Admin & { say: Say; modal: Modal };

export type CarryOutPorts = {
  changes: ChangeStore;
  /** One at a time per key, across replicas. */
  exclusively: WithLock;
  /** REQUIRE_SECOND_APPROVER. */
  needsApproval: boolean;
  now: () => number;
  log: Log;
};

export type ApplyPorts = CarryOutPorts & FailurePorts & TimeZones;

/**
 * Slack puts up *Applying…* when it gets the acknowledgement: an outcome that overtook it would be covered for good.
 * A write takes longer than this by itself; a refusal may not.
 */
export const ACKNOWLEDGEMENT_LEAD_MS = 300;

/** To be started with the acknowledgement. Never throws: what stopped it is told, too. */
export async function applyAndTell(
  confirmed: ConfirmedChange,
  { caller, openSession, say, modal }: Applying,
  ports: ApplyPorts,
): Promise<void> {
  const lead = new Promise((resolve) => setTimeout(resolve, ACKNOWLEDGEMENT_LEAD_MS));
  try {
    const session = await openSession();
    const [ended, timeZone] = await Promise.all([carryOut(confirmed, session, ports), ports.timeZone(caller)]);
    const content = ended.tell({ timeZone });
    const isRepeated = ended.outcome.kind === 'duplicate';
    if (!isRepeated) await say(content);
    await lead;
    const shown = isRepeated ? await tellRepeated(confirmed, ports) : content;
    await modal.show(buildOutcomeModal(kindOf(confirmed.change).topic, shown));
  } catch (error) {
    const { sentence, content } = toFailureMessage(error, ports);
    await say(content);
    await lead;
    await modal.showProblem(sentence);
  }
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
  if (needsSecondApprover(confirmed.change.plan, ports) && confirmed.request.approvedBy === undefined) {
    throw new Error('a change that loosens something was approved by nobody');
  }
  const { changes, exclusively, now } = ports;
  const { change, request } = confirmed;
  const kind = kindOf(change);
  const outcome = await applyChange(kind, change.plan, request, { session, changes, exclusively, now });
  const { changeId, by } = request;
  const fields = { team: by.team, user: by.user, change: changeId, kind: change.kind };
  ports.log.info({ ...fields, outcome: outcome.kind, reason: readReason(outcome) }, 'change ended');
  return { outcome, tell: (options) => kind.buildOutcome(change, outcome, options) };
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

/** Plain text. */
export const TOO_MUCH_CHANGES =
  'So much would change at once that it cannot be shown whole, and nobody should confirm what they have not seen. Nothing was changed. Change it in parts with `/assistant-admin allocation`, or in the admin console.';

/** Whether all that changes, and all that it would break, is shown where it is confirmed or approved. */
export function isConfirmable(change: PlannedChange): boolean {
  const { plan } = change;
  if (!fitsIntoSection([...new Set(plan.warnings.map(({ text }) => `:warning: ${text}`))])) return false;
  return isShownToApprover(change) && kindOf(change).isListedWhole(plan);
}
