// Carries out a confirmed plan: record it → read again → write all of it → read back → record how it ended.
import { AdminOutcomeUnknownError } from '../../admin-api/admin-errors.ts';
import type { AdminSession } from '../../admin-api/admin-session.ts';
import type { Allocation } from '../../admin-api/licensing-wire.ts';
import { type CarryingOut, type ConflictStage, carryOutOnce, OVERTAKEN } from '../changes/carry-out-once.ts';
import type { ChangeRequest } from '../changes/change.ts';
import { type AdminFailure, toAdminFailure } from '../shell/admin-failure.ts';
import {
  type AllocationSources,
  isSameAllocation,
  settleAllocation,
  toAllocationKey,
  withCredits,
} from './allocation.ts';
import type { AllocationPlan } from './allocation-plan.ts';

export type AllocationOutcome =
  | { kind: 'verified' }
  | { kind: 'applied_not_verified'; reason: UnverifiedAllocation }
  | { kind: 'conflict'; stage: ConflictStage; expected: Allocation; found: Allocation | 'none' }
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
  /** Of the admin who confirms. */
  session: Pick<AdminSession, 'readAllocation' | 'updateAllocation'>;
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
  const { session, changes, now } = ports;
  const { changeId, by, reason, approvedBy } = request;
  const { environmentId, before, after } = plan;
  const previous = await changes.lastAllocation(environmentId);
  return carryOutOnce<EndedOutcome>(
    {
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
    },
    ({ note, claimWrite }) =>
      runOnce(plan, {
        ...ports,
        session: {
          readAllocation: (id) => note(session.readAllocation(id)),
          updateAllocation: (allocation) => note(session.updateAllocation(allocation)),
        },
        claimWrite,
        // Nobody else is at work here: what has not ended broke off.
        brokenOff: previous?.outcome === undefined ? previous?.id : undefined,
      }),
    changes,
  );
}

type EndedOutcome = Exclude<AllocationOutcome, { kind: 'duplicate' }>;

type Run = AllocationPorts & Pick<CarryingOut, 'claimWrite'> & { brokenOff: string | undefined };

async function runOnce(plan: AllocationPlan, run: Run): Promise<EndedOutcome> {
  const { environmentId, before, wanted } = plan;
  try {
    const found = await run.session.readAllocation(environmentId);
    // By what is there before our own write: after it, nothing tells any more.
    if (run.brokenOff !== undefined) await settleAllocation(run.brokenOff, found, run).catch(() => undefined);
    if (found === 'none' || !isSameAllocation(found, before)) {
      return { kind: 'conflict', stage: 'before_write', expected: before, found };
    }
    if (!(await run.claimWrite())) return { kind: 'failed', failure: OVERTAKEN };
    // From what was just read: fields that nobody knows may have moved on, and are carried as they are now.
    await run.session.updateAllocation(withCredits(found, wanted));
  } catch (error) {
    if (error instanceof AdminOutcomeUnknownError) return toUnanswered(await readBack(plan, run));
    const failure = toAdminFailure(error);
    if (failure === undefined) throw error;
    return { kind: 'failed', failure };
  }
  return readBack(plan, run);
}

/** What was read after a write that got no answer settles it, or does not. */
function toUnanswered(outcome: EndedOutcome): EndedOutcome {
  if (outcome.kind === 'conflict') return { ...outcome, stage: 'unanswered' };
  return outcome.kind === 'verified' ? outcome : { kind: 'applied_not_verified', reason: 'no_answer' };
}

async function readBack({ environmentId, before, after }: AllocationPlan, run: Run): Promise<EndedOutcome> {
  let found: Allocation | 'none';
  try {
    found = await run.session.readAllocation(environmentId);
  } catch {
    return { kind: 'applied_not_verified', reason: 'read_back_failed' };
  }
  if (found !== 'none' && isSameAllocation(found, after)) return { kind: 'verified' };
  if (found !== 'none' && isSameAllocation(found, before)) return { kind: 'applied_not_verified', reason: 'still_old' };
  return { kind: 'conflict', stage: 'after_write', expected: after, found };
}
