// Which differences of a finding can be corrected to what is approved, and which are left. Pure.
import { isSameWord, RULE_TYPES, type RuleType } from '../allocations/allocation.ts';
import type { StatedCredits } from '../allocations/allocation-plan.ts';
import type { KnownLimit, WantedLimit } from '../inventory/agent-limit.ts';
import type { ApprovedLimit } from '../register/register.ts';
import {
  type AgentFinding,
  type Difference,
  type EnvironmentFinding,
  type Finding,
  isLimitToSet,
  isOpen,
  toDifferenceKey,
} from './finding.ts';

/** Why a difference is left as it is. */
type LeftReason =
  | 'accepted' // by an exception that holds
  | 'not_in_register' // nobody stated what is approved: the register is to say it first
  | 'platform_default' // a rule that is set cannot be handed back to the platform
  | 'no_removal' // a limit cannot be removed, only raised
  | 'not_chosen'; // the admin left it out

export type LeftDifference = { difference: Difference; reason: LeftReason };

type CreditsCorrection = {
  /** For planAllocation, which keeps everything else; empty where nothing can be corrected. */
  stated: StatedCredits[];
  left: LeftDifference[];
};

type LimitCorrection = {
  /** For planLimit, which asks about an agent that may be stopped; undefined where nothing can be corrected. */
  wanted: WantedLimit | undefined;
  left: LeftDifference[];
};

/** Deployments require a percentage even where notices are off. */
const DEFAULT_ALERT_AT = 80;

export function isCorrectable(finding: Finding): boolean {
  return listCorrectable(finding).length > 0 || isLimitToSet(finding);
}

/** The finding with what is to be corrected of it, and what was left out of that. `settings` undefined: all is corrected. */
export function narrow<Some extends Finding>(
  finding: Some,
  settings: readonly string[] | undefined,
): { chosen: Some; leftOut: LeftDifference[] } {
  if (settings === undefined) return { chosen: finding, leftOut: [] };
  const dropped = listChoosable(finding).filter((one) => !settings.includes(toDifferenceKey(one)));
  const differences = finding.differences.filter((one) => !dropped.includes(one));
  const leftOut = dropped.map((difference) => ({ difference, reason: 'not_chosen' as const }));
  return { chosen: { ...finding, differences }, leftOut };
}

export function correctCredits(finding: EnvironmentFinding): CreditsCorrection {
  const stated: StatedCredits[] = [];
  for (const { setting, currency = '', approved } of listCorrectable(finding)) {
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
  const open = listCorrectable(finding);
  const left = listLeft(finding);
  const isToSet = isLimitToSet(finding);
  if (approvedLimit === undefined || approvedLimit.monthlyLimit === 'none' || (open.length === 0 && !isToSet)) {
    return { wanted: undefined, left };
  }
  const approved = toWanted(approvedLimit);
  // What was last set from here is set again with what an exception accepts of it.
  if (isToSet && current.source !== 'last_set') return { wanted: approved, left };
  const values = toValues(current, approved);
  if (values === undefined) return { wanted: approved, left };
  const { limit, notify, notificationThreshold, stopWhenReached } = values;
  const isCorrected = (setting: Difference['setting']) => open.some((difference) => difference.setting === setting);
  // If there was no limit at all, one difference stands for all settings.
  const isWhole = open.some(({ setting, found }) => setting === 'monthlyLimit' && found === 'none');
  const wanted = {
    limit: isWhole || isCorrected('monthlyLimit') ? approved.limit : limit,
    ...(isWhole || isCorrected('alertAt')
      ? toAlert(approvedLimit.alertAt, notificationThreshold)
      : { notify, notificationThreshold }),
    stopWhenReached: isWhole || isCorrected('stopWhenReached') ? approved.stopWhenReached : stopWhenReached,
  };
  return { wanted, left };
}

/** Unknown values are taken from what is approved. Undefined if all of them are unknown. */
function toValues(current: KnownLimit, approved: WantedLimit): WantedLimit | undefined {
  if (current.source === 'none') return undefined;
  if (current.source !== 'unknown') return current.limit;
  if (current.told === undefined) return undefined;
  const told = Object.entries(current.told).filter(([, value]) => value !== 'unknown');
  return { ...approved, ...Object.fromEntries(told) };
}

export function listLeft({ differences }: Finding): LeftDifference[] {
  return differences.flatMap((difference) => {
    const reason = findLeftReason(difference);
    return reason === undefined ? [] : [{ difference, reason }];
  });
}

export function listCorrectable({ differences }: Finding): Difference[] {
  return differences.filter((difference) => findLeftReason(difference) === undefined);
}

/**
 * What may be left out of a correction. A limit is written as a whole, so what cannot be read of it is set as approved
 * together with the rest.
 */
export function listChoosable(finding: Finding): Difference[] {
  const correctable = listCorrectable(finding);
  return finding.kind === 'agent' ? correctable.filter(({ found }) => found !== 'unknown') : correctable;
}

function findLeftReason(difference: Difference): LeftReason | undefined {
  if (!isOpen(difference)) return 'accepted';
  const { setting, approved } = difference;
  if (approved === 'platform-default') return 'platform_default';
  if (approved !== 'none') return undefined;
  return setting === 'monthlyLimit' ? 'no_removal' : 'not_in_register';
}

/** As a plan wants it. */
export function toWanted({
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
