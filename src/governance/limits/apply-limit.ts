// Carries out a confirmed plan: record it → read again → write → read back → record how it ended.
import { AdminOutcomeUnknownError } from '../../admin-api/admin-errors.ts';
import type { AdminSession } from '../../admin-api/admin-session.ts';
import type { WithLock } from '../../with-lock.ts';
import { type CarryingOut, type ConflictStage, carryOutOnce, OVERTAKEN } from '../changes/carry-out-once.ts';
import type { ChangeRequest, ChangeStore } from '../changes/change.ts';
import { type GovernedAgent, hasSameValues, isSameKnownLimit, type KnownLimit } from '../inventory/agent-limit.ts';
import { type AdminFailure, toAdminFailure } from '../shell/admin-failure.ts';
import { endBrokenOff, lookUpLimit } from './known-limit.ts';
import type { LimitPlan } from './limit-plan.ts';

export type LimitOutcome =
  | { kind: 'verified' }
  | { kind: 'applied_not_verified'; reason: UnverifiedReason }
  | { kind: 'conflict'; stage: ConflictStage; expected: KnownLimit; found: KnownLimit }
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

export type LimitPorts = {
  /** Of the admin who confirms. */
  session: Pick<AdminSession, 'readThresholds' | 'putThreshold'>;
  changes: ChangeStore;
  exclusively: WithLock;
  now: () => number;
};

/**
 * Runs once per change id, and one at a time per agent. Throws only where the store fails before anything was sent, or on
 * a bug; an outcome that could not be recorded is returned all the same, and the next look ends the record.
 */
export function applyLimit(plan: LimitPlan, request: ChangeRequest, ports: LimitPorts): Promise<LimitOutcome> {
  return ports.exclusively(toLimitKey(plan.agent), () => apply(plan, request, ports));
}

/** By the id of the inventory: the other one is told in one look, and may not be in the next. */
function toLimitKey({ environmentId, name }: GovernedAgent): string {
  return `limit:${environmentId}|${name}`.toLowerCase();
}

async function apply(plan: LimitPlan, request: ChangeRequest, ports: LimitPorts): Promise<LimitOutcome> {
  const { session, changes, now } = ports;
  const { changeId, by, reason, approvedBy } = request;
  const { environmentId, agentResourceId } = plan.agent;
  const previous = await changes.lastSet(environmentId, agentResourceId);
  return carryOutOnce<EndedOutcome>(
    {
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
      at: now(),
    },
    ({ note, claimWrite }) =>
      runOnce(plan, {
        ...ports,
        session: {
          readThresholds: () => note(session.readThresholds()),
          putThreshold: (change) => note(session.putThreshold(change)),
        },
        claimWrite,
        changeId,
        // Nobody else is at work here: what has not ended broke off.
        brokenOff: previous?.outcome === undefined ? previous?.id : undefined,
      }),
    changes,
  );
}

type EndedOutcome = Exclude<LimitOutcome, { kind: 'duplicate' }>;

type Run = LimitPorts & Pick<CarryingOut, 'claimWrite'> & { changeId: string; brokenOff: string | undefined };

async function runOnce(plan: LimitPlan, run: Run): Promise<EndedOutcome> {
  const { agent, before } = plan;
  const { changeId, brokenOff } = run;
  try {
    const { known: found } = await lookUpLimit(agent, run, { exceptId: changeId, planned: before });
    // By what is there before our own write: after it, nothing tells any more.
    if (brokenOff !== undefined) await endBrokenOff(brokenOff, found, run).catch(() => undefined);
    if (!isSameKnownLimit(before, found)) return { kind: 'conflict', stage: 'before_write', expected: before, found };
    if (!(await run.claimWrite())) return { kind: 'failed', failure: OVERTAKEN };
    await run.session.putThreshold(plan.change);
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

async function readBack(plan: LimitPlan, { changeId, ...ports }: Run): Promise<EndedOutcome> {
  let found: KnownLimit;
  try {
    found = (await lookUpLimit(plan.agent, ports, { exceptId: changeId })).known;
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
