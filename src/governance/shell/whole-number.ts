/** Why a text is not a whole number that the service can hold. */
export type NotWhole = 'empty' | 'negative' | 'not_whole' | 'not_digits' | 'too_large';

/** The contract names no maximum: the highest number whose neighbours can be told apart. */
export const MAX_WHOLE_NUMBER = Number.MAX_SAFE_INTEGER;

/** The number that somebody typed, or the sentence that says what is wrong with it. */
export function parseWholeNumber(typed: string, sentences: Record<NotWhole, string>): number | string {
  const number = readWholeNumber(typed);
  return typeof number === 'number' ? number : sentences[number];
}

/** 1234567 → 1,234,567. */
export function formatCredits(credits: number): string {
  return credits.toLocaleString('en-US', { maximumFractionDigits: 2 });
}

/** Thousands may be separated by commas or by spaces, but not by both: 1,000,000 or 1 000 000. A point is ambiguous. */
const GROUPED = /^\d{1,3}(?:([, \u00a0\u202f])\d{3})(?:\1\d{3})*$/;

function readWholeNumber(typed: string): number | NotWhole {
  const text = typed.trim();
  if (text === '') return 'empty';
  if (/^[-−–]\s*[\d.,]/.test(text)) return 'negative';
  const digits = GROUPED.test(text) ? text.replace(/\D/g, '') : text;
  if (/^\d+$/.test(digits)) {
    const number = BigInt(digits);
    return number <= MAX_WHOLE_NUMBER ? Number(number) : 'too_large';
  }
  return /^\d[\d., ]*$/.test(text) ? 'not_whole' : 'not_digits';
}
