// The menu of currencies in the windows of limits and credits.
import type { SectionBlock } from '@slack/types';
import { isSameId } from '../../policy/target.ts';
import { buildPlainText, buildSection, toLine } from '../../slack/views/content.ts';
import { MAX_OPTION_TEXT_LENGTH, MAX_OPTION_VALUE_LENGTH, MAX_OPTIONS } from '../../slack/web/limits.ts';

/** Its value is the name of the currency. Empty if there is only one. */
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

/** The default currency first, then the others by name. `chosen` is always among them. */
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
 * The end of the block ids of a currency's fields. Slack keeps what was entered into a block with the same id, and a value
 * for one currency must not appear in the form of another.
 */
export function toSuffix(currency: string, defaultCurrency: string): string {
  return isSameId(currency, defaultCurrency) ? '' : `:${currency}`;
}
