// How the credits of an environment are put into words for an admin in Slack (mrkdwn).

import type { Allocation, CurrencyAllocation, EnforcementRule } from '../../admin-api/licensing-wire.ts';
import { formatTime, toMrkdwnName } from '../../slack/views/content.ts';
import { describeRow } from '../changes/change-views.ts';
import { fitLines } from '../shell/blocks.ts';
import { formatCredits, toPercentUsed } from '../shell/whole-number.ts';
import { findCurrency, RULE_TYPES, readRule, toRuleType } from './allocation.ts';
import {
  type AllocationPlan,
  type AllocationRow,
  describeAllocated,
  RULE_LABELS,
  RULE_WORDS,
} from './allocation-plan.ts';
import type { CreditUsage } from './consumption.ts';

/** The allocation, the four rules, other fields, and what is used. */
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

/** In mrkdwn, a section each. Of several currencies those that stay as they are are left out. */
export function listAllocationRows({ rows }: Pick<AllocationPlan, 'rows'>): string[] {
  const changed = listChanged(rows);
  const shown = changed.size === 0 ? rows : rows.filter(({ currencyType }) => changed.has(currencyType));
  const texts = describeAllocationRows(shown);
  const more = texts.length - MAX_CURRENCIES;
  return [...texts.slice(0, MAX_CURRENCIES), ...(more > 0 ? [`And ${formatCredits(more)} more currencies.`] : [])];
}

/** Whether listAllocationRows leaves out nothing that changes. */
export function isListedWhole({ rows }: Pick<AllocationPlan, 'rows'>): boolean {
  return listChanged(rows).size <= MAX_CURRENCIES;
}

/** What goes along untouched, in one sentence; none where there is nothing. */
export function describeKept({ kept }: Pick<AllocationPlan, 'kept'>): string[] {
  const { currencies, rules } = kept;
  const ruleTypes = rules.map(({ ruleType }) => ruleType);
  const words = [
    ...listNamed('the currency', 'the currencies', currencies),
    ...listNamed('the rule', 'the rules', ruleTypes),
  ];
  return words.length === 0 ? [] : [`Sent along exactly as it is now: ${words.join(', and ')}.`];
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

export function toWord(word: string): string {
  return toMrkdwnName(word, MAX_WORD_LENGTH);
}

/** Names of currencies and rules, and units, leave room for the rest. */
const MAX_WORD_LENGTH = 60;

function describeUsage({ consumed, capacity, share, payGoConsumed, asOf }: CreditUsage, timeZone: string): string {
  if (consumed === undefined) return 'Used: unknown';
  const of = capacity === undefined ? '' : ` of ${formatCredits(capacity)}`;
  const percent = share === undefined ? '' : ` (${formatCredits(toPercentUsed(share))} %)`;
  const when = asOf === undefined ? '' : `, as of ${formatTime(asOf, timeZone)}`;
  const billed =
    payGoConsumed === undefined || payGoConsumed === 0 ? '' : `; billed besides: ${formatCredits(payGoConsumed)}`;
  return `Used: ${formatCredits(consumed)}${of}${percent}${when}${billed}`;
}

/** Leaves room for the rest within the blocks of a modal, and of a message. */
const MAX_CURRENCIES = 30;

/** The currencies that change. */
function listChanged(rows: readonly AllocationRow[]): Set<string> {
  return new Set(rows.filter(({ isChanged }) => isChanged).map(({ currencyType }) => currencyType));
}

/** old → new, a text for each currency, which is named where there are several. */
function describeAllocationRows(rows: readonly AllocationRow[]): string[] {
  const byCurrency = Map.groupBy(rows, ({ currencyType }) => currencyType);
  return [...byCurrency].map(([name, own]) => [`*${toWord(name)}*`, ...own.map(describeRow)].join('\n'));
}

function listNamed(one: string, several: string, names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`${names.length === 1 ? one : several} ${listWords(names)}`];
}

const MAX_LISTED = 10;

function listWords(words: readonly string[]): string {
  const more = words.length - MAX_LISTED;
  return [...words.slice(0, MAX_LISTED).map(toWord), ...(more > 0 ? [`${formatCredits(more)} more`] : [])].join(', ');
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
