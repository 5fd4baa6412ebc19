// The form of an environment's credits: what an admin typed and chose, or one sentence for each field that cannot be.
import { type NotWhole, readWholeNumber } from '../shell/values.ts';
import { RULE_TYPES, type RuleType } from './credit-rules.ts';
import type { WantedCredits } from './with-credits.ts';

/** As typed and chosen; a rule that nobody chose is undefined. */
export type AllocationForm = {
  currencyType: string;
  allocated: string;
  rules: { [rule in RuleType]?: 'on' | 'off' | undefined };
};

type AllocationFormErrors = { [field in 'allocated' | RuleType]?: string };

export type ParsedAllocationForm = { ok: true; wanted: WantedCredits } | { ok: false; errors: AllocationFormErrors };

export function parseAllocationForm({ currencyType, allocated, rules }: AllocationForm): ParsedAllocationForm {
  const credits = parseAllocatedCredits(allocated);
  const undecided = RULE_TYPES.filter((rule) => rules[rule] === undefined);
  if (typeof credits === 'number' && undecided.length === 0) {
    const isOn = (rule: RuleType) => rules[rule] === 'on';
    const chosen = { Alert: isOn('Alert'), TenantPool: isOn('TenantPool'), PayGo: isOn('PayGo'), Deny: isOn('Deny') };
    return { ok: true, wanted: { currencyType, allocated: credits, rules: chosen } };
  }
  return {
    ok: false,
    errors: {
      ...(typeof credits === 'string' ? { allocated: credits } : {}),
      ...Object.fromEntries(undecided.map((rule) => [rule, UNDECIDED])),
    },
  };
}

const UNDECIDED = 'Choose on or off: the service does not tell what holds now, and an update sets all four rules.';

const SENTENCES: Record<NotWhole, string> = {
  empty: 'Enter the credits to allocate, for example 25000. Enter 0 to allocate none.',
  negative: 'Credits cannot be negative. Enter 0 or more.',
  not_whole: 'Enter a whole number without a fraction, for example 25000 or 25,000.',
  not_digits: 'Enter digits only, for example 25000 or 25,000.',
  too_large: 'This is too large: the highest allocation is 2,147,483,647.',
};

/** A whole number of credits, or the sentence that says why not. */
function parseAllocatedCredits(typed: string): number | string {
  const credits = readWholeNumber(typed);
  return typeof credits === 'number' ? credits : SENTENCES[credits];
}
