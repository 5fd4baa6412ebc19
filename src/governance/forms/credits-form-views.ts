// The window of an environment's credits.
import type { KnownBlock } from '@slack/types';
import type { Effective } from '../../policy/policy.ts';
import { type Credits, RULE_TYPES, type RuleType } from '../../policy/values.ts';
import { buildSection, fitBlocks, toMrkdwnLine, toMrkdwnName } from '../../slack/views/content.ts';
import { buildChoice, buildLineField, type Fields } from '../../slack/views/fields.ts';
import type { ModalTopic } from '../../slack/views/modal.ts';
import { describeEnvironment } from '../inventory/inventory-views.ts';
import { parseAllocated, parseCredits, RULE_LABELS } from '../operations/credits.ts';
import { describeEffective } from '../operations/effective-words.ts';
import { describeValue } from '../operations/operations.ts';
import { type Filled, type FormWindow, toFieldErrors } from '../run/kept-form.ts';
import { buildActions, buildLines, joinNames } from '../shell/blocks.ts';
import { formatCredits } from '../shell/numbers.ts';
import { buildCurrencyMenu, toSuffix } from './currency-views.ts';
import { describeOwner } from './now-words.ts';
import { buildFormButton, encodeEnvironment } from './target-buttons.ts';

export const CREDITS_TOPIC: ModalTopic = {
  id: 'form_credits',
  title: 'Credits',
  loading: 'Looking up the credits of the environment…',
};

/** The action of the currency menu. Its value is the currency. */
export const CREDITS_CURRENCY_ACTION = 'form_credits_currency';

/**
 * `isOfMonth`: `used` counts from the beginning of the month. `others`: other currencies and rules that the service lists,
 * which stay as they are: untrusted.
 */
export type CreditsLook = {
  environment: { environmentId: string; name: string; ownerId: string | undefined };
  owner: string | undefined;
  currency: string;
  currencies: readonly string[];
  shown: Credits | 'none' | 'unreadable';
  used: number | undefined;
  isOfMonth: boolean;
  others: readonly string[];
  className: string | undefined;
  ofClass: Credits | undefined;
  policy: Effective<Credits> | undefined;
};

export type CreditsFormOptions = {
  defaultCurrency: string;
  /** The amount that was given with the command, perhaps not a number. */
  typed: string | undefined;
};

export function buildCreditsForm(look: CreditsLook, options: CreditsFormOptions): FormWindow {
  const { currency, currencies, environment, shown, others } = look;
  const present = typeof shown === 'string' ? undefined : shown;
  const suffix = toSuffix(currency, options.defaultCurrency);
  return {
    submit: 'Set credits',
    blocks: [
      ...fitBlocks(buildNow(look, options)),
      ...buildActions([buildFormButton('class', 'Class…', encodeEnvironment(environment))]),
      ...buildCurrencyMenu(CREDITS_CURRENCY_ACTION, currencies, currency),
      ...buildCreditsFields(present, { suffix, typed: options.typed, isNew: shown === 'none' }),
    ],
    note: describeKept(others),
  };
}

function buildNow(look: CreditsLook, { typed }: CreditsFormOptions): KnownBlock[] {
  const { environment, owner, className, ofClass, policy } = look;
  const { environmentId, name, ownerId } = environment;
  const says = ofClass === undefined ? '' : `: ${describeValue('credits', ofClass)}`;
  const lines = [
    `${describeEnvironment(environmentId, name)} · ${toMrkdwnLine(environmentId, 100)} · ${describeOwner({ owner, ownerId })}`,
    `Now: ${describeShown(look)}`,
    `Class: ${className === undefined ? 'none' : `${toMrkdwnName(className, 40)}${says}`}`,
    `Policy: ${policy === undefined ? 'says nothing of it' : describeEffective('credits', policy, className)}`,
  ];
  const isNumber = typed === undefined || typeof parseAllocated(typed) === 'number';
  return [...buildLines(lines), ...(isNumber ? [] : [buildSection(describeNotNumber(typed))])];
}

function describeShown({ shown, used, isOfMonth, currency }: CreditsLook): string {
  const ofUse = used === undefined ? '' : ` · used ${formatCredits(used)}${isOfMonth ? ' this month' : ''}`;
  if (shown === 'unreadable') return `could not be read${ofUse}`;
  if (shown === 'none') return `no credits in ${toMrkdwnName(currency, 40)}${ofUse}`;
  return `${describeValue('credits', shown)}${ofUse}`;
}

function describeNotNumber(typed: string): string {
  return `:warning: “${toMrkdwnName(typed, 60)}” is not a number of credits, for example 25000 or 25,000. ${parseAllocated(typed)}`;
}

function describeKept(others: readonly string[]): string {
  const rights = 'The right to allocate credits is for all environments of the tenant.';
  if (others.length === 0) return rights;
  const names = others.map((name) => toMrkdwnName(name, 60));
  return `Kept as it is: ${joinNames(names, MAX_OTHERS)}. ${rights}`;
}

const MAX_OTHERS = 10;

/** The names of the fields. */
function toNames(suffix: string) {
  const names = ['allocated', ...RULE_TYPES].map((value) => [value, `${value.toLowerCase()}${suffix}`]);
  return Object.fromEntries(names) as Record<'allocated' | RuleType, string>;
}

/** If the present value of a rule is unknown, nothing is preselected: an update sets all four. */
function buildCreditsFields(
  present: Credits | undefined,
  { suffix, typed, isNew }: { suffix: string; typed: string | undefined; isNew: boolean },
) {
  const names = toNames(suffix);
  const hint = 'A whole number of prepaid credits, reserved for this environment.';
  const initial = typed ?? present?.allocated?.toString();
  return [
    buildLineField({ name: names.allocated, label: 'Credits', hint }, { initial }),
    ...RULE_TYPES.map((rule) => {
      const found = present?.rules[rule];
      const isHidden = found === undefined && !isNew;
      const hint = isHidden ? `${HINTS[rule]} The service does not show what is set now.` : HINTS[rule];
      const field = { name: names[rule], label: RULE_LABELS[rule], hint };
      return buildChoice('radio_buttons', field, ON_OFF, found === undefined ? undefined : found ? 'on' : 'off');
    }),
  ];
}

const ON_OFF = [
  ['on', 'On'],
  ['off', 'Off'],
] as const;

const HINTS: Record<RuleType, string> = {
  Alert: 'Administrators hear of it when the credits run low.',
  TenantPool: 'Beyond its own credits, the environment uses those of the tenant that nobody reserved.',
  PayGo: 'Beyond the credits, consumption goes on and is billed to the subscription.',
  Deny: 'When the credits are used up, all agents of the environment stop, for everybody.',
};

export function readCreditsFields(fields: Fields, suffix: string): Filled<Credits> {
  const names = toNames(suffix);
  const rules = Object.fromEntries(RULE_TYPES.map((rule) => [rule, fields.chosenOf(names[rule], ['on', 'off'])]));
  const { credits, errors } = parseCredits({ allocated: fields.text(names.allocated), rules });
  return credits ? { filled: credits } : { errors: toFieldErrors(errors, names) };
}
