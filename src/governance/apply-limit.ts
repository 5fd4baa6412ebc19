// Carries out a confirmed plan: record it → read again → write → read back → record how it ended.
import type { ThresholdChange } from '../admin/admin-client.ts';
import { AdminOutcomeUnknownError } from '../admin/admin-errors.ts';
import type { AdminReceipt } from '../admin/admin-trace.ts';
import { type AdminFailure, toAdminFailure } from './admin-failure.ts';
import type { ChangeOutcome, ChangeRequest, ChangeStore } from './change-store.ts';
import { type LimitSources, lookUpLimit } from './known-limit.ts';
import { hasSameValues, isSameKnownLimit, type KnownLimit } from './limit.ts';
import type { LimitPlan } from './limit-plan.ts';
import { collectRequestIds } from './request-ids.ts';

export type LimitOutcome =
  | { kind: 'verified' }
  | { kind: 'applied_not_verified'; reason: UnverifiedReason }
  /** `before_write`: nothing was written. `after_write`: written, and something else was there at once. */
  | { kind: 'conflict'; stage: 'before_write' | 'after_write'; expected: KnownLimit; found: KnownLimit }
  /** Nothing was changed. */
  | { kind: 'failed'; failure: AdminFailure }
  /** This confirmation was taken before: it runs, or has run, once. Say nothing twice. */
  | { kind: 'duplicate' };

export type UnverifiedReason =
  | 'not_offered' // the deployment does not let thresholds be read, or not by this account
  | 'read_back_failed'
  | 'not_listed' // read, but there is no threshold of this agent
  | 'stop_not_told' // all as sent, but it does not tell whether the agent is stopped
  | 'still_old' // read, and it still shows what was there before
  | 'no_answer'; // the write got no answer, and reading did not settle it

export type LimitPorts = Omit<LimitSources, 'changes'> & {
  changes: ChangeStore;
  /** With the admin's own token, as `readThresholds`. */
  putThreshold(change: ThresholdChange): Promise<AdminReceipt>;
};

/**
 * Runs once per change id. Throws only where the store fails before anything was sent, or on a bug; an outcome that
 * could not be recorded is returned all the same, and the record then counts as one that may have been written.
 */
export async function applyLimit(plan: LimitPlan, request: ChangeRequest, ports: LimitPorts): Promise<LimitOutcome> {
  const { changeId, by, reason, approvedBy } = request;
  const { environmentId, agentResourceId } = plan.agent;
  const begun = await ports.changes.begin({
    schema: 1,
    id: changeId,
    kind: 'agent_limit',
    team: by.team,
    workspace: by.workspace,
    user: by.user,
    approvedBy,
    reason,
    environmentId,
    agentResourceId,
    before: plan.before,
    after: plan.after,
    at: ports.now(),
  });
  if (begun === 'duplicate') return { kind: 'duplicate' };
  const { ids, note } = collectRequestIds();
  const outcome = await runOnce(plan, changeId, {
    ...ports,
    readThresholds: () => note(ports.readThresholds()),
    putThreshold: (change) => note(ports.putThreshold(change)),
  });
  const ended = { ...toChangeOutcome(outcome), ...(ids.length > 0 && { requestIds: ids }) };
  await ports.changes.finish(changeId, ended).catch(() => undefined);
  return outcome;
}

type EndedOutcome = Exclude<LimitOutcome, { kind: 'duplicate' }>;

async function runOnce(plan: LimitPlan, changeId: string, ports: LimitPorts): Promise<EndedOutcome> {
  let isUnanswered = false;
  try {
    const { known: found } = await lookUpLimit(plan.agent, ports, changeId);
    if (!isSameKnownLimit(plan.before, found)) {
      return { kind: 'conflict', stage: 'before_write', expected: plan.before, found };
    }
    await ports.putThreshold(plan.change);
  } catch (error) {
    isUnanswered = error instanceof AdminOutcomeUnknownError;
    const failure = toAdminFailure(error);
    if (failure === undefined) throw error;
    if (!isUnanswered) return { kind: 'failed', failure };
  }
  const outcome = await readBack(plan, changeId, ports);
  const isSettled = outcome.kind === 'verified' || outcome.kind === 'conflict';
  return isUnanswered && !isSettled ? { kind: 'applied_not_verified', reason: 'no_answer' } : outcome;
}

async function readBack(plan: LimitPlan, changeId: string, ports: LimitPorts): Promise<EndedOutcome> {
  let found: KnownLimit;
  try {
    found = (await lookUpLimit(plan.agent, ports, changeId)).known;
  } catch {
    return { kind: 'applied_not_verified', reason: 'read_back_failed' };
  }
  if (found.source === 'none') return { kind: 'applied_not_verified', reason: 'not_listed' };
  if (found.source !== 'deployment') return { kind: 'applied_not_verified', reason: 'not_offered' };
  if (hasSameValues(found.limit, plan.after)) return { kind: 'verified' };
  if (found.limit.stopped === 'unknown' && hasSameValues({ ...found.limit, stopped: plan.after.stopped }, plan.after)) {
    return { kind: 'applied_not_verified', reason: 'stop_not_told' };
  }
  if (isSameKnownLimit(found, plan.before)) return { kind: 'applied_not_verified', reason: 'still_old' };
  const expected: KnownLimit = { source: 'deployment', limit: plan.after, readAt: ports.now() };
  return { kind: 'conflict', stage: 'after_write', expected, found };
}

function toChangeOutcome(outcome: EndedOutcome): ChangeOutcome {
  switch (outcome.kind) {
    case 'verified':
      return { kind: 'verified', written: 'yes' };
    case 'applied_not_verified': {
      const { kind, reason } = outcome;
      return { kind, written: reason === 'no_answer' ? 'perhaps' : 'yes', reason };
    }
    case 'conflict':
      return {
        kind: 'conflict',
        written: outcome.stage === 'before_write' ? 'no' : 'yes',
        reason: outcome.stage,
        found: outcome.found,
      };
    case 'failed':
      return { kind: 'failed', written: 'no', reason: outcome.failure.code };
  }
}
