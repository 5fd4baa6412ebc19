// Numbers that people type, and how they are shown.
import { toPlainWidth } from './typed-text.ts';

/** Why a text is not an amount. */
export type NotAmount = 'empty' | 'negative' | 'ambiguous' | 'not_grouped' | 'not_digits' | 'too_large' | 'too_exact';

/** The highest integer that a number stores exactly. The contract names no maximum. */
export const MAX_AMOUNT = Number.MAX_SAFE_INTEGER;

/** More digits than this are not kept exactly, and nobody types them on purpose. */
const MAX_DIGITS = 15;

/** Thousands may be separated by commas or by spaces, but not by both. A point begins the fraction. */
const GROUPED = /^[1-9]\d{0,2}(?:([, \u00a0\u202f])\d{3})(?:\1\d{3})*(?:\.\d+)?$/;

/** 1.000 is a thousand in some languages and one in others, so it is refused. */
const AMBIGUOUS = /^[1-9]\d{0,2}\.\d{3}$/;

/** The number that somebody typed, or why it is none. */
export function readAmount(typed: string): number | NotAmount {
  const text = toPlainWidth(typed).trim();
  if (text === '') return 'empty';
  if (/^[-−–]\s*[\d.,]/.test(text)) return 'negative';
  if (AMBIGUOUS.test(text)) return 'ambiguous';
  const plain = GROUPED.test(text) ? text.replace(/[^\d.]/g, '') : text;
  if (!/^(?:\d+(?:\.\d*)?|\.\d+)$/.test(plain))
    return /^\d[\d., \u00a0\u202f]*$/.test(text) ? 'not_grouped' : 'not_digits';
  const amount = Number(plain);
  if (amount > MAX_AMOUNT) return 'too_large';
  const isExact = Number.isInteger(amount) || plain.replace(/^0+|\./g, '').length <= MAX_DIGITS;
  return isExact ? amount : 'too_exact';
}

/** The initial value of a field: `readAmount` reads the same number from it, even 1.125. */
export function toTypedAmount(amount: number): string {
  const plain = amount.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 20 });
  return AMBIGUOUS.test(plain) ? `${plain}0` : plain;
}

/** 1234567.125 → 1,234,567.125: nothing is rounded. */
export function formatAmount(amount: number): string {
  return amount.toLocaleString('en-US', { maximumFractionDigits: 20 });
}

/** Why a text is not a whole number. */
export type NotWhole = 'empty' | 'negative' | 'not_whole' | 'not_digits' | 'too_large';

/** The whole number that somebody typed, or why it is none. A point is ambiguous. */
export function readWholeNumber(typed: string): number | NotWhole {
  const amount = readAmount(typed);
  if (typeof amount === 'number') return toPlainWidth(typed).includes('.') ? 'not_whole' : amount;
  return amount === 'ambiguous' || amount === 'not_grouped' || amount === 'too_exact' ? 'not_whole' : amount;
}

/** The number that somebody typed, or the sentence that says what is wrong with it. */
export function parseWholeNumber(typed: string, sentences: Record<NotWhole, string>): number | string {
  const number = readWholeNumber(typed);
  return typeof number === 'number' ? number : sentences[number];
}

/** 1234567 → 1,234,567. */
export function formatCredits(credits: number): string {
  return credits.toLocaleString('en-US', { maximumFractionDigits: 2 });
}

/** 1 agent, 2 agents. */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${formatCredits(count)} ${count === 1 ? one : many}`;
}

/**
 * Rounded down, as for the levels of owners and for `over:`. 0.796 → 79, and only what is used up is at 100 %. `share`: 1 is
 * all of it, and it may be more.
 */
export function toPercentUsed(share: number): number {
  // 0.57 * 100 is a little less than 57.
  const percent = Math.floor(Number((share * 100).toPrecision(15)));
  return share < 1 ? Math.min(99, percent) : percent;
}
