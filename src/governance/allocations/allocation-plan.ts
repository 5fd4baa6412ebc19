// The way from what an admin typed to the plan of a change of an environment's credits. Pure: the same input makes the
// same plan.
import type { Allocation, CurrencyAllocation } from '../../admin-api/licensing-wire.ts';
import { type PlanRow, toPlanRow } from '../changes/change.ts';
import { formatCredits, MAX_WHOLE_NUMBER, type NotWhole, parseWholeNumber } from '../shell/whole-number.ts';
import {
  type FoundRule,
  findCurrency,
  isSameAllocation,
  isSameWord,
  RULE_TYPES,
  type RuleType,
  readRule,
  toRuleType,
  type WantedCredits,
  withCredits,
} from './allocation.ts';
import { type AllocationWarning, findAllocationWarnings } from './allocation-warnings.ts';

/** As typed and chosen; a rule that nobody chose is undefined. */
export type AllocationForm = {
  currencyType: string;
  allocated: string;
  rules: { [rule in RuleType]?: 'on' | 'off' | undefined };
};

export type AllocationFormErrors = { [field in 'allocated' | RuleType]?: string };

export type ParsedAllocationForm = { ok: true; wanted: WantedCredits } | { ok: false; errors: AllocationFormErrors };

export function parseAllocationForm({ currencyType, allocated, rules }: AllocationForm): ParsedAllocationForm {
  const credits = parseWholeNumber(allocated, CREDITS_SENTENCES);
  const undecided = RULE_TYPES.filter((rule) => rules[rule] === undefined);
  if (typeof credits === 'number' && undecided.length === 0) {
    const chosen = toRules((rule) => rules[rule] === 'on');
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

/** Plain values only: a plan may be kept as JSON between its making and its confirmation. */
export type AllocationPlan = {
  environmentId: string;
  /** What the plan was made from: it holds only as long as this does. */
  before: Allocation;
  wanted: WantedCredits[];
  /** Complete: an update replaces all of an allocation. */
  after: Allocation;
  rows: AllocationRow[];
  warnings: AllocationWarning[];
  /** Allows more than before. */
  loosens: boolean | 'unknown';
  /** False: everything is set like this already. */
  changes: boolean;
  /** What is sent along as it is: whole currencies, and rules that the contract does not name. Names from outside. */
  kept: { currencies: string[]; rules: { currencyType: string; ruleType: string }[] };
};

/** What is left out stays as it is, where that can be told. */
export type StatedCredits = {
  currencyType: string;
  allocated?: number | undefined;
  rules?: { [rule in RuleType]?: boolean | undefined } | undefined;
};

export type AllocationPlanResult =
  | { kind: 'planned'; plan: AllocationPlan }
  /** An update sets all four rules, and these are left to the platform or unknown: ask, then plan again. */
  | { kind: 'needs_choice'; open: { currencyType: string; setting: 'allocated' | RuleType }[] };

export type AllocationPlanRequest = {
  before: Allocation;
  /** One for each currency that is to change. */
  stated: readonly StatedCredits[];
  /** What has been used this month of these currencies, where it is known. */
  consumption?: readonly { currencyType: string; consumed: number }[];
};

export function planAllocation({ before, stated, consumption = [] }: AllocationPlanRequest): AllocationPlanResult {
  const open = stated.flatMap((one) => findOpen(before, one));
  if (open.length > 0) return { kind: 'needs_choice', open };
  const wanted = stated.map((one) => complete(before, one));
  const after = withCredits(before, wanted);
  const steps = wanted.map((one) => ({
    one,
    credits: findCurrency(before, one.currencyType),
    consumed: consumption.find(({ currencyType }) => isSameWord(currencyType, one.currencyType))?.consumed,
  }));
  const answers = steps.map(({ one, credits }) => isLooseningCredits(credits, one));
  const plan: AllocationPlan = {
    environmentId: before.environmentId,
    before,
    wanted,
    after,
    rows: steps.flatMap(({ one, credits }) => buildAllocationRows(credits, one)),
    warnings: steps.flatMap(({ one, credits, consumed }) => findAllocationWarnings({ credits, consumed }, one)),
    loosens: isAnyLoosening(answers),
    changes: !isSameAllocation(before, after),
    kept: listKept(before, wanted),
  };
  return { kind: 'planned', plan };
}

/** One line of old → new, in words, for one currency. Its name comes from outside. */
export type AllocationRow = PlanRow & { currencyType: string };

/** Five for each currency: what is allocated, and the four rules. */
export function buildAllocationRows(before: CurrencyAllocation | undefined, after: WantedCredits): AllocationRow[] {
  const { currencyType, allocated, rules } = after;
  return [
    toPlanRow('Allocated', describeAllocated(before), `${formatCredits(allocated)} credits`),
    ...RULE_TYPES.map((rule) =>
      toPlanRow(RULE_LABELS[rule], RULE_WORDS[readRule(before, rule)], rules[rule] ? 'on' : 'off'),
    ),
  ].map((row) => ({ currencyType, ...row }));
}

/** In the words of people: also for forms and lists. */
export const RULE_LABELS: Record<RuleType, string> = {
  Alert: 'Alert administrators',
  TenantPool: 'Draw on the tenant pool',
  PayGo: 'Pay as you go',
  Deny: 'Deny when used up',
};

export const RULE_WORDS: Record<FoundRule, string> = {
  on: 'on',
  off: 'off',
  'platform-default': 'platform default',
  unknown: 'unknown',
};

export function describeAllocated(currency: CurrencyAllocation | undefined): string {
  if (currency === undefined) return 'none';
  return currency.allocated === undefined ? 'unknown' : `${formatCredits(currency.allocated)} credits`;
}

const UNDECIDED = 'Choose on or off: the service does not tell what holds now, and an update sets all four rules.';

/** What is wrong with credits that somebody typed. */
export const CREDITS_SENTENCES: Record<NotWhole, string> = {
  empty: 'Enter the credits to allocate, for example 25000. Enter 0 to allocate none.',
  negative: 'Credits cannot be negative. Enter 0 or more.',
  not_whole: 'Enter a whole number without a fraction, for example 25000 or 25,000.',
  not_digits: 'Enter digits only, for example 25000 or 25,000.',
  too_large: `This is too large: the highest allocation is ${formatCredits(MAX_WHOLE_NUMBER)}.`,
};

function toRules(isOn: (rule: RuleType) => boolean): WantedCredits['rules'] {
  return { Alert: isOn('Alert'), TenantPool: isOn('TenantPool'), PayGo: isOn('PayGo'), Deny: isOn('Deny') };
}

function findOpen(before: Allocation, { currencyType, allocated, rules = {} }: StatedCredits) {
  const credits = findCurrency(before, currencyType);
  const isAmountOpen = allocated === undefined && credits?.allocated === undefined;
  const open = RULE_TYPES.filter(
    (rule) => rules[rule] === undefined && !['on', 'off'].includes(readRule(credits, rule)),
  );
  const settings = [...(isAmountOpen ? ['allocated' as const] : []), ...open];
  return settings.map((setting) => ({ currencyType, setting }));
}

/** Under the name that the service has for the currency. */
function complete(before: Allocation, { currencyType, allocated, rules = {} }: StatedCredits): WantedCredits {
  const credits = findCurrency(before, currencyType);
  const isOn = (rule: RuleType) => rules[rule] ?? readRule(credits, rule) === 'on';
  return {
    currencyType: credits?.currencyType ?? currencyType,
    allocated: allocated ?? credits?.allocated ?? 0,
    rules: toRules(isOn),
  };
}

function listKept({ currencyAllocations }: Allocation, wanted: readonly WantedCredits[]): AllocationPlan['kept'] {
  const isWanted = (currencyType: string) => wanted.some((one) => isSameWord(one.currencyType, currencyType));
  const changed = currencyAllocations.filter(({ currencyType }) => isWanted(currencyType));
  return {
    currencies: currencyAllocations.map(({ currencyType }) => currencyType).filter((name) => !isWanted(name)),
    rules: changed.flatMap(({ currencyType, enforcementRules }) =>
      enforcementRules
        .filter(({ ruleType }) => toRuleType(ruleType) === undefined)
        .map(({ ruleType }) => ({ currencyType, ruleType })),
    ),
  };
}

type Loosens = boolean | 'unknown';

/**
 * Whether more may be spent than before: a higher allocation, TenantPool or PayGo on, Deny off. `unknown`: what held
 * before is not told, the platform's own choice included; whoever asks for a second admin asks then, too.
 */
function isLooseningCredits(before: CurrencyAllocation | undefined, after: WantedCredits): Loosens {
  const answers: Loosens[] = [
    isHigher(before, after.allocated),
    after.rules.TenantPool && isOtherThan('on', readRule(before, 'TenantPool')),
    after.rules.PayGo && isOtherThan('on', readRule(before, 'PayGo')),
    !after.rules.Deny && isOtherThan('off', readRule(before, 'Deny')),
  ];
  return isAnyLoosening(answers);
}

function isAnyLoosening(answers: readonly Loosens[]): Loosens {
  if (answers.includes(true)) return true;
  return answers.includes('unknown') ? 'unknown' : false;
}

/** A currency that is not listed has nothing allocated. */
function isHigher(before: CurrencyAllocation | undefined, allocated: number): Loosens {
  if (before === undefined) return allocated > 0;
  return before.allocated === undefined ? 'unknown' : allocated > before.allocated;
}

function isOtherThan(state: 'on' | 'off', found: FoundRule): Loosens {
  if (found === state) return false;
  return found === 'on' || found === 'off' ? true : 'unknown';
}
