// The modal in which an admin sees the credits of one environment, and sets those of one currency.
import type { KnownBlock, ModalView, SectionBlock } from '@slack/types';
import { z } from 'zod';
import type { Allocation } from '../../admin-api/licensing-wire.ts';
import { buildAllocationFields } from '../../slack/views/admin/allocation/form.ts';
import { describeInterrupted, type InterruptedChange } from '../../slack/views/admin/interrupted-change.ts';
import { buildPlainText, buildSection } from '../../slack/views/content.ts';
import { ALLOCATION_TOPIC } from '../../slack/views/modal.ts';
import { formatTime, toLine, toMrkdwnLine } from '../../slack/views/shown-text.ts';
import { MAX_OPTION_TEXT_LENGTH, MAX_OPTIONS } from '../../slack/web/limits.ts';
import { findCurrency, isSameWord } from '../allocation/credit-rules.ts';
import { describeEnvironment } from '../inventory/inventory-words.ts';
import { formatCredits } from '../shell/values.ts';
import { describeCurrency, toWord } from './allocation-words.ts';
import type { CreditUsage } from './consumption.ts';

/** callback_id of the form; its private_metadata is read by parseAllocationState. */
export const ALLOCATION_MODAL = 'admin_allocation';

/** The select of the currency; its value is the place in listCurrencies. */
export const ALLOCATION_CURRENCY_ACTION = 'admin_allocation_currency';

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
  /** Under which it is kept what is shown. */
  shown: string;
  /** Of the currency that the form is for, in listCurrencies. */
  place: number;
  replyTo?: string | undefined;
};

/** Leaves room for the form within the blocks of a modal; there are 18 currencies in the largest list known. */
const MAX_SHOWN = 30;

/** What can be set: what the service has, and the currency that agents use. */
export function listCurrencies({ currencyAllocations }: Allocation, currency: string): string[] {
  const names = currencyAllocations.map(({ currencyType }) => currencyType);
  const isListed = names.some((name) => isSameWord(name, currency));
  return [...(isListed ? [] : [currency]), ...names].slice(0, MAX_OPTIONS);
}

export function buildAllocationModal(
  shown: AllocationShown,
  state: AllocationState,
  { currency, timeZone }: { currency: string; timeZone: string },
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
      buildSection(
        `${describeEnvironment(allocation.environmentId, environmentName)}\nId ${toMrkdwnLine(allocation.environmentId, 100)}`,
      ),
      ...(interrupted === undefined ? [] : [buildSection(describeInterrupted(interrupted, timeZone))]),
      ...buildCurrencies(shown, timeZone),
      { type: 'context', elements: [{ type: 'mrkdwn', text: describeReading(shown, timeZone), verbatim: true }] },
      { type: 'divider' },
      buildCurrencyChoice(names, state.place, chosen),
      ...buildAllocationFields(findCurrency(allocation, chosen), state.place),
    ],
  };
}

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

const stateSchema = z.object({
  schema: z.literal(1),
  shown: z.string().min(1),
  place: z.int().min(0),
  replyTo: z.string().optional(),
});

/** Undefined where it is not the private_metadata of the form. */
export function parseAllocationState(text: string): AllocationState | undefined {
  try {
    return stateSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
