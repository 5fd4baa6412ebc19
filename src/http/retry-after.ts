/**
 * Reads a Retry-After header (RFC 9110 section 10.2.3: whole seconds, or an HTTP date) as milliseconds from `now`.
 * Undefined where there is none or it cannot be read. A date in the past is 0.
 */
export function parseRetryAfter(value: string | string[] | undefined, now: number): number | undefined {
  const text = (Array.isArray(value) ? value[0] : value)?.trim();
  if (!text) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
