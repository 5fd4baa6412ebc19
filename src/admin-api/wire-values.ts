// The contract shows no answer bodies, and deployments differ: one value, read as far as it can be told what it is.

export function toRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

/** A text that is not empty. */
export function toText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A finite number, also one that is written as text. */
export function toNumber(value: unknown): number | undefined {
  if (typeof value === 'string' && value.trim() === '') return undefined;
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

/** True or false, also as text or as 1 and 0; 'unknown' is not the same as false. */
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

/** The rows of a list, bare or wrapped; undefined where there is no list. */
export function toRows(value: unknown): Record<string, unknown>[] | undefined {
  const { value: rows, data } = toRecord(value);
  const list = [value, rows, data].find(Array.isArray);
  return list?.map(toRecord);
}

/** Ids come back in a path and in buttons of Slack: one that is longer, or holds control characters, is no id. */
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

// Names as people see them: what is in them and shows nothing would make two names look alike, or leave a hole.
/** Zero-width characters, soft hyphens, fillers: https://www.unicode.org/reports/tr39/#Identifier_Characters */
const INVISIBLE = /[\u00ad\u061c\u115f\u1160\u180e\u200b\u2060-\u2064\u2800\u3164\ufeff\uffa0]|\u034f/g;

/** Joiners join where the script has it so, and emoji; elsewhere they do nothing that one could see. */
const STRAY_JOINER = /(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\p{M}\p{Script=Arabic}])[\u200c\u200d]/gu;

const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** Undefined where nothing of it shows: then it is known by its id. */
export function toName(value: unknown): string | undefined {
  const name = toText(value)?.replace(INVISIBLE, '').replace(STRAY_JOINER, '');
  return name !== undefined && VISIBLE.test(name) ? name : undefined;
}
