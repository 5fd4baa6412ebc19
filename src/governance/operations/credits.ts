// Credits of environments: in words, and as they are typed.
import { type Credits, RULE_TYPES, type RuleType } from '../../policy/values.ts';
import { formatCredits, MAX_AMOUNT, type NotWhole, parseWholeNumber } from '../shell/numbers.ts';

/** Names that people see, also in forms and lists. */
export const RULE_LABELS: Record<RuleType, string> = {
  Alert: 'Alert administrators',
  TenantPool: 'Draw on the tenant pool',
  PayGo: 'Pay as you go',
  Deny: 'Deny when used up',
};

export function describeCredits(credits: Credits): string {
  const amount = credits.allocated === undefined ? [] : [`${formatCredits(credits.allocated)} credits`];
  return [...amount, ...describeRules(credits)].join(' · ') || 'nothing';
}

function describeRules({ rules }: Credits): string[] {
  const stated = RULE_TYPES.filter((rule) => rules[rule] !== undefined);
  return stated.map((rule) => `${RULE_LABELS[rule]}: ${rules[rule] ? 'on' : 'off'}`);
}

/** What the administrator entered. A rule is undefined if nothing was chosen. */
export type TypedCredits = { allocated: string; rules: { [rule in RuleType]?: 'on' | 'off' | undefined } };

export type ParsedCredits =
  | { credits: Credits; errors?: undefined }
  | { errors: { [field in 'allocated' | RuleType]?: string }; credits?: undefined };

/** An update sets the amount and all four rules, so each of them needs a value. Sentences are plain text. */
export function parseCredits({ allocated: typed, rules }: TypedCredits): ParsedCredits {
  const allocated = parseAllocated(typed);
  const undecided = RULE_TYPES.filter((rule) => rules[rule] === undefined);
  if (typeof allocated === 'number' && undecided.length === 0) {
    const chosen = RULE_TYPES.map((rule) => [rule, rules[rule] === 'on']);
    return { credits: { allocated, rules: Object.fromEntries(chosen) } };
  }
  return {
    errors: {
      ...(typeof allocated === 'string' && { allocated }),
      ...Object.fromEntries(undecided.map((rule) => [rule, UNDECIDED])),
    },
  };
}

/** A whole number of credits, or a sentence that says what is wrong. */
export function parseAllocated(typed: string): number | string {
  return parseWholeNumber(typed, SENTENCES);
}

const UNDECIDED = 'Choose on or off: an update sets all four rules.';

const SENTENCES: Record<NotWhole, string> = {
  empty: 'Enter the credits to allocate, for example 25000. Enter 0 to allocate none.',
  negative: 'Credits cannot be negative. Enter 0 or more, for example 25000.',
  not_whole: 'Enter a whole number without a fraction, for example 25000 or 25,000.',
  not_digits: 'This is not a number. Enter digits only, for example 25000 or 25,000.',
  too_large: `This is too large: the highest allocation is ${formatCredits(MAX_AMOUNT)}.`,
};
