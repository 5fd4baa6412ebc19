import { toComparable } from './inventory.ts';

/** `amount`: as it was typed, with its separators. */
export type NamedAmount = { name: string; amount?: string };

/** Thousands may be separated by commas or by spaces. */
const AMOUNT = /^(?:[1-9]\d{0,2}(?:[ ,]\d{3})+|0|[1-9]\d*)(?:[.,]\d+)?$/;

/**
 * What is typed after a command: a name, and perhaps a number behind it. Names end with numbers of their own: as much as
 * occurs in one of `names` is the name.
 */
export function splitAmount(text: string, names: readonly string[]): NamedAmount {
  const known = names.map(toComparable);
  const isName = (part: string) => known.some((name) => name.includes(toComparable(part)));
  const words = text.trim().split(/\s+/);
  const splits = words.slice(1).flatMap((_, index) => {
    const amount = words.slice(index + 1).join(' ');
    return AMOUNT.test(amount) ? [{ name: unquote(words.slice(0, index + 1).join(' ')), amount }] : [];
  });
  if (splits.length === 0 || isName(text)) return { name: text };
  return splits.findLast(({ name }) => isName(name)) ?? splits[0] ?? { name: text };
}

function unquote(name: string): string {
  return /^["“”„«'‘‚`](.+)["“”»'’‘`]$/.exec(name)?.[1] ?? name;
}
