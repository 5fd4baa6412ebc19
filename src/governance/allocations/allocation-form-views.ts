// The modals of an allocation: the choice between environments, and the form that shows all currencies and sets one.
import type { InputBlock, KnownBlock, ModalView, SectionBlock } from '@slack/types';
import { z } from 'zod';
import type { Allocation, CurrencyAllocation } from '../../admin-api/licensing-wire.ts';
import { buildPlainText, buildSection, formatTime, toLine, toMrkdwnLine } from '../../slack/views/content.ts';
import type { ModalTopic } from '../../slack/views/modal.ts';
import { MAX_BUTTON_VALUE_LENGTH, MAX_OPTION_TEXT_LENGTH, MAX_OPTIONS } from '../../slack/web/limits.ts';
import { describeInterrupted, type InterruptedChange } from '../changes/change-views.ts';
import type { NamedEnvironment } from '../inventory/inventory.ts';
import { describeEnvironment } from '../inventory/inventory-views.ts';
import { buildNotes } from '../shell/blocks.ts';
import {
  buildRadioButtons,
  buildTextInput,
  type FormValues,
  readChoice,
  readText,
  toFieldErrors,
} from '../shell/form-fields.ts';
import { buildChoiceModal } from '../shell/modal.ts';
import { parseState } from '../shell/modal-state.ts';
import { formatCredits } from '../shell/whole-number.ts';
import { type FoundRule, findCurrency, isSameWord, RULE_TYPES, type RuleType, readRule } from './allocation.ts';
import { type AllocationForm, type AllocationFormErrors, RULE_LABELS } from './allocation-plan.ts';
import { describeCurrency, toWord } from './allocation-words.ts';
import type { CreditUsage } from './consumption.ts';

export const ALLOCATION_TOPIC: ModalTopic = {
  id: 'admin_allocation',
  title: 'Credit allocation',
  loading: 'Looking up the environment and its credits…',
};

/** Opens the allocation of the environment; the value is read by parseEnvironmentValue. */
export const ALLOCATION_OPEN_ACTION = 'admin_allocation_open';

/** `replyTo` comes back as the view's private_metadata. `typed`: the credits that were given with the command. */
export function buildEnvironmentChoice(
  environments: readonly NamedEnvironment[],
  { typed, ...asked }: { query: string; replyTo: string; typed?: string | undefined },
): ModalView {
  const toChoice = ({ environmentId, name }: NamedEnvironment) => ({
    text: describeWithId(environmentId, name),
    value: encodeEnvironment({ environmentId, name, typed }),
  });
  return buildChoiceModal(environments, toChoice, {
    topic: ALLOCATION_TOPIC,
    title: 'Which environment?',
    plural: 'environments',
    button: { actionId: ALLOCATION_OPEN_ACTION, text: 'Allocation…' },
    ...asked,
  });
}

/** As it travels in the buttons under an environment. `name`: as its makers gave it, shortened; untrusted. */
export type EnvironmentValue = z.infer<typeof environmentSchema>;

/** Undefined where it does not fit into a button. */
export function encodeEnvironment({ environmentId, name, typed }: EnvironmentValue): string | undefined {
  const value = JSON.stringify({ environmentId, name: toLine(name, MAX_NAME_LENGTH), typed });
  return value.length <= MAX_BUTTON_VALUE_LENGTH ? value : undefined;
}

export function parseEnvironmentValue(text: string): EnvironmentValue | undefined {
  return parseState(environmentSchema, text);
}

/** callback_id of the form; its private_metadata is read by parseAllocationState. */
export const ALLOCATION_MODAL = 'admin_allocation';

/** What was found of an environment. Plain values only: it is kept as JSON while the form is open. */
export type AllocationShown = {
  /** Untrusted. */
  environmentName: string;
  allocation: Allocation;
  /** Epoch ms. */
  readAt: number;
  usage: CreditUsage[] | 'unreadable';
  interrupted?: InterruptedChange | undefined;
};

export type AllocationState = {
  /** The id under which the shown values are kept. */
  shown: string;
  /** Of the currency that the form is for, in listCurrencies. */
  place: number;
  replyTo?: string | undefined;
};

export function buildAllocationModal(
  shown: AllocationShown,
  state: AllocationState,
  { currency, timeZone, typed }: { currency: string; timeZone: string; typed?: string | undefined },
): ModalView {
  const { allocation, environmentName, interrupted } = shown;
  const names = listCurrencies(allocation, currency);
  const chosen = names[state.place] ?? currency;
  return {
    type: 'modal',
    callback_id: ALLOCATION_MODAL,
    title: buildPlainText(ALLOCATION_TOPIC.title),
    submit: buildPlainText('Review change'),
    close: buildPlainText('Cancel'),
    private_metadata: JSON.stringify({ schema: 1, ...state }),
    blocks: [
      buildSection(describeWithId(allocation.environmentId, environmentName)),
      ...(interrupted === undefined ? [] : [buildSection(describeInterrupted(interrupted, timeZone))]),
      ...buildCurrencies(shown, timeZone),
      buildNotes([describeReading(shown, timeZone), RIGHTS]),
      { type: 'divider' },
      buildCurrencyChoice(names, state.place, chosen),
      ...buildAllocationFields(findCurrency(allocation, chosen), { place: state.place, typed }),
    ],
  };
}

const RIGHTS =
  'The right to allocate credits reaches over all environments of the tenant, not only those that somebody administers.';

/** Undefined where it is not the private_metadata of the form. */
export function parseAllocationState(text: string): AllocationState | undefined {
  return parseState(stateSchema, text);
}

/** The select of the currency; its value is the place in listCurrencies. */
export const ALLOCATION_CURRENCY_ACTION = 'admin_allocation_currency';

/** What can be set: what the service has, and the currency that agents use. */
export function listCurrencies({ currencyAllocations }: Allocation, currency: string): string[] {
  const names = currencyAllocations.map(({ currencyType }) => currencyType);
  const isListed = names.some((name) => isSameWord(name, currency));
  return [...(isListed ? [] : [currency]), ...names].slice(0, MAX_OPTIONS);
}

/** What was typed and chosen, raw: parseAllocationForm says whether it makes an allocation. */
export function readAllocationForm(values: FormValues, place: number, currencyType: string): AllocationForm {
  const rules = RULE_TYPES.map((rule) => [rule, readChoice(values, toFieldId(rule, place), ['on', 'off'])]);
  const allocated = readText(values, toFieldId('allocated', place));
  return { currencyType, allocated, rules: Object.fromEntries(rules) };
}

export function toAllocationErrors(errors: AllocationFormErrors, place: number): Record<string, string> {
  return toFieldErrors(errors, (name) => toFieldId(name, place));
}

function describeWithId(environmentId: string, name: string): string {
  return `${describeEnvironment(environmentId, name)}\nId ${toMrkdwnLine(environmentId, 100)}`;
}

/** Leaves room for the form within the blocks of a modal; there are 18 currencies in the largest list known. */
const MAX_SHOWN = 30;

function buildCurrencies({ allocation, usage }: AllocationShown, timeZone: string): KnownBlock[] {
  const { currencyAllocations } = allocation;
  const more = currencyAllocations.length - MAX_SHOWN;
  const useOf = (name: string) =>
    usage === 'unreadable' ? undefined : usage.find(({ currencyType }) => isSameWord(currencyType, name));
  const sections = currencyAllocations
    .slice(0, MAX_SHOWN)
    .map((one) => buildSection(describeCurrency(one, useOf(one.currencyType), timeZone)));
  if (sections.length === 0) return [buildSection('No credits are allocated: the service lists no currency here.')];
  return [...sections, ...(more > 0 ? [buildSection(`And ${formatCredits(more)} more currencies.`)] : [])];
}

function describeReading({ readAt, usage }: AllocationShown, timeZone: string): string {
  const gap = usage === 'unreadable' ? '\n:warning: What is used of it could not be read.' : '';
  return `Read from the service on ${formatTime(readAt, timeZone)}. A change sends the whole allocation back: what you do not change goes along exactly as it is.${gap}`;
}

function buildCurrencyChoice(names: string[], place: number, chosen: string): SectionBlock {
  const section = buildSection(`Set the credits of *${toWord(chosen)}*`);
  if (names.length < 2) return section;
  const options = names.map((name, index) => ({
    text: buildPlainText(toLine(name, MAX_OPTION_TEXT_LENGTH) || '–'),
    value: String(index),
  }));
  const initial = options[place];
  return {
    ...section,
    accessory: {
      type: 'static_select',
      action_id: ALLOCATION_CURRENCY_ACTION,
      options,
      ...(initial === undefined ? {} : { initial_option: initial }),
    },
  };
}

type Field = 'allocated' | RuleType;

/**
 * The block id, of the currency with this place in the list: Slack keeps what was entered into a block of the same id, and
 * one currency's credits must not stand in the form of another.
 */
function toFieldId(field: Field, place: number): string {
  return `${field}_${place}`.toLowerCase();
}

/** `typed`: instead of what is allocated now. */
function buildAllocationFields(
  currency: CurrencyAllocation | undefined,
  { place, typed }: { place: number; typed: string | undefined },
): InputBlock[] {
  const { allocated } = currency ?? {};
  return [
    buildTextInput(toFieldId('allocated', place), 'Credits allocated', {
      initial: typed ?? (allocated === undefined ? undefined : String(allocated)),
      hint: 'A whole number of prepaid credits, reserved for this environment.',
    }),
    ...RULE_TYPES.map((rule) => buildRule(rule, readRule(currency, rule), place)),
  ];
}

/** If the present value is unknown, nothing is preselected: an update sets all four rules, so the admin decides. */
function buildRule(rule: RuleType, found: FoundRule, place: number): InputBlock {
  const isTold = found === 'on' || found === 'off';
  return buildRadioButtons(toFieldId(rule, place), RULE_LABELS[rule], ON_OFF, {
    hint: isTold ? HINTS[rule] : `${HINTS[rule]} ${UNTOLD[found]}`,
    initial: isTold ? found : undefined,
  });
}

const ON_OFF = { on: 'On', off: 'Off' };

const HINTS: Record<RuleType, string> = {
  Alert: 'Tells administrators when the credits run low.',
  TenantPool: 'Beyond its own credits the environment uses those of the tenant that nobody reserved.',
  PayGo: 'Beyond the credits consumption goes on, and is billed to the subscription.',
  Deny: 'When the credits are used up, all agents of the environment stop, for everybody.',
};

const UNTOLD = {
  'platform-default': "Now it is the platform's default, which the service does not tell: a change has to say it.",
  unknown: 'The service does not tell in a readable way what holds now: a change has to say it.',
};

/** Leaves room for the rest of what it stands in. */
const MAX_NAME_LENGTH = 100;

/** `typed`: the credits that were given with the command, for the button that chooses between environments. */
const environmentSchema = z.object({
  environmentId: z.string().min(1),
  name: z.string(),
  typed: z.string().optional(),
});

const stateSchema = z.object({
  schema: z.literal(1),
  shown: z.string().min(1),
  place: z.int().min(0),
  replyTo: z.string().optional(),
});
