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

/** More is nobody's name, and has to travel in buttons. */
const MAX_LENGTH = 200;

/** What a list is searched by, as it was typed. Empty: by nothing. */
export function toSearchText(typed: string): string {
  return typed.trim().slice(0, MAX_LENGTH).toWellFormed();
}

/**
 * JSON with the names of every object in order, so that equal values are equal texts. What JSON cannot hold is left out
 * or null, as JSON.stringify does it.
 */
export function toCanonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) => (isPlainObject(part) ? sortNames(part) : part)) ?? 'null';
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** By code units, as every JavaScript does it. Integer-like names come first whatever the order: always alike. */
function sortNames(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Where a page is in its list: `page` counts from 0, `total` counts the rows of all pages. */
export type Page = { page: number; pageCount: number; total: number };

/** The nearest page that there is: lists change between two looks, and the number comes from a button. */
export function takePage<Row>(rows: readonly Row[], page: number, size: number): Page & { rows: Row[] } {
  const pageCount = Math.max(1, Math.ceil(rows.length / size));
  const shown = Math.min(Math.max(0, Math.trunc(page) || 0), pageCount - 1);
  return { rows: rows.slice(shown * size, (shown + 1) * size), page: shown, pageCount, total: rows.length };
}

/** Letters to put in, leave out or replace: https://en.wikipedia.org/wiki/Levenshtein_distance */
export function countEdits(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 1; at <= one.length; at += 1) {
    const next = [at];
    for (let to = 1; to <= other.length; to += 1) {
      const replaced = (row[to - 1] ?? 0) + (one[at - 1] === other[to - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
