// What a change of a limit would do, before anything is done. Pure: the same input makes the same plan.
import type { ThresholdChange } from '../../admin-api/admin-session.ts';
import {
  type AgentLimit,
  type GovernedAgent,
  type KnownLimit,
  readStopped,
  type StopDecision,
  type WantedLimit,
} from '../inventory/agent-limit.ts';
import { buildPlanRows, type PlanRow } from '../plan-rows.ts';
import { findWarnings, type PlanWarning } from '../plan-warnings.ts';

export type LimitPlan = {
  agent: GovernedAgent;
  /** What the plan was made from: it holds only as long as this does. */
  before: KnownLimit;
  after: AgentLimit & { stopped: boolean };
  rows: PlanRow[];
  warnings: PlanWarning[];
  /** Allows more than before: a higher limit, no stop any more, or running again. */
  loosens: boolean | 'unknown';
  /** Complete: a write replaces all of a threshold. */
  change: ThresholdChange;
};

export type PlanResult =
  | { kind: 'planned'; plan: LimitPlan }
  /** Nobody may be restarted by default: ask, then plan again with the decision. */
  | { kind: 'needs_stop_decision'; stopped: true | 'unknown' };

export type PlanRequest = {
  agent: GovernedAgent;
  before: KnownLimit;
  wanted: WantedLimit;
  stopDecision?: StopDecision | undefined;
};

export function planLimit({ agent, before, wanted, stopDecision }: PlanRequest): PlanResult {
  const stoppedBefore = readStopped(before);
  if (stoppedBefore !== false && stopDecision === undefined) {
    return { kind: 'needs_stop_decision', stopped: stoppedBefore };
  }
  const after = { ...wanted, stopped: stoppedBefore !== false && stopDecision === 'keep_stopped' };
  const plan = {
    agent,
    before,
    after,
    rows: buildPlanRows(before, after),
    warnings: findWarnings(before, after),
    loosens: isLoosening(before, after),
    change: toThresholdChange(agent, after),
  };
  return { kind: 'planned', plan };
}

export function needsStopDecision(known: KnownLimit): boolean {
  return readStopped(known) !== false;
}

function isLoosening(before: KnownLimit, after: AgentLimit): boolean | 'unknown' {
  const stopped = readStopped(before);
  if (stopped === true && after.stopped === false) return true;
  if (before.source === 'unknown') return 'unknown';
  const mayRestart = stopped === 'unknown' && after.stopped === false;
  if (before.source === 'none') return mayRestart ? 'unknown' : false;
  const { limit, stopWhenReached } = before.limit;
  if (after.limit > limit || (stopWhenReached && !after.stopWhenReached)) return true;
  return mayRestart ? 'unknown' : false;
}

function toThresholdChange(agent: GovernedAgent, after: LimitPlan['after']): ThresholdChange {
  return {
    environmentId: agent.environmentId,
    agentResourceId: agent.agentResourceId,
    stopResource: after.stopped,
    limit: after.limit,
    stopIfOverCapacity: after.stopWhenReached,
    notifyIfOverCapacity: after.notify,
    notificationThreshold: after.notificationThreshold,
  };
}
