// What the windows of forms share: their frame, and the menu of currencies.
import type { ModalView, SectionBlock } from '@slack/types';
import { english } from '../../languages/english.ts';
import { buildPlainText, buildSection, buildTitle, toLine } from '../../slack/views/content.ts';
import { buildLoadingModal, type ModalTopic } from '../../slack/views/modal.ts';
import {
  MAX_METADATA_LENGTH,
  MAX_OPTION_TEXT_LENGTH,
  MAX_OPTION_VALUE_LENGTH,
  MAX_OPTIONS,
} from '../../slack/web/limits.ts';
import { windowOf } from '../../slack/window.ts';
import { isSameId } from '../policy/target.ts';
import type { GovernanceServices } from '../services.ts';
import type { AdminShell, Clicked } from '../shell/admin-shell.ts';
import { type Opened, toModal } from '../shell/modal.ts';

/** `metadata`: comes back with the submission. Throws where it does not fit: with ids of up to 256 characters it does. */
export type FormWindow = Pick<ModalView, 'blocks'> & {
  callbackId: string;
  title: string;
  submit: string;
  metadata: object;
};

export function buildFormWindow({ callbackId, title, submit, metadata, blocks }: FormWindow): ModalView {
  const text = JSON.stringify(metadata);
  if (text.length > MAX_METADATA_LENGTH) throw new RangeError('the state of a window does not fit into it');
  return {
    type: 'modal',
    callback_id: callbackId,
    title: buildTitle(title),
    submit: buildTitle(submit),
    close: buildTitle('Cancel'),
    private_metadata: text,
    blocks,
  };
}

/** A menu of currencies, whose value is the name; none where there is no choice. */
export function buildCurrencyMenu(actionId: string, currencies: readonly string[], currency: string): SectionBlock[] {
  if (currencies.length < 2) return [];
  const options = currencies.map((name) => ({
    text: buildPlainText(toLine(name, MAX_OPTION_TEXT_LENGTH) || '–'),
    value: name,
  }));
  const initial = options[currencies.indexOf(currency)];
  const menu = { type: 'static_select' as const, action_id: actionId, options };
  return [{ ...buildSection('In the currency'), accessory: { ...menu, ...(initial && { initial_option: initial }) } }];
}

/** The default one first, then by name what else can be chosen; `chosen` is among them, whatever was read. */
export function listCurrencies(names: readonly string[], chosen: string, defaultCurrency: string): string[] {
  const others = [chosen, ...names].filter(
    (name, index, all) =>
      !isSameId(name, defaultCurrency) &&
      name.length <= MAX_OPTION_VALUE_LENGTH &&
      all.findIndex((one) => isSameId(one, name)) === index,
  );
  return [defaultCurrency, ...others.slice(0, MAX_OPTIONS - 1).sort(compareNames)];
}

/** The same on every machine, whatever its locale. */
const compareNames = new Intl.Collator('en', { numeric: true }).compare;

/**
 * Of the block ids of a currency's fields: Slack keeps what was entered into a block of the same id, and what is meant for
 * one currency must not stand in the form of another.
 */
export function toSuffix(currency: string, defaultCurrency: string): string {
  return isSameId(currency, defaultCurrency) ? '' : `:${currency}`;
}

type CurrencyMenu<State> = {
  actionId: string;
  topic: ModalTopic;
  parse(metadata: string): State | undefined;
  tooOld: string;
};

/** The window is that of the chosen currency from now on. */
export function onCurrency<State extends { replyTo: string }>(
  shell: AdminShell,
  { actionId, topic, parse, tooOld }: CurrencyMenu<State>,
  open: (state: State, currency: string, opened: Opened) => Promise<void>,
  services: GovernanceServices,
): void {
  const readState = ({ view }: Clicked['body']) => parse(view?.private_metadata ?? '');
  const change = async ({ body, value, caller, say, openSession }: Clicked) => {
    const window = windowOf({ body, viewId: body.view?.id ?? '', say, texts: english }, services);
    const modal = toModal(window, { say, topic }, services);
    const state = readState(body);
    if (!state) return modal.showProblem(tooOld);
    try {
      await modal.show(buildLoadingModal(topic, english));
      const opened = { modal, session: await openSession(), caller, replyTo: state.replyTo };
      await open(state, value, opened);
    } catch (error) {
      await modal.showFailure(error);
    }
  };
  shell.onClick(actionId, change, { readReplyTo: (body) => readState(body)?.replyTo ?? '' });
}
