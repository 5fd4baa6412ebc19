// What a change of an environment's credits would do, before anything is done. Pure: the same input makes the same plan.
import type { Allocation } from '../../admin-api/licensing-wire.ts';
import { type AllocationRow, buildAllocationRows } from '../allocation/allocation-rows.ts';
import {
  findCurrency,
  isSameWord,
  RULE_TYPES,
  type RuleType,
  readRule,
  toRuleType,
} from '../allocation/credit-rules.ts';
import { isLooseningCredits } from '../allocation/is-loosening.ts';
import { isSameAllocation } from '../allocation/same-allocation.ts';
import { type WantedCredits, withCredits } from '../allocation/with-credits.ts';
import { type AllocationWarning, findAllocationWarnings } from './allocation-warnings.ts';

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
  /** False: all of it holds already. */
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
    loosens: answers.includes(true) || (answers.includes('unknown') ? 'unknown' : false),
    changes: !isSameAllocation(before, after),
    kept: listKept(before, wanted),
  };
  return { kind: 'planned', plan };
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
    rules: { Alert: isOn('Alert'), TenantPool: isOn('TenantPool'), PayGo: isOn('PayGo'), Deny: isOn('Deny') },
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
