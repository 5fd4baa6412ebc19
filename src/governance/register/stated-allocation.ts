// What is stated about allocations, in an entry and in the defaults behind it, made one.
import {
  type ApprovedAllocation,
  type Classification,
  RULE_TYPES,
  type StatedAllocation,
  toIdKey,
} from './register.ts';
import type { Path } from './register-problem.ts';
import type { AllocationsForm } from './register-schema.ts';

type Stated = StatedAllocation[] | 'none';

export function toStatedAllocations(form: AllocationsForm, tell: (path: Path, sentence: string) => void): Stated {
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

/** What an entry does not state itself comes from the defaults; `sentence` where something is then still open. */
export function completeAllocations(
  own: Stated | undefined,
  inherited: Stated | undefined,
  classification: Classification,
): { allocations: ApprovedAllocation[] | 'none' } | { sentence: string } {
  const stated = own ?? inherited;
  if (stated === 'none') return { allocations: 'none' };
  const merged = mergeStated(
    own === 'none' || own === undefined ? [] : own,
    inherited === 'none' ? [] : (inherited ?? []),
  );
  if (merged.length === 0) {
    return {
      sentence: `Write allocations: with a block for each approved currency, or none; here or under defaults: ${classification}.`,
    };
  }
  const allocations: ApprovedAllocation[] = [];
  for (const one of merged) {
    const complete = toApproved(one);
    if (Array.isArray(complete)) return { sentence: describeOpen(one.currencyType, complete, classification) };
    allocations.push(complete);
  }
  return { allocations };
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

function describeOpen(currencyType: string, open: readonly string[], classification: Classification): string {
  const missing = open.join(', ');
  return `Write for ${currencyType} what is approved for: ${missing}. Here, or under defaults: ${classification}.`;
}
