import type { Allocation, CurrencyAllocation } from '../../admin-api/licensing-wire.ts';
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

/** Credits that nobody stated may be none, and be paid for all the same. What is left to the platform is not told. */
function toUnapprovedDraws(currency: CurrencyAllocation): BareDifference[] {
  return (['TenantPool', 'PayGo'] as const).flatMap((setting): BareDifference[] => {
    const found = readRule(currency, setting);
    if (found !== 'on' && found !== 'unknown') return [];
    const way = found === 'on' ? 'looser' : 'unclear';
    return [{ setting, currency: currency.currencyType, approved: 'none', found, way }];
  });
}

/** Some platforms write a number below 0 for what has no bounds: what it means is not known. */
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

// Platforms of this kind draw on the tenant's pool unless told not to; what they do about the other rules is not known.
function toEffect(rule: RuleType, state: FoundRule): 'on' | 'off' | undefined {
  if (state === 'on' || state === 'off') return state;
  return state === 'platform-default' && rule === 'TenantPool' ? 'on' : undefined;
}
