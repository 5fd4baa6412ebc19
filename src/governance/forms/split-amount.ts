// What is typed after a command: a name, and perhaps an amount after it.
import { toComparable } from '../inventory/inventory.ts';

/** `amount`: as it was typed, perhaps not a number. */
export type NamedAmount = { name: string; amount?: string };

/** Thousands may be separated by commas or by spaces. */
const AMOUNT = /^(?:(?:[1-9]\d{0,2}(?:[ ,]\d{3})+|0|[1-9]\d*)(?:[.,]\d+)?|none|no limit)$/i;

/** Probably meant as an amount: 5k, -5, 1'000, 1.000,00, .5, +5, $20. The form says what is wrong with it. */
const MEANT = /^[-−–+$€]?\s?[.,]?\d[\d.,'’ _a-z%€$]*$/i;

/**
 * Splits the name from an amount after it. A name may itself end with a number, so the longest part that occurs in one of
 * `names` is the name.
 */
export function splitAmount(text: string, names: readonly string[]): NamedAmount {
  // One text, because there may be thousands of names and of parts.
  const known = names.map(toComparable).join('\n');
  const isName = (part: string) => known.includes(toComparable(part));
  const words = text.trim().split(/\s+/);
  const splits = words.slice(1).map((_, index) => ({
    name: unquote(words.slice(0, index + 1).join(' ')),
    amount: words.slice(index + 1).join(' '),
  }));
  if (isName(text)) return { name: text };
  const numbers = splits.filter(({ amount }) => AMOUNT.test(amount));
  const meant = splits.filter(({ name, amount }) => MEANT.test(amount) && isName(name));
  return numbers.findLast(({ name }) => isName(name)) ?? meant.at(-1) ?? numbers[0] ?? { name: text };
}

/** `env:Burning`, or with quotes around the name. Undefined: it names an agent. */
export function readEnvironmentName(text: string): string | undefined {
  const name = /^env(?:ironment)?:\s*(.+)$/i.exec(text.trim())?.[1];
  return name && unquote(name);
}

function unquote(name: string): string {
  return /^["“”„«»「'‘‚`](.+)["“”«»」'’‘`]$/.exec(name)?.[1] ?? name;
}
