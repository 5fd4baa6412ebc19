// Looks at a finding again, and says what would bring it back to what is approved.
import type { AdminSession } from '../../admin-api/admin-session.ts';
import { type AllocationSources, lookUpAllocation } from '../allocations/allocation.ts';
import { toCreditUsage } from '../allocations/consumption.ts';
import type { StopDecision } from '../inventory/agent-limit.ts';
import { type LimitSources, lookUpLimit } from '../limits/known-limit.ts';
import { toAdminFailure } from '../shell/admin-failure.ts';
import type { AgentFinding, EnvironmentFinding, Finding } from './finding.ts';
import type { JudgeOptions } from './judge-environment.ts';
import { judgeAgentAgain, judgeEnvironmentAgain, toGoverned } from './look-again.ts';
import { type ChosenRule, type Correction, planCreditsCorrection, planLimitCorrection } from './plan-correction.ts';

export type CorrectionSources = AllocationSources & LimitSources & { session: Pick<AdminSession, 'readEntitlements'> };

export type CorrectionWish = {
  environmentName?: string | undefined;
  /** About rules that nobody states. */
  chosen?: readonly ChosenRule[] | undefined;
  stopDecision?: StopDecision | undefined;
};

/** Against the register of `judging`, as of now. Throws the errors of admin-errors.ts, and StoreUnavailableError. */
export async function findCorrection(
  finding: Finding,
  wish: CorrectionWish,
  sources: CorrectionSources & { judging: JudgeOptions },
): Promise<Correction> {
  const correction = await (finding.kind === 'environment'
    ? correctCredits(finding, wish, sources)
    : correctLimit(finding, wish, sources));
  return correction.kind === 'nothing' && isAsUnnamed(correction.finding, sources.judging)
    ? { ...correction, isAsUnnamed: true }
    : correction;
}

function isAsUnnamed(finding: Finding, { standards }: JudgeOptions): boolean {
  const { status, reason, differences } = finding;
  if (status !== 'unclassified' || reason !== undefined || differences.length > 0) return false;
  const { allocations, unnamedAgents } = standards.register.defaults.unclassified ?? {};
  return (finding.kind === 'environment' ? allocations : unnamedAgents) !== undefined;
}

type Sources = CorrectionSources & { judging: JudgeOptions };

async function correctCredits(
  finding: EnvironmentFinding,
  { chosen }: CorrectionWish,
  sources: Sources,
): Promise<Correction> {
  const [{ allocation: before }, consumption] = await Promise.all([
    lookUpAllocation(finding.environmentId, sources),
    readConsumption(finding.environmentId, sources),
  ]);
  const current = judgeEnvironmentAgain(finding, before, sources.judging);
  if (before === 'none') return { kind: 'nothing', finding: current, left: [] };
  return planCreditsCorrection(current, { before, consumption, chosen });
}

async function correctLimit(
  finding: AgentFinding,
  { environmentName, stopDecision }: CorrectionWish,
  sources: Sources,
): Promise<Correction> {
  const { agent, known } = await lookUpLimit(toGoverned(finding, environmentName), sources);
  const current = judgeAgentAgain(finding, { agent, known }, sources.judging);
  return planLimitCorrection(current, { agent, known, stopDecision });
}

/** For warnings alone: without it the plan is the same. */
async function readConsumption(environmentId: string, { session, now }: Sources) {
  try {
    return toCreditUsage(await session.readEntitlements(environmentId), now()).flatMap(({ currencyType, consumed }) =>
      consumed === undefined ? [] : [{ currencyType, consumed }],
    );
  } catch (error) {
    if (toAdminFailure(error) === undefined) throw error;
    return [];
  }
}
