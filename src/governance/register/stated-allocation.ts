// What is stated about allocations, in an entry and in the defaults behind it, made one.
import { RULE_TYPES } from '../allocation/credit-rules.ts';
import { type ApprovedAllocation, type Classification, type StatedAllocation, toIdKey } from './register.ts';
import type { Path } from './register-problem.ts';
import type { AllocationsForm } from './register-schema.ts';

type Stated = StatedAllocation[] | 'none';

type Tell = (path: Path, sentence: string) => void;

export function toStatedAllocations(form: AllocationsForm, tell: Tell): Stated {
  if (form === 'none') return form;
  const seen = new Set<string>();
  return Object.entries(form).map(([currencyType, { allocated, rules }]) => {
    if (seen.has(toIdKey(currencyType))) {
      tell([currencyType], `This currency is there twice (${currencyType}). Keep one of the two blocks.`);
    }
    seen.add(toIdKey(currencyType));
    return { currencyType, allocated, rules };
  });
}

/** What an entry does not state itself comes from the defaults; told, where something is then still open. */
export function completeAllocations(
  own: Stated | undefined,
  inherited: Stated | undefined,
  { classification, tell }: { classification: Classification; tell: Tell },
): ApprovedAllocation[] | 'none' {
  if (own === 'none' || (own === undefined && inherited === 'none')) return 'none';
  const merged = mergeStated(own ?? [], inherited === 'none' ? [] : (inherited ?? []));
  const otherwise = `here, or under defaults: ${classification}.`;
  if (merged.length === 0)
    tell([], `Write allocations: with a block for each approved currency, or none; ${otherwise}`);
  return merged.flatMap((one) => {
    const approved = toApproved(one);
    if (!Array.isArray(approved)) return [approved];
    const open = approved.join(', ');
    tell([one.currencyType], `Write for ${one.currencyType} what is approved for: ${open}; ${otherwise}`);
    return [];
  });
}

function mergeStated(own: readonly StatedAllocation[], inherited: readonly StatedAllocation[]): StatedAllocation[] {
  const isSame = (one: StatedAllocation) => (other: StatedAllocation) =>
    toIdKey(one.currencyType) === toIdKey(other.currencyType);
  const merged = own.map((one) => {
    const behind = inherited.find(isSame(one));
    if (behind === undefined) return one;
    const { currencyType, allocated = behind.allocated } = one;
    const stated = Object.entries(one.rules).filter(([, state]) => state !== undefined);
    return { currencyType, allocated, rules: { ...behind.rules, ...Object.fromEntries(stated) } };
  });
  return [...merged, ...inherited.filter((one) => !own.some(isSame(one)))];
}

function toApproved({ currencyType, allocated, rules }: StatedAllocation): ApprovedAllocation | string[] {
  const { Alert, TenantPool, PayGo, Deny } = rules;
  if (allocated !== undefined && Alert && TenantPool && PayGo && Deny) {
    return { currencyType, allocated, rules: { Alert, TenantPool, PayGo, Deny } };
  }
  return [...(allocated === undefined ? ['allocated'] : []), ...RULE_TYPES.filter((rule) => rules[rule] === undefined)];
}
