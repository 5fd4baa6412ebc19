// Looks up what a finding is about as it is now, and plans what brings it back. Nothing is written here.
import type { AdminSession } from '../../admin-api/admin-session.ts';
import type { Allocation } from '../../admin-api/licensing-wire.ts';
import { isSameWord, type RuleType } from '../allocations/allocation.ts';
import { type AllocationPlan, planAllocation, type StatedCredits } from '../allocations/allocation-plan.ts';
import { toCreditUsage } from '../allocations/consumption.ts';
import { type AllocationSources, lookUpAllocation } from '../allocations/known-allocation.ts';
import type { PlannedChange } from '../changes/change-kind.ts';
import { type GovernedAgent, isStoppedFromHere, type KnownLimit, type StopDecision } from '../inventory/agent-limit.ts';
import type { LimitSources } from '../limits/known-limit.ts';
import { type LimitPlan, planLimit } from '../limits/limit-plan.ts';
import { toAdminFailure } from '../shell/admin-failure.ts';
import type { ReadyRegister } from './approved-state.ts';
import { correctCredits, correctLimit, type LeftDifference, narrow } from './correction.ts';
import type { AgentFinding, EnvironmentFinding, Finding } from './finding.ts';
import { judgeAgentAgain } from './judge-agent.ts';
import { type JudgeOptions, judgeEnvironmentAgain } from './judge-environment.ts';
import { lookUpFound, type RecheckPorts, toJudging } from './recheck.ts';

/** The service and the register, as they are now. */
export type CorrectionSources = AllocationSources &
  LimitSources & { session: Pick<AdminSession, 'readEntitlements'>; judging: JudgeOptions };

/** In the name of one admin. */
export function toCorrectionSources(
  session: AdminSession,
  approved: ReadyRegister,
  ports: RecheckPorts,
): CorrectionSources {
  const { changes, exclusively, now } = ports;
  return { session, changes, exclusively, now, judging: toJudging(approved, ports) };
}

export type CorrectionWish = {
  environmentName?: string | undefined;
  /** For rules that the register does not state. */
  chosen?: readonly ChosenRule[] | undefined;
  stopDecision?: StopDecision | undefined;
  /** What is to be corrected, by toDifferenceKey; undefined: all of it. */
  settings?: readonly string[] | undefined;
};

/** What an admin says about it: an update has to set all four. */
export type ChosenRule = OpenRule & { isOn: boolean };

/** A rule that the register leaves to the platform, and whose present value is unknown. */
type OpenRule = { currencyType: string; rule: RuleType };

export type Correction =
  | { kind: 'allocation'; finding: EnvironmentFinding; plan: AllocationPlan; left: LeftDifference[] }
  | {
      kind: 'limit';
      finding: AgentFinding;
      plan: LimitPlan;
      stopDecision: StopDecision | undefined;
      left: LeftDifference[];
    }
  | { kind: 'needs_choice'; finding: EnvironmentFinding; open: OpenRule[]; left: LeftDifference[] }
  | {
      kind: 'needs_stop_decision';
      finding: AgentFinding;
      agent: GovernedAgent;
      stopped: true | 'unknown';
      /** Its last change from here stopped it. */
      isStoppedFromHere: boolean;
      left: LeftDifference[];
    }
  /** The register states no allocation, and it cannot be read: it would have to be invented. */
  | { kind: 'amount_not_told'; finding: EnvironmentFinding; left: LeftDifference[] }
  /** In order by now, or all that is not is left as it is. */
  | { kind: 'nothing'; finding: Finding; left: LeftDifference[] };

/** What is to be confirmed of a correction that has a plan. */
export function toPlannedChange(correction: Extract<Correction, { plan: unknown }>): PlannedChange {
  const { kind, plan } = correction;
  return kind === 'limit' ? { kind, plan } : { kind, plan, environmentName: correction.finding.name };
}

/** Compares with the register of `judging`. Throws the errors of admin-errors.ts, and StoreUnavailableError. */
export async function findCorrection(
  finding: Finding,
  wish: CorrectionWish,
  sources: CorrectionSources,
): Promise<Correction> {
  return finding.kind === 'environment'
    ? findCreditsCorrection(finding, wish, sources)
    : findLimitCorrection(finding, wish, sources);
}

async function findCreditsCorrection(
  finding: EnvironmentFinding,
  { chosen, settings }: CorrectionWish,
  sources: CorrectionSources,
): Promise<Correction> {
  const [{ allocation: before }, consumption] = await Promise.all([
    lookUpAllocation(finding.environmentId, sources),
    readConsumption(finding.environmentId, sources),
  ]);
  const current = judgeEnvironmentAgain(finding, before, sources.judging);
  if (before === 'none') return { kind: 'nothing', finding: current, left: [] };
  const narrowed = narrow(current, settings);
  const correction = planCreditsCorrection(narrowed.chosen, { before, consumption, chosen });
  return withLeftOut(correction, current, narrowed.leftOut);
}

/** For warnings alone: without it the plan is the same. */
async function readConsumption(environmentId: string, { session, now }: CorrectionSources) {
  try {
    return toCreditUsage(await session.readEntitlements(environmentId), now()).flatMap(({ currencyType, consumed }) =>
      consumed === undefined ? [] : [{ currencyType, consumed }],
    );
  } catch (error) {
    if (toAdminFailure(error) === undefined) throw error;
    return [];
  }
}

/** `finding`: of this allocation. */
function planCreditsCorrection(
  finding: EnvironmentFinding,
  request: {
    before: Allocation;
    consumption: readonly { currencyType: string; consumed: number }[];
    chosen?: readonly ChosenRule[] | undefined;
  },
): Correction {
  const { before, consumption, chosen = [] } = request;
  const { stated, left } = correctCredits(finding);
  if (stated.length === 0) return { kind: 'nothing', finding, left };
  const result = planAllocation({ before, stated: stated.map((one) => withChosen(one, chosen)), consumption });
  if (result.kind === 'needs_choice') {
    const open = result.open.flatMap(({ currencyType, setting }) =>
      setting === 'allocated' ? [] : [{ currencyType, rule: setting }],
    );
    return open.length < result.open.length
      ? { kind: 'amount_not_told', finding, left }
      : { kind: 'needs_choice', finding, open, left };
  }
  const { plan } = result;
  return plan.changes ? { kind: 'allocation', finding, plan, left } : { kind: 'nothing', finding, left };
}

// What the register approves takes precedence over what was chosen.
function withChosen(stated: StatedCredits, chosen: readonly ChosenRule[]): StatedCredits {
  const own = chosen.filter(({ currencyType }) => isSameWord(currencyType, stated.currencyType));
  return { ...stated, rules: { ...Object.fromEntries(own.map(({ rule, isOn }) => [rule, isOn])), ...stated.rules } };
}

async function findLimitCorrection(
  finding: AgentFinding,
  { environmentName, stopDecision, settings }: CorrectionWish,
  sources: CorrectionSources,
): Promise<Correction> {
  const { agent, known } = await lookUpFound(finding, environmentName, sources);
  const current = judgeAgentAgain(finding, { agent, known }, sources.judging);
  const { chosen, leftOut } = narrow(current, settings);
  return withLeftOut(planLimitCorrection(chosen, { agent, known, stopDecision }), current, leftOut);
}

/** With the finding as it is, whatever was left out of it. */
function withLeftOut(correction: Correction, finding: Finding, leftOut: readonly LeftDifference[]): Correction {
  return { ...correction, finding, left: [...correction.left, ...leftOut] } as Correction;
}

/** A stopped agent stays stopped unless `stopDecision` says otherwise. */
function planLimitCorrection(
  finding: AgentFinding,
  request: { agent: GovernedAgent; known: KnownLimit; stopDecision?: StopDecision | undefined },
): Correction {
  const { agent, known, stopDecision } = request;
  const { wanted, left } = correctLimit(finding, known);
  if (wanted === undefined) return { kind: 'nothing', finding, left };
  const result = planLimit({ agent, before: known, wanted, stopDecision });
  return result.kind === 'planned'
    ? { kind: 'limit', finding, plan: result.plan, stopDecision, left }
    : {
        ...{ kind: 'needs_stop_decision', finding, agent, stopped: result.stopped },
        ...{ isStoppedFromHere: isStoppedFromHere(known), left },
      };
}
