import type { Allocation, CurrencyAllocation } from '../../admin/allocation-wire.ts';
import {
  type FoundRule,
  findCurrency,
  RULE_TYPES,
  type RuleState,
  type RuleType,
  readRule,
} from '../allocation/credit-rules.ts';
import { type StatedAllocation, toIdKey } from '../register/register.ts';
import type { Way } from './finding.ts';
import type { BareDifference } from './verdict.ts';

/** What is stated, and found otherwise. What is not stated is not compared, but for credits that nobody stated. */
export function compareAllocation(
  stated: readonly StatedAllocation[] | 'none',
  found: Allocation,
  { otherCurrencies }: { otherCurrencies: 'report' | 'ignore' },
): BareDifference[] {
  if (stated === 'none') return found.currencyAllocations.map((currency) => toUnapproved(currency));
  const differences = stated.flatMap((one) => compareCurrency(one, found));
  if (otherCurrencies === 'ignore') return differences;
  const named = new Set(stated.map(({ currencyType }) => toIdKey(currencyType)));
  const others = found.currencyAllocations.filter(
    ({ currencyType, allocated }) => !named.has(toIdKey(currencyType)) && allocated !== 0,
  );
  return [...differences, ...others.map((currency) => toUnapproved(currency))];
}

function compareCurrency({ currencyType, allocated, rules }: StatedAllocation, found: Allocation): BareDifference[] {
  const currency = findCurrency(found, currencyType);
  const differences: BareDifference[] = [];
  // A currency that is not listed has nothing allocated.
  const foundAllocated = currency === undefined ? 0 : (currency.allocated ?? 'unknown');
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
  const way = allocated === undefined || allocated === 0 ? 'unclear' : 'looser';
  return { setting: 'allocated', currency: currencyType, approved: 'none', found: allocated ?? 'unknown', way };
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

// Platforms of this kind draw on the tenant's pool unless told not to; what they do about the other rules is not known.
function toEffect(rule: RuleType, state: FoundRule): 'on' | 'off' | undefined {
  if (state === 'on' || state === 'off') return state;
  return state === 'platform-default' && rule === 'TenantPool' ? 'on' : undefined;
}
