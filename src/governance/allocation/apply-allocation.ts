// Carries out a confirmed plan: record it → read again → write all of it → read back → record how it ended.
import { AdminOutcomeUnknownError } from '../../admin/admin-errors.ts';
import type { AdminReceipt } from '../../admin/admin-trace.ts';
import type { Allocation } from '../../admin/allocation-wire.ts';
import { type AdminFailure, toAdminFailure } from '../admin-failure.ts';
import type { ChangeOutcome, ChangeRequest } from '../change-store.ts';
import { collectRequestIds } from '../request-ids.ts';
import type { AllocationPlan } from './allocation-plan.ts';
import { type AllocationSources, settleAllocation, toAllocationKey } from './known-allocation.ts';
import { isSameAllocation } from './same-allocation.ts';
import { withCredits } from './with-credits.ts';

export type AllocationOutcome =
  | { kind: 'verified' }
  | { kind: 'applied_not_verified'; reason: UnverifiedAllocation }
  /** `before_write`: nothing was written. `after_write`: written, and something else was there at once. */
  | { kind: 'conflict'; stage: 'before_write' | 'after_write'; expected: Allocation; found: Allocation | 'none' }
  /** Nothing was changed. */
  | { kind: 'failed'; failure: AdminFailure }
  /** This confirmation was taken before: it runs, or has run, once. Say nothing twice. */
  | { kind: 'duplicate' };

type UnverifiedAllocation =
  | 'read_back_failed'
  | 'still_old' // read, and it still shows what was there before
  | 'no_answer'; // the write got no answer, and reading did not settle it

/** Nobody changes what others may spend without a reason. */
export type AllocationRequest = ChangeRequest & { reason: string };

export type AllocationPorts = AllocationSources & {
  /** With the token of the admin who confirms, as `readAllocation`. */
  updateAllocation(allocation: Allocation): Promise<AdminReceipt>;
};

/**
 * Runs once per change id, and one at a time per environment. Throws only where the store fails before anything was sent,
 * or on a bug; an outcome that could not be recorded is returned all the same, and the next look ends the record.
 */
export function applyAllocation(
  plan: AllocationPlan,
  request: AllocationRequest,
  ports: AllocationPorts,
): Promise<AllocationOutcome> {
  return ports.exclusively(toAllocationKey(plan.environmentId), () => apply(plan, request, ports));
}

async function apply(
  plan: AllocationPlan,
  request: AllocationRequest,
  ports: AllocationPorts,
): Promise<AllocationOutcome> {
  const { changes, now } = ports;
  const { changeId, by, reason, approvedBy } = request;
  const { environmentId, before, after } = plan;
  const previous = await changes.lastAllocation(environmentId);
  const begun = await changes.begin({
    schema: 1,
    id: changeId,
    kind: 'allocation',
    team: by.team,
    workspace: by.workspace,
    user: by.user,
    approvedBy,
    reason,
    environmentId,
    before,
    after,
    at: now(),
  });
  if (begun === 'duplicate') return { kind: 'duplicate' };
  const { ids, note } = collectRequestIds();
  // Nobody else is at work here: what has not ended broke off, and the look before our write shows what became of it.
  let brokenOff = previous?.outcome === undefined ? previous?.id : undefined;
  const outcome = await runOnce(plan, {
    async readAllocation(id) {
      const found = await note(ports.readAllocation(id));
      const settled = brokenOff;
      brokenOff = undefined;
      if (settled !== undefined) await settleAllocation(settled, found, changes).catch(() => undefined);
      return found;
    },
    updateAllocation: (allocation) => note(ports.updateAllocation(allocation)),
  });
  const ended = { ...toChangeOutcome(outcome), ...(ids.length > 0 && { requestIds: ids }) };
  await changes.finish(changeId, ended).catch(() => undefined);
  return outcome;
}

type EndedOutcome = Exclude<AllocationOutcome, { kind: 'duplicate' }>;

type Calls = Pick<AllocationPorts, 'readAllocation' | 'updateAllocation'>;

async function runOnce(plan: AllocationPlan, calls: Calls): Promise<EndedOutcome> {
  const { environmentId, before, wanted } = plan;
  let isUnanswered = false;
  try {
    const found = await calls.readAllocation(environmentId);
    if (found === 'none' || !isSameAllocation(found, before)) {
      return { kind: 'conflict', stage: 'before_write', expected: before, found };
    }
    // From what was just read: fields that nobody knows may have moved on, and are carried as they are now.
    await calls.updateAllocation(withCredits(found, wanted));
  } catch (error) {
    isUnanswered = error instanceof AdminOutcomeUnknownError;
    const failure = toAdminFailure(error);
    if (failure === undefined) throw error;
    if (!isUnanswered) return { kind: 'failed', failure };
  }
  const outcome = await readBack(plan, calls);
  const isSettled = outcome.kind === 'verified' || outcome.kind === 'conflict';
  return isUnanswered && !isSettled ? { kind: 'applied_not_verified', reason: 'no_answer' } : outcome;
}

async function readBack({ environmentId, before, after }: AllocationPlan, calls: Calls): Promise<EndedOutcome> {
  let found: Allocation | 'none';
  try {
    found = await calls.readAllocation(environmentId);
  } catch {
    return { kind: 'applied_not_verified', reason: 'read_back_failed' };
  }
  if (found !== 'none' && isSameAllocation(found, after)) return { kind: 'verified' };
  if (found !== 'none' && isSameAllocation(found, before)) return { kind: 'applied_not_verified', reason: 'still_old' };
  return { kind: 'conflict', stage: 'after_write', expected: after, found };
}

function toChangeOutcome(outcome: EndedOutcome): ChangeOutcome {
  switch (outcome.kind) {
    case 'verified':
      return { kind: 'verified', written: 'yes' };
    case 'applied_not_verified': {
      const { kind, reason } = outcome;
      return { kind, written: reason === 'no_answer' ? 'perhaps' : 'yes', reason };
    }
    case 'conflict': {
      const { kind, stage, found } = outcome;
      return { kind, written: stage === 'before_write' ? 'no' : 'yes', reason: stage, found };
    }
    case 'failed':
      return { kind: 'failed', written: 'no', reason: outcome.failure.code };
  }
}
