/** Why a text is not a whole number that the service can hold. */
export type NotWhole = 'empty' | 'negative' | 'not_whole' | 'not_digits' | 'too_large';

/** The contract names no bound; deployments of this shape keep such numbers in 32 bits. */
export const MAX_WHOLE_NUMBER = 2_147_483_647;

/** Thousands may be set apart by commas or spaces, all alike: 1,000,000 or 1 000 000. A point may mean either. */
const GROUPED = /^\d{1,3}(?:([, \u00a0\u202f])\d{3})(?:\1\d{3})*$/;

/** What somebody typed, as the number that its digits say. */
export function readWholeNumber(typed: string): number | NotWhole {
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

/** 1234567 → 1,234,567. */
export function formatCredits(credits: number): string {
  return credits.toLocaleString('en-US', { maximumFractionDigits: 2 });
}
