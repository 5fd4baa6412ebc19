// Compares the credits of one environment with the register.
import type { Allocation, CurrencyAllocation } from '../../admin-api/licensing-wire.ts';
import {
  type FoundRule,
  findCurrency,
  RULE_TYPES,
  type RuleState,
  type RuleType,
  readRule,
} from '../allocations/allocation.ts';
import { type StatedAllocation, toIdKey } from '../register/register.ts';
import {
  type AllocationReading,
  type EnvironmentFinding,
  isUnreadable,
  type UnreadableReason,
  type Way,
} from './finding.ts';
import { type EnvironmentScope, toScope } from './scopes.ts';
import { type BareDifference, judge, type Standards, toVerdict, type Verdict } from './standards.ts';

export type JudgeOptions = {
  standards: Standards;
  /** The credit currency that agents use: where it may draw on the tenant's pool, a new environment is flagged. */
  currency: string;
  /** Epoch ms. */
  now: number;
  /** For how long a limit counts that was set from here, where the deployment does not show limits. */
  limitStaleMs: number;
};

/** Pure. If the environment was not found, `reading` is ignored, and `gap` says why it may still exist. */
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

/** The same finding as it is now. Pure. `allocation` and `options` are of now. */
export function judgeEnvironmentAgain(
  { environmentId: id, name, ownerId }: EnvironmentFinding,
  allocation: Allocation | 'none',
  options: JudgeOptions,
): EnvironmentFinding {
  const scope = toScope({ id, name, ownerId }, options.standards);
  return judgeEnvironment(scope, { reading: allocation, gap: undefined }, options);
}

/** Not found: vanished, unless the inventory has a gap in which it may be. */
export function judgeMissing(gap: UnreadableReason | undefined): Verdict {
  return gap === undefined ? toVerdict('vanished') : toVerdict('unreadable', gap);
}

function judgeFound({ standard }: EnvironmentScope, reading: AllocationReading, options: JudgeOptions): Verdict {
  const { standards, now } = options;
  if (standard === undefined) return toVerdict('unclassified', readGap(reading));
  const { allocations } = standard.entry;
  if (isUnreadable(reading)) return toVerdict('unreadable', reading.unreadable);
  if (reading === 'none' && allocations !== 'none') return toVerdict('unreadable', 'no_allocation');
  const differences = reading === 'none' ? [] : compareAllocation(allocations, reading, standards.register);
  return judge({ differences, exceptions: standard.exceptions.get('') ?? [], now });
}

function readGap(reading: AllocationReading): UnreadableReason | undefined {
  if (reading === 'none') return 'no_allocation';
  return isUnreadable(reading) ? reading.unreadable : undefined;
}

function readTenantPool(reading: AllocationReading, currency: string): EnvironmentFinding['tenantPool'] {
  if (reading === 'none' || isUnreadable(reading)) return 'unknown';
  return readRule(findCurrency(reading, currency), 'TenantPool');
}

/** The differences from what the register states. Only that is compared, and credits in unlisted currencies. */
function compareAllocation(
  stated: readonly StatedAllocation[] | 'none',
  found: Allocation,
  { otherCurrencies }: { otherCurrencies: 'report' | 'ignore' },
): BareDifference[] {
  if (stated === 'none') {
    return found.currencyAllocations.flatMap((currency) => [toUnapproved(currency), ...toUnapprovedDraws(currency)]);
  }
  const differences = stated.flatMap((one) => compareCurrency(one, found));
  if (otherCurrencies === 'ignore') return differences;
  const named = new Set(stated.map(({ currencyType }) => toIdKey(currencyType)));
  const others = found.currencyAllocations.filter(({ currencyType }) => !named.has(toIdKey(currencyType)));
  const unapproved = others.flatMap((currency) => [
    ...(currency.allocated === 0 ? [] : [toUnapproved(currency)]),
    ...toUnapprovedDraws(currency),
  ]);
  return [...differences, ...unapproved];
}

function compareCurrency({ currencyType, allocated, rules }: StatedAllocation, found: Allocation): BareDifference[] {
  const currency = findCurrency(found, currencyType);
  const differences: BareDifference[] = [];
  // A currency that is not listed has nothing allocated.
  const foundAllocated = currency === undefined ? 0 : toFoundAmount(currency.allocated);
  if (allocated !== undefined && foundAllocated !== allocated) {
    const way = foundAllocated === 'unknown' ? 'unclear' : compareAmounts(allocated, foundAllocated);
    differences.push({ setting: 'allocated', currency: currencyType, approved: allocated, found: foundAllocated, way });
  }
  for (const rule of RULE_TYPES) {
    const approved = rules[rule];
    const state = readRule(currency, rule);
    if (approved === undefined || approved === state) continue;
    differences.push({
      setting: rule,
      currency: currencyType,
      approved,
      found: state,
      way: compareRule(rule, approved, state),
    });
  }
  return differences;
}

function toUnapproved({ currencyType, allocated }: CurrencyAllocation): BareDifference {
  const found = toFoundAmount(allocated);
  const way = found === 'unknown' || found === 0 ? 'unclear' : 'looser';
  return { setting: 'allocated', currency: currencyType, approved: 'none', found, way };
}

/** A currency without allocated credits may still draw on the pool, or be paid for. */
function toUnapprovedDraws(currency: CurrencyAllocation): BareDifference[] {
  return (['TenantPool', 'PayGo'] as const).flatMap((setting): BareDifference[] => {
    const found = readRule(currency, setting);
    if (found !== 'on' && found !== 'unknown') return [];
    const way = found === 'on' ? 'looser' : 'unclear';
    return [{ setting, currency: currency.currencyType, approved: 'none', found, way }];
  });
}

/** Some platforms use a negative number for "unlimited": treat it as unknown. */
function toFoundAmount(allocated: number | undefined): number | 'unknown' {
  return allocated === undefined || allocated < 0 ? 'unknown' : allocated;
}

/** More credits, and a later warning, are looser. */
export function compareAmounts(approved: number, found: number): Way {
  return found > approved ? 'looser' : 'tighter';
}

function compareRule(rule: RuleType, approved: RuleState, found: FoundRule): Way {
  const [should, is] = [toEffect(rule, approved), toEffect(rule, found)];
  if (should === undefined || is === undefined || should === is) return 'unclear';
  const isLoosening = rule === 'TenantPool' || rule === 'PayGo';
  return (is === 'on') === isLoosening ? 'looser' : 'tighter';
}

// By default the platform draws on the tenant's pool; its defaults for the other rules are unknown.
function toEffect(rule: RuleType, state: FoundRule): 'on' | 'off' | undefined {
  if (state === 'on' || state === 'off') return state;
  return state === 'platform-default' && rule === 'TenantPool' ? 'on' : undefined;
}
