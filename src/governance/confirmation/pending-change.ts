// What one admin asked for and another has to approve, as it is kept between the two.
import type { ExpiringStore } from '../../identity/account-link.ts';
import type { WithLock } from '../../with-lock.ts';
import type { AuditEntry, AuditStore } from '../audit/audit-log.ts';
import { toDecided } from '../audit/decision-entries.ts';
import type { PlannedChange } from '../changes/change-kind.ts';
import type { PlannedDecision } from '../review/reviewed-finding.ts';
import type { Caller } from '../shell/admin-rules.ts';
import { kindOf } from './change-kinds.ts';

type Asked<Planned> = {
  schema: 1;
  /** The id of the change or decision, too: approved twice it is carried out once. */
  id: string;
  /** Who asked for it. */
  by: Caller;
  /** The account of the directory that they were signed in with then: see AccountLink. */
  account?: string;
  /** The Slack user id of the admin who is to decide. */
  approver: string;
  /** In the words of who asked for it. */
  reason: string;
  planned: Planned;
  /** Epoch ms. */
  askedAt: number;
  expiresAt: number;
};

export type PendingChange = Asked<PlannedChange>;
export type PendingDecision = Asked<PlannedDecision>;
export type PendingBulk = Asked<PlannedBulk>;
export type Pending = PendingChange | PendingDecision | PendingBulk;

/** Many changes at once, which are kept elsewhere under the id of the request. */
export type PlannedBulk = {
  kind: 'bulk';
  /** How many changes. */
  total: number;
  /** What the approver is shown: mrkdwn. */
  lines: readonly string[];
  /** Over all of the changes. */
  digest: string;
  /** One of them, which whoever asks and whoever approves have to be able to look at. */
  first: PlannedChange | { kind: 'classification'; environmentId: string };
};

export function isDecision(pending: Pending): pending is PendingDecision {
  return pending.planned.kind === 'decision';
}

export function isBulk(pending: Pending): pending is PendingBulk {
  return pending.planned.kind === 'bulk';
}

export function toPending<Planned>(
  request: Pick<Asked<Planned>, 'id' | 'by' | 'account' | 'approver' | 'reason' | 'planned'>,
  now: number,
): Asked<Planned> {
  return { schema: 1, ...request, askedAt: now, expiresAt: now + OPEN_MS };
}

export type AskPorts = {
  approvals: ExpiringStore;
  audit: Pick<AuditStore, 'append'>;
  exclusively: WithLock;
  now: () => number;
};

/**
 * Keeps what is asked for, and has the approver told of it (`announce`), once per id: a double click asks once. Where this
 * app broke off before they were told, the same may be asked again. Where they could not be told the request is withdrawn,
 * and what `announce` threw is thrown. Also throws StoreUnavailableError: then nobody was told.
 */
export function askApproval(
  pending: Pending,
  announce: () => Promise<void>,
  { approvals, audit, exclusively, now }: AskPorts,
): Promise<'asked' | 'duplicate'> {
  const { id, askedAt, expiresAt } = pending;
  const append = (outcome: AuditEntry['outcome']) =>
    audit.append(toApprovalEntry(pending, { what: 'approval_requested', outcome, at: now() }));

  return exclusively(toApprovalKey(id), async () => {
    const state = await readState(approvals, id);
    if (state !== undefined && state.kind !== 'asking') return 'duplicate';
    await append({ kind: 'done' });
    await approvals.put(toApprovalKey(id), JSON.stringify(pending), expiresAt);
    await writeState(approvals, id, { kind: 'asking', at: askedAt, expiresAt });
    try {
      await announce();
    } catch (error) {
      await approvals.take(toApprovalKey(id));
      await writeState(approvals, id, { kind: 'withdrawn', at: now(), expiresAt });
      await append({ kind: 'failed', reason: 'approver_not_told' });
      throw error;
    }
    // They are told: where this cannot be noted, a second click tells them once more, and it is carried out once.
    await writeState(approvals, id, { kind: 'asked', at: askedAt, expiresAt }).catch(() => undefined);
    return 'asked';
  });
}

/**
 * What became of a request, kept for longer than the request: whoever presses an old button is told.
 * `asking`: kept, and the approver not known to be told of it yet. `withdrawn`: they could not be told of it. Epoch ms.
 */
export type ApprovalState = {
  kind: 'asking' | 'asked' | 'approved' | 'rejected' | 'withdrawn';
  at: number;
  expiresAt: number;
  /** Of a rejection: why, in the approver's own words. */
  reason?: string | undefined;
};

export function toApprovalKey(id: string): string {
  return `approval:${id}`;
}

export async function writeState(store: ExpiringStore, id: string, state: ApprovalState): Promise<void> {
  await store.put(`${toApprovalKey(id)}:state`, JSON.stringify(state), state.expiresAt + REMEMBERED_MS);
}

export async function readState(store: ExpiringStore, id: string): Promise<ApprovalState | undefined> {
  const text = await store.peek(`${toApprovalKey(id)}:state`);
  return text === undefined ? undefined : (JSON.parse(text) as ApprovalState);
}

/** A step of an approval in the audit log. That it was approved stands in the entries of the change or decision itself. */
export function toApprovalEntry(
  { id, by, account, approver, reason, planned }: Pending,
  { at, what, outcome, approverAccount }: Step,
): AuditEntry {
  const { subject, ...values } = toPlanned(planned);
  return {
    schema: 1,
    at,
    what,
    who: { user: by.user, account, approver, approverAccount },
    team: by.team,
    workspace: by.workspace,
    subject: { ...subject, changeId: id },
    ...values,
    reason,
    outcome,
    requestIds: [],
  };
}

/** Long enough for another time zone and a night; by then the plan has to be made again. */
const OPEN_MS = 24 * 60 * 60 * 1000;

/** Buttons stay in messages for ever; about requests that are older nothing is said but that they are over. */
const REMEMBERED_MS = 7 * 24 * 60 * 60 * 1000;

type Step = Pick<AuditEntry, 'outcome' | 'at'> & {
  what: 'approval_requested' | 'approval_refused';
  /** Of who decides. */
  approverAccount?: string | undefined;
};

function toPlanned(planned: Pending['planned']): Pick<AuditEntry, 'subject' | 'before' | 'after'> {
  if (planned.kind === 'decision') {
    const { record } = planned;
    const agentResourceId = record.kind === 'classification' ? undefined : record.agentResourceId;
    return { subject: { environmentId: record.environmentId, agentResourceId }, after: toDecided(record) };
  }
  if (planned.kind === 'bulk') return { subject: {}, after: { changes: planned.total, digest: planned.digest } };
  const subject = kindOf(planned).toSubject(planned.plan);
  const { environmentId, before, after } = subject;
  const { agentResourceId, currencyType } =
    subject.kind === 'agent_limit' ? subject : { agentResourceId: undefined, currencyType: undefined };
  return { subject: { environmentId, agentResourceId, currencyType }, before, after };
}
