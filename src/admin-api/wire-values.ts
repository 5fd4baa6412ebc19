// Lenient parsing of single values: the contract defines no response bodies, and deployments differ.
import { toObject } from '../json.ts';

/** A non-empty text. */
export function toText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A finite number, or one in text. */
export function toNumber(value: unknown): number | undefined {
  if (typeof value === 'string' && value.trim() === '') return undefined;
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

/** True or false, as boolean, text, 1 or 0. 'unknown' is not the same as false. */
export function toFlag(value: unknown): boolean | 'unknown' {
  const text = typeof value === 'object' ? '' : String(value).toLowerCase();
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  return 'unknown';
}

/** Epoch ms of an ISO 8601 text. */
export function toInstant(value: unknown): number | undefined {
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}

/** The rows of a list, bare or wrapped; undefined if there is no list. */
export function toRows(value: unknown): Record<string, unknown>[] | undefined {
  const { value: rows, data } = toObject(value);
  const list = [value, rows, data].find(Array.isArray);
  return list?.map(toObject);
}

/** Ids are used in paths and in Slack's buttons: longer ones, or those with control characters, are refused. */
const MAX_ID_LENGTH = 256;

export function toId(value: unknown): string | undefined {
  const text = toText(value);
  const isUsable =
    text !== undefined &&
    text !== '.' &&
    text !== '..' &&
    text.length <= MAX_ID_LENGTH &&
    text.isWellFormed() &&
    !/\p{Cc}/u.test(text);
  return isUsable ? text : undefined;
}

/** Zero-width characters, soft hyphens and fillers: https://www.unicode.org/reports/tr39/#Identifier_Characters */
const INVISIBLE = /[\u00ad\u061c\u115f\u1160\u180e\u200b\u2060-\u2064\u2800\u3164\ufeff\uffa0]|\u034f/g;

/** Joiners are visible only in some scripts and in emoji. */
const STRAY_JOINER = /(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\p{M}\p{Script=Arabic}])[\u200c\u200d]/gu;

const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** The name without invisible characters, which could make two names look alike. Undefined if nothing is visible. */
export function toName(value: unknown): string | undefined {
  const name = toText(value)?.replace(INVISIBLE, '').replace(STRAY_JOINER, '');
  return name !== undefined && VISIBLE.test(name) ? name : undefined;
}
