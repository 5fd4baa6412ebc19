// Finds and plans what would bring drift back to what is approved. Nothing is written here.

import type { AdminSession } from '../../admin-api/admin-session.ts';
import type { Allocation } from '../../admin-api/licensing-wire.ts';
import {
  type AllocationSources,
  isSameWord,
  lookUpAllocation,
  RULE_TYPES,
  type RuleType,
} from '../allocations/allocation.ts';
import { type AllocationPlan, planAllocation, type StatedCredits } from '../allocations/allocation-plan.ts';
import { toCreditUsage } from '../allocations/consumption.ts';
import type { PlannedChange } from '../changes/change-kind.ts';
import type { GovernedAgent, KnownLimit, StopDecision, WantedLimit } from '../inventory/agent-limit.ts';
import { type LimitSources, lookUpLimit } from '../limits/known-limit.ts';
import { type LimitPlan, planLimit } from '../limits/limit-plan.ts';
import type { ApprovedLimit } from '../register/register.ts';
import { toAdminFailure } from '../shell/admin-failure.ts';
import type { ReadyRegister } from './approved-state.ts';
import {
  type AgentFinding,
  type Difference,
  type EnvironmentFinding,
  type Finding,
  isOpen,
  toGoverned,
} from './finding.ts';
import { judgeAgentAgain } from './judge-agent.ts';
import { type JudgeOptions, judgeEnvironmentAgain } from './judge-environment.ts';
import { type RecheckPorts, toJudging } from './recheck.ts';

/** Why a difference is left as it is. */
type LeftReason =
  | 'accepted' // by an exception that holds
  | 'not_in_register' // nobody stated what is approved: the register is to say it first
  | 'platform_default' // a rule that is set cannot be handed back to the platform
  | 'no_removal'; // a limit cannot be removed, only raised

export type LeftDifference = { difference: Difference; reason: LeftReason };

export type CreditsCorrection = {
  /** For planAllocation, which keeps everything else; empty where nothing can be corrected. */
  stated: StatedCredits[];
  left: LeftDifference[];
};

export type LimitCorrection = {
  /** For planLimit, which asks about an agent that may be stopped; undefined where nothing can be corrected. */
  wanted: WantedLimit | undefined;
  left: LeftDifference[];
};

/** Deployments require a percentage even where notices are off. */
const DEFAULT_ALERT_AT = 80;

export function isCorrectable(finding: Finding): boolean {
  return findOpen(finding).some((difference) => findLeftReason(difference) === undefined);
}

export function correctCredits(finding: EnvironmentFinding): CreditsCorrection {
  const stated: StatedCredits[] = [];
  for (const { setting, currency = '', approved } of findOpen(finding).filter((one) => !findLeftReason(one))) {
    let credits = stated.find(({ currencyType }) => isSameWord(currencyType, currency));
    if (credits === undefined) {
      credits = { currencyType: currency, rules: {} };
      stated.push(credits);
    }
    if (typeof approved === 'number') credits.allocated = approved;
    else if (isRule(setting)) credits.rules = { ...credits.rules, [setting]: approved === 'on' };
  }
  return { stated, left: listLeft(finding) };
}

/** `current`: the limit now. What is accepted, and what is not compared, keeps its current value. */
export function correctLimit(finding: AgentFinding, current: KnownLimit): LimitCorrection {
  const { approvedLimit } = finding;
  const open = findOpen(finding).filter((difference) => findLeftReason(difference) === undefined);
  const left = listLeft(finding);
  if (approvedLimit === undefined || approvedLimit.monthlyLimit === 'none' || open.length === 0) {
    return { wanted: undefined, left };
  }
  const approved = toWanted(approvedLimit);
  const values = toValues(current, approved);
  if (values === undefined) return { wanted: approved, left };
  const { limit, notify, notificationThreshold, stopWhenReached } = values;
  const isOpen = (setting: Difference['setting']) => open.some((difference) => difference.setting === setting);
  // Where there was no limit at all, there is one difference, and it stands for all settings.
  const isWhole = open.some(({ setting, found }) => setting === 'monthlyLimit' && found === 'none');
  const wanted = {
    limit: isWhole || isOpen('monthlyLimit') ? approved.limit : limit,
    ...(isWhole || isOpen('alertAt')
      ? toAlert(approvedLimit.alertAt, notificationThreshold)
      : { notify, notificationThreshold }),
    stopWhenReached: isWhole || isOpen('stopWhenReached') ? approved.stopWhenReached : stopWhenReached,
  };
  return { wanted, left };
}

/** Unknown values are taken from what is approved. Undefined where all of them are unknown. */
function toValues(current: KnownLimit, approved: WantedLimit): WantedLimit | undefined {
  if (current.source === 'none') return undefined;
  if (current.source !== 'unknown') return current.limit;
  if (current.told === undefined) return undefined;
  const told = Object.entries(current.told).filter(([, value]) => value !== 'unknown');
  return { ...approved, ...Object.fromEntries(told) };
}

/** The differences that no exception accepts, or not any more. */
export function findOpen({ differences }: Finding): Difference[] {
  return differences.filter(isOpen);
}

function listLeft({ differences }: Finding): LeftDifference[] {
  return differences.flatMap((difference) => {
    const isAccepted = difference.exception !== undefined && !difference.exception.isExpired;
    const reason = isAccepted ? 'accepted' : findLeftReason(difference);
    return reason === undefined ? [] : [{ difference, reason }];
  });
}

function findLeftReason({ setting, approved }: Difference): Exclude<LeftReason, 'accepted'> | undefined {
  if (approved === 'platform-default') return 'platform_default';
  if (approved !== 'none') return undefined;
  return setting === 'monthlyLimit' ? 'no_removal' : 'not_in_register';
}

function toWanted({
  monthlyLimit,
  alertAt,
  stopWhenReached,
}: Exclude<ApprovedLimit, { monthlyLimit: 'none' }>): WantedLimit {
  return { limit: monthlyLimit, ...toAlert(alertAt, DEFAULT_ALERT_AT), stopWhenReached: stopWhenReached === 'on' };
}

function toAlert(alertAt: number | 'off', otherwise: number): Pick<WantedLimit, 'notify' | 'notificationThreshold'> {
  return alertAt === 'off'
    ? { notify: false, notificationThreshold: otherwise }
    : { notify: true, notificationThreshold: alertAt };
}

function isRule(setting: Difference['setting']): setting is RuleType {
  return (RULE_TYPES as readonly string[]).includes(setting);
}

export type CorrectionSources = AllocationSources & LimitSources & { session: Pick<AdminSession, 'readEntitlements'> };

export type CorrectionWish = {
  environmentName?: string | undefined;
  /** For rules that the register does not state. */
  chosen?: readonly ChosenRule[] | undefined;
  stopDecision?: StopDecision | undefined;
};

/** Compares with the register of `judging`. Throws the errors of admin-errors.ts, and StoreUnavailableError. */
export async function findCorrection(
  finding: Finding,
  wish: CorrectionWish,
  sources: CorrectionSources & { judging: JudgeOptions },
): Promise<Correction> {
  const correction = await (finding.kind === 'environment'
    ? findCreditsCorrection(finding, wish, sources)
    : findLimitCorrection(finding, wish, sources));
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

/** What a correction is planned from, in the name of one admin: the service and the register, as they are now. */
export function toCorrectionSources(
  session: AdminSession,
  approved: ReadyRegister,
  ports: RecheckPorts,
): CorrectionSources & { judging: JudgeOptions } {
  const { changes, exclusively, now } = ports;
  return { session, changes, exclusively, now, judging: toJudging(approved, ports) };
}

type Sources = CorrectionSources & { judging: JudgeOptions };

async function findCreditsCorrection(
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

async function findLimitCorrection(
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

/** A rule that the register leaves to the platform, and of which nothing tells what holds now. */
type OpenRule = { currencyType: string; rule: RuleType };

/** What an admin says about it: an update has to set all four. */
export type ChosenRule = OpenRule & { isOn: boolean };

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
      left: LeftDifference[];
    }
  /** Nothing states what is to be allocated, and it cannot be read: it would have to be made up. */
  | { kind: 'amount_not_told'; finding: EnvironmentFinding; left: LeftDifference[] }
  /** In order by now, or all that is not is left as it is. */
  | {
      kind: 'nothing';
      finding: Finding;
      left: LeftDifference[];
      /** It matches the register's defaults for unlisted environments. */
      isAsUnnamed?: boolean;
    };

/** What is to be confirmed of a correction that has a plan. */
export function toPlannedChange(correction: Extract<Correction, { plan: unknown }>): PlannedChange {
  const { kind, plan } = correction;
  return kind === 'limit' ? { kind, plan } : { kind, plan, environmentName: correction.finding.name };
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
    : { kind: 'needs_stop_decision', finding, agent, stopped: result.stopped, left };
}

// What the register approves takes precedence over what was chosen.
function withChosen(stated: StatedCredits, chosen: readonly ChosenRule[]): StatedCredits {
  const own = chosen.filter(({ currencyType }) => isSameWord(currencyType, stated.currencyType));
  return { ...stated, rules: { ...Object.fromEntries(own.map(({ rule, isOn }) => [rule, isOn])), ...stated.rules } };
}
