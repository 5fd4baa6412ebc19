// *Ask for approval*: stores the plan, writes to the second administrator, and tells the requester.
import type { AuditEntry } from '../../audit/audit-log.ts';
import { endOf, isOver } from '../../policy/policy.ts';
import { toCallCode } from '../../slack/web/slack-errors.ts';
import { renderCsv, toFileName } from '../exports/sheet.ts';
import type { Plan } from '../plan/plan.ts';
import type { AskApproval } from '../run/create-engine.ts';
import { OWN_UNKNOWN } from '../run/decision-form.ts';
import { type NameTarget, readTargetNames } from '../run/item-words.ts';
import { toPlanParts } from '../run/run-log.ts';
import { buildPlanSheet } from '../run/run-sheet.ts';
import type { GovernanceServices } from '../services.ts';
import { SentenceError } from '../shell/admin-failure.ts';
import { requireReadable } from './approval-rights.ts';
import type { Approval } from './approval-store.ts';
import { buildApprovalRequest, buildAsked, buildAskedModal, buildFileComment } from './approval-views.ts';

/** How long a request is open, at most. */
const OPEN_MS = 24 * 60 * 60 * 1000;

const ACCOUNT_CHANGED = 'You signed in with another account meanwhile, so nothing was asked for. Ask again.';

const NOT_SAID =
  'Slack did not confirm my message to the approver, so the request was withdrawn, and nothing was changed. Try again, or choose somebody else.';

const NO_FILE =
  'This is too much for one message, and Slack did not take the file with all of it. So nobody was asked, and nothing was changed. Ask for fewer changes at once; or have whoever runs this app check that it may send files.';

/** Asks once per plan, also after a double click. Throws a SentenceError or StoreUnavailableError if nobody was asked. */
export function createAskApproval(services: GovernanceServices): AskApproval {
  return async ({ plan, warnings }, { caller: by, approver, reason, replyTo, say, show }) => {
    const { account, isApproverSignedIn } = await readAccounts({ plan, by, approver }, services);
    const askedAt = services.now();
    const times = { askedAt, expiresAt: findEnd(plan, askedAt) };
    const approval: Approval = {
      ...{ id: plan.id, plan, warnings, by, account, approver, reason, replyTo, ...times, state: 'asking' },
    };
    const name = await readTargetNames(services, Infinity);
    const isAsked = await services.exclusively(`approval:${plan.id}`, () => ask(approval, name, services));
    const timeZone = await services.timeZone(by);
    const content = buildAsked(approval, { timeZone, name, isApproverSignedIn });
    if (isAsked) await say(content);
    await show?.(buildAskedModal(content));
  };
}

/** A value whose last day is over must not be sent any more. */
function findEnd({ edits }: Plan, askedAt: number): number {
  const days = edits.map(({ change }) => (change.kind === 'set' ? change.until : change.entry?.exception?.until));
  const ends = days.map((day) => (day === undefined || isOver(day, askedAt) ? Number.POSITIVE_INFINITY : endOf(day)));
  return Math.min(askedAt + OPEN_MS, ...ends);
}

type Asking = Pick<Approval, 'plan' | 'by' | 'approver'>;

/** The account is stored: by the time of the approval, the requester may be signed in with another one, or not at all. */
async function readAccounts({ plan, by, approver }: Asking, services: GovernanceServices) {
  const find = (user: string) => services.adminAccount({ team: by.team, user });
  const account = (await find(by.user))?.account;
  if (account === undefined) throw new SentenceError('not_asked', OWN_UNKNOWN);
  await requireReadable(plan, await services.openSession(by), services);
  const [own, other] = await Promise.all([by.user, approver].map(find));
  if (own?.account !== account) throw new SentenceError('not_asked', ACCOUNT_CHANGED);
  return { account, isApproverSignedIn: other?.isSignedIn === true };
}

/** False: it was asked for before. If the approver cannot get the message, the request is withdrawn. */
async function ask(approval: Approval, name: NameTarget, services: GovernanceServices): Promise<boolean> {
  const { approvals, audit, log, now } = services;
  const { id, by, approver } = approval;
  if (!(await approvals.add(approval))) return false;
  await audit.append(toApprovalEntry(approval, { what: 'approval_requested', outcome: { kind: 'done' }, at: now() }));
  try {
    await announce(approval, name, services);
  } catch (error) {
    await approvals.change(id, (one) => ({ ...one, state: 'withdrawn', decidedAt: now() }));
    const outcome = { kind: 'failed', reason: 'approver_not_told' } as const;
    await audit.append(toApprovalEntry(approval, { what: 'approval_requested', outcome, at: now() }));
    throw error;
  }
  // The approver has the message. If this cannot be stored, a second click sends it once more.
  await approvals.change(id, (one) => ({ ...one, state: 'asked' })).catch(() => undefined);
  log.info({ team: by.team, user: by.user, approver, plan: id }, 'approval asked for');
  return true;
}

async function announce(approval: Approval, name: NameTarget, services: GovernanceServices): Promise<void> {
  const { team, workspace } = approval.by;
  const approver = { team, workspace, user: approval.approver };
  const timeZone = await services.timeZone(approver);
  const { isWhole } = buildApprovalRequest(approval, { timeZone, name, isInFile: false });
  // First: nobody approves what they were not shown.
  if (!isWhole) await sendFile(approval, services);
  const { content } = buildApprovalRequest(approval, { timeZone, name, isInFile: !isWhole });
  try {
    await services.messenger.postDirect(approver, content);
  } catch (error) {
    services.log.warn({ code: toCallCode(error), plan: approval.id }, 'approver not written to');
    throw new SentenceError('not_asked', NOT_SAID, { cause: error });
  }
}

async function sendFile(approval: Approval, services: GovernanceServices): Promise<void> {
  const { by, approver } = approval;
  const sheet = buildPlanSheet(approval);
  const file = { name: toFileName(sheet), content: await renderCsv(sheet), comment: buildFileComment(approval) };
  try {
    await services.sendFile({ workspace: by.workspace, user: approver }, file);
  } catch (error) {
    services.log.warn({ code: toCallCode(error), plan: approval.id }, 'approver got no file');
    throw new SentenceError('not_asked', NO_FILE, { cause: error });
  }
}

type Step = Pick<AuditEntry, 'what' | 'outcome' | 'at'> & { approverAccount?: string | undefined };

/** The log entry for a step of an approval. The approval itself is in the entries of its run. */
export function toApprovalEntry(
  { id, by, account, approver, reason, plan }: Approval,
  { approverAccount, ...step }: Step,
): AuditEntry {
  const { subject, ...states } = toPlanParts({ plan });
  return {
    ...{ schema: 1, ...step, policy: plan.policy, reason, requestIds: [], ...states },
    who: { user: by.user, account, approver, approverAccount },
    ...{ team: by.team, workspace: by.workspace, subject: { ...subject, planId: id } },
  };
}
