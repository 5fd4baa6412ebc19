import type { WithLock } from '../../with-lock.ts';
import type { AuditEntry } from '../audit/audit-entry.ts';
import type { AuditStore } from '../audit/audit-store.ts';
import type { Pending } from '../confirmation/pending-change.ts';
import { toApprovalEntry } from './approval-entry.ts';
import { type ApprovalStore, readState, toApprovalKey, writeState } from './approval-state.ts';

export type AskPorts = {
  approvals: ApprovalStore;
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
