// What would bring drift back to what is approved: the wish that a plan is made of. Nothing here is written.

import { isSameWord, RULE_TYPES, type RuleType } from '../allocation/credit-rules.ts';
import type { StatedCredits } from '../allocations/allocation-plan.ts';
import type { KnownLimit, WantedLimit } from '../inventory/agent-limit.ts';
import type { ApprovedLimit } from '../register/register.ts';
import type { AgentFinding, Difference, EnvironmentFinding, Finding } from './finding.ts';

/** Why a difference is left as it is. */
type LeftReason =
  | 'accepted' // by an exception that holds
  | 'not_in_register' // nobody stated what is approved: the register is to say it first
  | 'platform_default' // a rule that is set cannot be handed back to the platform
  | 'no_removal'; // a limit cannot be removed, only raised

type LeftDifference = { difference: Difference; reason: LeftReason };

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

/** Deployments want a percentage even where nobody is notified. */
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

/** `current` is of now: what is accepted, and what is not compared, stays as it is there. */
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

/** Of what cannot be told, what is approved; undefined where nothing can be. */
function toValues(current: KnownLimit, approved: WantedLimit): WantedLimit | undefined {
  if (current.source === 'none') return undefined;
  if (current.source !== 'unknown') return current.limit;
  if (current.told === undefined) return undefined;
  const told = Object.entries(current.told).filter(([, value]) => value !== 'unknown');
  return { ...approved, ...Object.fromEntries(told) };
}

function findOpen({ differences }: Finding): Difference[] {
  return differences.filter(({ exception }) => exception === undefined || exception.isExpired);
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
