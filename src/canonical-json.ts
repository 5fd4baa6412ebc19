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

/** By code units, as in every JavaScript engine. Integer-like names always come first, which is just as stable. */
function sortNames(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
