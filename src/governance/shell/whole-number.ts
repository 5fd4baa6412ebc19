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

/**
 * Rounded down, as the levels of owners and `over:` count: 0.796 → 79, and nothing is at 100 % that is not used up. `share`:
 * 1 is all of it, and it may be more.
 */
export function toPercentUsed(share: number): number {
  // 0.57 * 100 is a little less than 57.
  const percent = Math.floor(Number((share * 100).toPrecision(15)));
  return share < 1 ? Math.min(99, percent) : percent;
}

/** Thousands may be separated by commas or by spaces, but not by both: 1,000,000 or 1 000 000. A point is ambiguous. */
const GROUPED = /^\d{1,3}(?:([, \u00a0\u202f])\d{3})(?:\1\d{3})*$/;

/** The number that somebody typed, or why it is none. */
export function readWholeNumber(typed: string): number | NotWhole {
  const text = typed.trim();
  if (text === '') return 'empty';
  if (/^[-−–]\s*[\d.,]/.test(text)) return 'negative';
  const digits = GROUPED.test(text) ? text.replace(/\D/g, '') : text;
  if (/^\d+$/.test(digits)) {
    const number = BigInt(digits);
    return number <= MAX_WHOLE_NUMBER ? Number(number) : 'too_large';
  }
  return /^[.,]?\d[\d., ]*$/.test(text) ? 'not_whole' : 'not_digits';
}
