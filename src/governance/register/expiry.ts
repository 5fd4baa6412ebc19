const DAY_MS = 24 * 60 * 60 * 1000;

/** Whether it is a day of the calendar, as YYYY-MM-DD. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const at = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

/** The day counts as a whole, in UTC. */
export function isExpired(expiresOn: string, now: number): boolean {
  return now >= Date.parse(`${expiresOn}T00:00:00Z`) + DAY_MS;
}
