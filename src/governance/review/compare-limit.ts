import type { AgentLimit, KnownLimit } from '../limit.ts';
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
  if (known.source === 'unknown') return { differences: [], reason: 'limit_not_told' };
  const differences = known.source === 'none' ? compareWithNone(approved) : compareValues(approved, known.limit);
  if (known.source === 'last_set' && differences.length === 0) return { differences, reason: 'limit_not_verified' };
  return { differences };
}

function compareWithNone(approved: ApprovedLimit): BareDifference[] {
  return approved.monthlyLimit === 'none'
    ? []
    : [toDifference('monthlyLimit', approved.monthlyLimit, 'none', 'looser')];
}

function compareValues(approved: ApprovedLimit, limit: AgentLimit): BareDifference[] {
  if (approved.monthlyLimit === 'none') return [toDifference('monthlyLimit', 'none', limit.limit, 'tighter')];
  const { monthlyLimit, alertAt, stopWhenReached } = approved;
  const foundAlert = limit.notify ? limit.notificationThreshold : 'off';
  const foundStop = limit.stopWhenReached ? 'on' : 'off';
  return [
    toDifference('monthlyLimit', monthlyLimit, limit.limit, compareAmounts(monthlyLimit, limit.limit)),
    toDifference('alertAt', alertAt, foundAlert, compareAlerts(alertAt, foundAlert)),
    toDifference('stopWhenReached', stopWhenReached, foundStop, foundStop === 'off' ? 'looser' : 'tighter'),
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

function compareAlerts(approved: number | 'off', found: number | 'off'): Way {
  if (approved === 'off') return 'tighter';
  return found === 'off' ? 'looser' : compareAmounts(approved, found);
}
