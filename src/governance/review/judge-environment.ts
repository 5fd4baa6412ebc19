import { findCurrency, readRule } from '../allocation/credit-rules.ts';
import { toIdKey } from '../register/register.ts';
import { compareAllocation } from './compare-allocation.ts';
import type { EnvironmentFinding, UnreadableReason } from './finding.ts';
import { type AllocationReading, isUnreadable } from './readings.ts';
import type { EnvironmentScope } from './scopes.ts';
import type { Standards } from './standards.ts';
import { judge, toVerdict, type Verdict } from './verdict.ts';

export type JudgeOptions = {
  standards: Standards;
  /** The credit currency that agents use: where it may draw on the tenant's pool, a new environment is flagged. */
  currency: string;
  /** Epoch ms. */
  now: number;
};

/** Pure. `reading` is of now; it plays no part where the environment was not found: then `gap` says why it may be there. */
export function judgeEnvironment(
  scope: EnvironmentScope,
  { reading, gap }: { reading: AllocationReading; gap: UnreadableReason | undefined },
  options: JudgeOptions,
): EnvironmentFinding {
  const verdict = scope.isFound ? judgeFound(scope, reading, options) : judgeMissing(gap);
  return {
    kind: 'environment',
    key: toIdKey(scope.id),
    environmentId: scope.id,
    name: scope.name,
    owners: scope.standard?.entry.owners ?? [],
    ownerId: scope.ownerId,
    ...verdict,
    classification: scope.standard?.entry.classification,
    tenantPool: readTenantPool(reading, options.currency),
  };
}

/** Not found: vanished, unless the inventory has a gap in which it may be. */
export function judgeMissing(gap: UnreadableReason | undefined): Verdict {
  return gap === undefined ? toVerdict('vanished') : toVerdict('unreadable', gap);
}

function judgeFound({ standard }: EnvironmentScope, reading: AllocationReading, options: JudgeOptions): Verdict {
  const { standards, now } = options;
  if (standard === undefined) return judgeUnclassified(reading, standards);
  const { allocations } = standard.entry;
  if (isUnreadable(reading)) return toVerdict('unreadable', reading.unreadable);
  if (reading === 'none' && allocations !== 'none') return toVerdict('unreadable', 'no_allocation');
  const differences = reading === 'none' ? [] : compareAllocation(allocations, reading, standards.register);
  return judge({ differences, exceptions: standard.exceptions.get('') ?? [], now });
}

// What the register has for environments that it does not name is shown as differences, and nothing is accepted.
function judgeUnclassified(reading: AllocationReading, { register }: Standards): Verdict {
  if (reading === 'none') return toVerdict('unclassified', 'no_allocation');
  if (isUnreadable(reading)) return toVerdict('unclassified', reading.unreadable);
  const stated = register.defaults.unclassified?.allocations;
  const differences = stated === undefined ? [] : compareAllocation(stated, reading, register);
  const judged = differences.map((difference) => ({ ...difference, exception: undefined }));
  return { ...toVerdict('unclassified'), differences: judged };
}

function readTenantPool(reading: AllocationReading, currency: string): EnvironmentFinding['tenantPool'] {
  if (reading === 'none' || isUnreadable(reading)) return 'unknown';
  return readRule(findCurrency(reading, currency), 'TenantPool');
}
