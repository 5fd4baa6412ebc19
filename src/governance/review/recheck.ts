// What of a reviewed finding is still there, at exactly the value that was found. A report may be a day old.
import { type AllocationSources, lookUpAllocation } from '../allocations/allocation.ts';
import { type LimitSources, lookUpLimit } from '../limits/known-limit.ts';
import { type AcceptedDrift, toIdKey } from '../register/register.ts';
import type { Difference, Finding, UnreadableReason } from './finding.ts';
import type { JudgeOptions } from './judge-environment.ts';
import { judgeAgentAgain, judgeEnvironmentAgain, toGoverned } from './look-again.ts';

export type StillThere =
  /** `finding` has only what is still there; `moved` differs, too, but not as it was found. */
  | { kind: 'open'; finding: Finding; moved: Difference[] }
  /** `moved`: other values are there than were found. */
  | { kind: 'as_approved' | 'decided' | 'moved' }
  | { kind: 'unreadable'; reason: UnreadableReason };

/**
 * Reads it now; what comes back holds that against a register. Throws the errors of admin-errors.ts, and
 * StoreUnavailableError.
 */
export async function readAgain(
  finding: Finding,
  environmentName: string | undefined,
  sources: AllocationSources & LimitSources,
): Promise<(options: JudgeOptions) => Finding> {
  if (finding.kind === 'environment') {
    const { allocation } = await lookUpAllocation(finding.environmentId, sources);
    return (options) => judgeEnvironmentAgain(finding, allocation, options);
  }
  const { limitSource } = finding;
  const wasTold = limitSource === 'deployment' || limitSource === 'none';
  // Where the service had told it, what was set from here is no look at it.
  const planned = wasTold ? ({ source: 'none', readAt: sources.now() } as const) : undefined;
  const looked = await lookUpLimit(toGoverned(finding, environmentName), sources, { planned });
  return (options) => judgeAgentAgain(finding, looked, options);
}

/** Pure. `current`: the same as it is now, with the exceptions of now. */
export function findStillThere(reviewed: Finding, current: Finding): StillThere {
  switch (current.status) {
    case 'drift':
      break;
    case 'compliant':
      return { kind: 'as_approved' };
    case 'unreadable':
      return { kind: 'unreadable', reason: current.reason ?? 'unexpected' };
    default:
      return { kind: 'decided' };
  }
  const wasFound = (one: Difference) =>
    reviewed.differences.some((other) => isSame(one, { ...other, value: other.found }));
  const differences = current.differences.filter(wasFound);
  const isOpen = ({ exception, found }: Difference) =>
    found !== 'unknown' && (exception === undefined || exception.isExpired);
  if (!differences.some(isOpen)) return { kind: 'moved' };
  const moved = current.differences.filter((one) => !differences.includes(one));
  return { kind: 'open', finding: { ...current, differences }, moved };
}

/** Whether all of this is there, accepted by now or not. */
export function areAllThere(accepts: readonly AcceptedDrift[], { differences }: Finding): boolean {
  return accepts.every((one) => differences.some((difference) => isSame(difference, one)));
}

function isSame(
  { setting, currency, found }: Difference,
  other: Omit<AcceptedDrift, 'value'> & { value: Difference['found'] },
): boolean {
  return (
    setting === other.setting && toIdKey(currency ?? '') === toIdKey(other.currency ?? '') && found === other.value
  );
}
