import type { KnownLimit, ToldLimit } from '../inventory/agent-limit.ts';
import type { ApprovedLimit } from '../register/register.ts';
import { compareAmounts } from './compare-allocation.ts';
import type { UnreadableReason, Way } from './finding.ts';
import type { BareDifference } from './verdict.ts';

export type ComparedLimit = { differences: BareDifference[]; reason?: UnreadableReason };

/**
 * Whether somebody stopped the agent is not compared: the register does not say. What was last set from here can show
 * drift, but that it was as approved then does not show that it is so now.
 */
export function compareLimit(approved: ApprovedLimit, known: KnownLimit): ComparedLimit {
  if (known.source === 'unknown') return compareUnknown(approved, known);
  const differences = known.source === 'none' ? compareWithNone(approved) : compareValues(approved, known.limit);
  if (known.source === 'last_set' && differences.length === 0) return { differences, reason: 'limit_not_verified' };
  return { differences };
}

/** A limit that is there, and cannot be read or only in part, is of this agent alone; else no limit is told at all. */
function compareUnknown(
  approved: ApprovedLimit,
  { told, stopped }: Extract<KnownLimit, { source: 'unknown' }>,
): ComparedLimit {
  if (told !== undefined) return { differences: compareValues(approved, told) };
  return { differences: [], reason: stopped === undefined ? 'limit_not_told' : 'value_not_told' };
}

function compareWithNone(approved: ApprovedLimit): BareDifference[] {
  return approved.monthlyLimit === 'none'
    ? []
    : [toDifference('monthlyLimit', approved.monthlyLimit, 'none', 'looser')];
}

function compareValues(approved: ApprovedLimit, limit: ToldLimit): BareDifference[] {
  if (approved.monthlyLimit === 'none') return [toDifference('monthlyLimit', 'none', limit.limit, 'tighter')];
  const { monthlyLimit, alertAt, stopWhenReached } = approved;
  const foundAlert = toAlert(limit);
  const foundStop = toState(limit.stopWhenReached);
  return [
    toDifference('monthlyLimit', monthlyLimit, limit.limit, compareAmounts(monthlyLimit, limit.limit)),
    toDifference('alertAt', alertAt, foundAlert, compareAlerts(alertAt, foundAlert)),
    toDifference('stopWhenReached', stopWhenReached, foundStop, compareStops(foundStop)),
  ].filter(({ approved: should, found }) => should !== found);
}

function toDifference(
  setting: BareDifference['setting'],
  approved: BareDifference['approved'],
  found: BareDifference['found'],
  way: Way,
): BareDifference {
  return { setting, currency: undefined, approved, found, way };
}

function toAlert({ notify, notificationThreshold }: ToldLimit): number | 'off' | 'unknown' {
  if (notify === 'unknown') return notify;
  return notify ? notificationThreshold : 'off';
}

function toState(flag: boolean | 'unknown'): 'on' | 'off' | 'unknown' {
  if (flag === 'unknown') return flag;
  return flag ? 'on' : 'off';
}

function compareStops(found: 'on' | 'off' | 'unknown'): Way {
  if (found === 'unknown') return 'unclear';
  return found === 'off' ? 'looser' : 'tighter';
}

function compareAlerts(approved: number | 'off', found: number | 'off' | 'unknown'): Way {
  if (found === 'unknown') return 'unclear';
  if (approved === 'off') return 'tighter';
  return found === 'off' ? 'looser' : compareAmounts(approved, found);
}
