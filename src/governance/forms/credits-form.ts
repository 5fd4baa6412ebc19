// The window of an environment's credits, and the edit of the policy that follows from it.
import type { KnownBlock } from '@slack/types';
import type { AdminSession } from '../../admin-api/admin-session.ts';
import { type Allocation, isMonthToDate } from '../../admin-api/licensing-wire.ts';
import { setEdit } from '../../policy/edit.ts';
import { type Effective, readClass, readCredits, readStandard } from '../../policy/policy.ts';
import { isSameId } from '../../policy/target.ts';
import { type Credits, RULE_TYPES, type RuleType } from '../../policy/values.ts';
import { fitBlocks, toMrkdwnLine, toMrkdwnName } from '../../slack/views/content.ts';
import { buildChoice, buildLineField, type Fields } from '../../slack/views/fields.ts';
import type { ModalTopic } from '../../slack/views/modal.ts';
import { describeEnvironment } from '../inventory/inventory-views.ts';
import { parseAllocated, parseCredits, RULE_LABELS } from '../operations/credits.ts';
import { describeEffective } from '../operations/effective-words.ts';
import { describeValue } from '../operations/operations.ts';
import { findCredits, isSameCreditsState, toCreditsWay } from '../plan/compare.ts';
import { readSeen } from '../plan/read-seen.ts';
import type { SeenCredits } from '../plan/seen.ts';
import { type Filled, type FormWindow, opensForm, showForm, toFieldErrors } from '../run/kept-form.ts';
import type { GovernanceServices } from '../services.ts';
import { buildActions, buildLines, joinNames } from '../shell/blocks.ts';
import type { Opened } from '../shell/modal.ts';
import { formatCredits } from '../shell/numbers.ts';
import {
  buildCurrencyMenu,
  describeOwner,
  findOwner,
  listCurrencies,
  soon,
  toSuffix,
  warnNotNumber,
} from './now-words.ts';
import { toKeptForm } from './policy-form.ts';
import {
  buildFormButton,
  encodeEnvironment,
  FORM_ACTIONS,
  type PickedEnvironment,
  parseEnvironment,
} from './target-buttons.ts';

export const CREDITS_TOPIC: ModalTopic = {
  id: 'form_credits',
  title: 'Credits',
  loading: 'Looking up the credits of the environment…',
};

/** The action of the currency menu. Its value is the currency. */
const CREDITS_CURRENCY_ACTION = 'form_credits_currency';

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

/** What the window was made from. `before`: what the service showed; `none`: no such credits. */
type CreditsState = {
  environment: { environmentId: string; name: string };
  currency: string;
  before: CreditsLook['shown'];
  used: number | undefined;
};

export const CREDITS_FORM = toKeptForm<CreditsState, Credits>({
  callbackId: 'form_credits_set',
  topic: CREDITS_TOPIC,
  working: 'Setting the credits…',
  tooOld: 'This is too old, so nothing was changed. Give the command again: /assistant-admin credits.',
  button: opensForm(FORM_ACTIONS.credits, parseEnvironment, openCreditsForm),
  menu: {
    actionId: CREDITS_CURRENCY_ACTION,
    open: ({ environment }, currency, opened, services) => openCreditsForm(environment, opened, services, currency),
  },
  decision: { hasUntil: true, approver: 'maybe' },
  read: (fields, state, { currency }) => readCreditsFields(fields, toSuffix(state.currency, currency)),
  needsApprover({ before, currency }, credits) {
    if (before === 'unreadable') return true;
    const [old, next] = [before === 'none' ? {} : { [currency]: before }, { [currency]: credits }];
    return !isSameCreditsState(old, next) && toCreditsWay(old, next) !== 'less';
  },
  toEdits: ({ environment: { environmentId }, currency, before, used }, credits, until) => ({
    edits: [setEdit('credits', { environmentId, currency }, credits, until)],
    // A value that could not be read does not count as changed.
    isAsShown: (items) =>
      items.every((item) => {
        if (item.resource !== 'credits' || before === 'unreadable') return true;
        const now = findCredits(item.before, currency);
        return isSameCreditsState(now ? { [currency]: now } : {}, before === 'none' ? {} : { [currency]: before });
      }),
    options: { used: () => used },
  }),
});

export async function openCreditsForm(
  { typed, ...environment }: PickedEnvironment,
  opened: Opened,
  services: GovernanceServices,
  currency = services.currency,
): Promise<void> {
  const look = await lookAtCredits(environment, currency, opened, services);
  const state = { environment, currency, before: look.shown, used: look.used };
  const window = buildCreditsForm(look, { defaultCurrency: services.currency, typed });
  await showForm(CREDITS_FORM, { state, ...window }, opened, services);
}

async function lookAtCredits(
  { environmentId, name }: { environmentId: string; name: string },
  currency: string,
  { openSession, caller }: Opened,
  services: GovernanceServices,
): Promise<CreditsLook> {
  const session = await openSession();
  const [{ policy }, seen, entitlements, ownerId] = await Promise.all([
    services.policy.read(),
    readSeen(session, { environments: [{ environmentId, name, ownerId: undefined }], currencies: [] }, services),
    soon(session.readEntitlements(environmentId)),
    findOwnerId(environmentId, { session, caller }, services),
  ]);
  const now = services.now();
  const looked = seen.credits(environmentId) ?? 'unreadable';
  const names = looked === 'unreadable' ? [] : Object.keys(looked.credits);
  const currencies = listCurrencies(names, currency, services.currency);
  const ofCurrency =
    entitlements === 'gap' ? undefined : entitlements.find((one) => isSameId(one.entitlementId ?? '', currency));
  return {
    environment: { environmentId, name, ownerId },
    owner: await findOwner({ ownerId }, caller, services),
    ...{ used: ofCurrency?.consumed, isOfMonth: ofCurrency !== undefined && isMonthToDate(ofCurrency) },
    ...{ currency, currencies, others: listOthers(looked, currency) },
    shown: looked === 'unreadable' ? looked : (findCredits(looked.credits, currency) ?? 'none'),
    className: readClass(policy, environmentId, now),
    ofClass: findCredits(readStandard(policy, environmentId, now)?.credits ?? {}, currency),
    policy: readCredits(policy, { environmentId, currency }, now),
  };
}

/** Undefined if it is not found soon: the window does not wait for the list. */
async function findOwnerId(
  environmentId: string,
  { session, caller }: { session: AdminSession; caller: Opened['caller'] },
  { inventories }: Pick<GovernanceServices, 'inventories'>,
): Promise<string | undefined> {
  const found = await soon(inventories.toSession(session, caller, { isFresh: false }).findEnvironments());
  return found === 'gap' ? undefined : found.rows.find(({ name }) => isSameId(name, environmentId))?.ownerId;
}

/** Other currencies, and rules that the contract does not name: an update sends them along as they are. */
function listOthers(looked: SeenCredits, currency: string): string[] {
  if (looked === 'unreadable' || looked.raw === 'none') return [];
  const { currencyAllocations }: Allocation = looked.raw;
  return currencyAllocations.flatMap(({ currencyType, enforcementRules }) => {
    if (!isSameId(currencyType, currency)) return [currencyType];
    const names = enforcementRules.map(({ ruleType }) => ruleType);
    return names.filter((name) => !RULE_TYPES.some((rule) => isSameId(rule, name)));
  });
}

type CreditsFormOptions = {
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
  return [...buildLines(lines), ...(isNumber ? [] : [warnNotNumber(typed, '25000 or 25,000', parseAllocated(typed))])];
}

function describeShown({ shown, used, isOfMonth, currency }: CreditsLook): string {
  const ofUse = used === undefined ? '' : ` · used ${formatCredits(used)}${isOfMonth ? ' this month' : ''}`;
  if (shown === 'unreadable') return `could not be read${ofUse}`;
  if (shown === 'none') return `no credits in ${toMrkdwnName(currency, 40)}${ofUse}`;
  return `${describeValue('credits', shown)}${ofUse}`;
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

function readCreditsFields(fields: Fields, suffix: string): Filled<Credits> {
  const names = toNames(suffix);
  const rules = Object.fromEntries(RULE_TYPES.map((rule) => [rule, fields.chosenOf(names[rule], ['on', 'off'])]));
  const { credits, errors } = parseCredits({ allocated: fields.text(names.allocated), rules });
  return credits ? { filled: credits } : { errors: toFieldErrors(errors, names) };
}
