// How the credits of an environment are put into words for an admin in Slack (mrkdwn).

import type { ModalView } from '@slack/types';
import type { Allocation, CurrencyAllocation, EnforcementRule } from '../../admin-api/licensing-wire.ts';
import { buildSection, type Content, formatTime, toMrkdwnName } from '../../slack/views/content.ts';
import type { PlannedChange } from '../changes/change-kind.ts';
import {
  buildChangeConfirmation,
  buildChangeOutcome,
  type ConfirmOptions,
  describeRow,
} from '../changes/change-views.ts';
import { describeEnvironment } from '../inventory/inventory-views.ts';
import { fitLines } from '../shell/blocks.ts';
import { formatCredits } from '../shell/values.ts';
import { findCurrency, RULE_TYPES, readRule, toRuleType } from './allocation.ts';
import {
  type AllocationOutcome,
  type AllocationPlan,
  type AllocationRow,
  describeAllocated,
  RULE_LABELS,
  RULE_WORDS,
} from './allocation-plan.ts';
import type { CreditUsage } from './consumption.ts';

/** Names of currencies and rules, and units, leave room for the rest. */
const MAX_WORD_LENGTH = 60;

export function toWord(word: string): string {
  return toMrkdwnName(word, MAX_WORD_LENGTH);
}

/** What is allocated, the four rules, what is there besides, and what is used of it. */
export function describeCurrency(
  currency: CurrencyAllocation,
  usage: CreditUsage | undefined,
  timeZone: string,
): string {
  const { autoAllocated = 0 } = currency;
  const auto = autoAllocated > 0 ? `; automatically: ${formatCredits(autoAllocated)}` : '';
  const rules = RULE_TYPES.map((rule) => `${RULE_LABELS[rule]}: ${RULE_WORDS[readRule(currency, rule)]}`);
  const others = listOtherRules(currency);
  return fitLines([
    `*${toWord(currency.currencyType)}*: ${describeAllocated(currency)} allocated${auto}`,
    rules.join(' · '),
    ...(usage === undefined ? [] : [describeUsage(usage, timeZone)]),
    ...(others.length === 0 ? [] : [`Kept as it is: ${others.map(describeOtherRule).join(', ')}`]),
  ]);
}

function describeUsage({ consumed, capacity, share, payGoConsumed, asOf }: CreditUsage, timeZone: string): string {
  if (consumed === undefined) return 'Used: not told';
  const of = capacity === undefined ? '' : ` of ${formatCredits(capacity)}`;
  const percent = share === undefined ? '' : ` (${formatCredits(Math.round(share * 100))} %)`;
  const when = asOf === undefined ? '' : `, as of ${formatTime(asOf, timeZone)}`;
  const billed =
    payGoConsumed === undefined || payGoConsumed === 0 ? '' : `; billed besides: ${formatCredits(payGoConsumed)}`;
  return `Used: ${formatCredits(consumed)}${of}${percent}${when}${billed}`;
}

/** old → new, a text for each currency, which is named where there are several. */
function describeAllocationRows({ rows }: Pick<AllocationPlan, 'rows'>): string[] {
  const byCurrency = Map.groupBy(rows, ({ currencyType }: AllocationRow) => currencyType);
  return [...byCurrency].map(([name, own]) => [`*${toWord(name)}*`, ...own.map(describeRow)].join('\n'));
}

/** What goes along untouched, in one sentence; undefined where there is nothing. */
function describeKept({ kept }: Pick<AllocationPlan, 'kept'>): string | undefined {
  const { currencies, rules } = kept;
  const words = [
    ...(currencies.length === 0
      ? []
      : [`${currencies.length === 1 ? 'the currency' : 'the currencies'} ${listWords(currencies)}`]),
    ...(rules.length === 0
      ? []
      : [`${rules.length === 1 ? 'the rule' : 'the rules'} ${listWords(rules.map(({ ruleType }) => ruleType))}`]),
  ];
  return words.length === 0 ? undefined : `Sent along exactly as it is now: ${words.join(', and ')}.`;
}

const MAX_LISTED = 10;

function listWords(words: readonly string[]): string {
  const more = words.length - MAX_LISTED;
  return [...words.slice(0, MAX_LISTED).map(toWord), ...(more > 0 ? [`${formatCredits(more)} more`] : [])].join(', ');
}

/** Both values of every setting in which two looks differ. */
export function describeDifferences(expected: Allocation, found: Allocation | 'none'): string {
  if (found === 'none')
    return 'Found: no allocation at all. The service does not know one of this environment any more.';
  const names = [expected, found].flatMap(({ currencyAllocations }) =>
    currencyAllocations.map(({ currencyType }) => currencyType.toLowerCase()),
  );
  const lines = [...new Set(names)].flatMap((name) =>
    compareCurrency(findCurrency(expected, name), findCurrency(found, name)),
  );
  return lines.length === 0 ? 'They differ in something beyond credits and rules.' : fitLines(lines);
}

function compareCurrency(expected: CurrencyAllocation | undefined, found: CurrencyAllocation | undefined): string[] {
  const name = toWord((found ?? expected)?.currencyType ?? '');
  const others = new Map(
    [expected, found].flatMap(listOtherRules).map(({ ruleType }) => [ruleType.toLowerCase(), ruleType]),
  );
  const settings: [string, string, string][] = [
    ['Allocated', describeAllocated(expected), describeAllocated(found)],
    ...RULE_TYPES.map((rule): [string, string, string] => [
      RULE_LABELS[rule],
      RULE_WORDS[readRule(expected, rule)],
      RULE_WORDS[readRule(found, rule)],
    ]),
    ...[...others].map(([rule, ruleType]): [string, string, string] => [
      toWord(ruleType),
      describeListed(expected, rule),
      describeListed(found, rule),
    ]),
  ];
  return settings
    .filter(([, one, other]) => one !== other)
    .map(([label, one, other]) => `${name}, ${label}: expected ${one}, found *${other}*`);
}

function listOtherRules(currency: CurrencyAllocation | undefined): EnforcementRule[] {
  return (currency?.enforcementRules ?? []).filter(({ ruleType }) => toRuleType(ruleType) === undefined);
}

function describeListed(currency: CurrencyAllocation | undefined, name: string): string {
  const rule = listOtherRules(currency).find(({ ruleType }) => ruleType.toLowerCase() === name);
  return rule === undefined ? 'not there' : toState(rule);
}

function describeOtherRule(rule: EnforcementRule): string {
  return `${toWord(rule.ruleType)} (${toState(rule)})`;
}

function toState({ enabled }: EnforcementRule): string {
  if (enabled === 'unknown') return enabled;
  return enabled ? 'on' : 'off';
}

type PlannedAllocation = PlannedChange<AllocationPlan>;

/** How a change of an environment's credits ended. */
export function buildAllocationOutcome(change: PlannedAllocation, outcome: AllocationOutcome): Content {
  return buildChangeOutcome(describeAllocationOf(change), outcome, {
    rows: listAllocationRows(change.plan),
    notes: NOT_VERIFIED,
    describeConflict: ({ expected, found }) => describeDifferences(expected, found),
    advice: ADVICE,
  });
}

export function describeAllocationOf({ plan, environmentName }: PlannedAllocation): string {
  return `the allocation of ${describeEnvironment(plan.environmentId, environmentName)}`;
}

const NOT_VERIFIED = {
  read_back_failed: 'Reading it back failed. Look with `/assistant-admin allocation <environment>` in a few minutes.',
  still_old:
    'It still shows the old values. Look with `/assistant-admin allocation <environment>` in a few minutes before you set it again.',
  no_answer:
    'The service did not answer in time, and looking did not settle it. Look with `/assistant-admin allocation <environment>`, or in the admin console, before you set it again.',
};

const ADVICE = {
  before_write:
    'Open the environment again with `/assistant-admin allocation <environment>`, and decide from what is there now.',
  after_write:
    'Somebody may have changed it at the same time. Look again with `/assistant-admin allocation <environment>`, and agree with them.',
  unanswered:
    'Somebody may have changed it at the same time. Look again with `/assistant-admin allocation <environment>` before you set it again.',
};

/** callback_id of the confirmation. */
export const ALLOCATION_CONFIRM_MODAL = 'admin_allocation_confirm';

/** Leaves room for the rest within the blocks of a modal, and of a message. */
const MAX_CURRENCIES = 30;

export function buildAllocationConfirmation(
  plan: AllocationPlan,
  { environmentName, ...options }: ConfirmOptions & { environmentName?: string | undefined },
): ModalView {
  const kept = describeKept(plan);
  return buildChangeConfirmation(
    {
      callbackId: ALLOCATION_CONFIRM_MODAL,
      blocks: [
        buildSection(describeEnvironment(plan.environmentId, environmentName)),
        ...listAllocationRows(plan).map(buildSection),
      ],
      warnings: plan.warnings,
      notes: [...LOOSENS[`${plan.loosens}`], ...(kept === undefined ? [] : [kept])],
      changes: plan.changes,
    },
    options,
  );
}

/** In mrkdwn, a section each. Of several currencies those that stay as they are are left out. */
export function listAllocationRows({ rows }: Pick<AllocationPlan, 'rows'>): string[] {
  const changed = new Set(rows.filter(({ isChanged }) => isChanged).map(({ currencyType }) => currencyType));
  const shown = changed.size === 0 ? rows : rows.filter(({ currencyType }) => changed.has(currencyType));
  const texts = describeAllocationRows({ rows: shown });
  const more = texts.length - MAX_CURRENCIES;
  return [...texts.slice(0, MAX_CURRENCIES), ...(more > 0 ? [`And ${formatCredits(more)} more currencies.`] : [])];
}

/** Whether listAllocationRows leaves out nothing that changes. */
export function isListedWhole({ rows }: Pick<AllocationPlan, 'rows'>): boolean {
  const changed = rows.filter(({ isChanged }) => isChanged);
  return new Set(changed.map(({ currencyType }) => currencyType)).size <= MAX_CURRENCIES;
}

const LOOSENS = {
  true: ['This allows more to be spent than before.'],
  false: [],
  unknown: ['Whether this allows more than before cannot be told: the service does not say what holds now.'],
};
