/** https://docs.slack.dev/messaging/formatting-message-text#date-formatting */
import type { BlockContext } from './context.ts';

const FORMATS: Record<string, Intl.DateTimeFormatOptions> = {
  date_slash: { year: 'numeric', month: '2-digit', day: '2-digit' },
  date: { dateStyle: 'long' },
  date_short: { dateStyle: 'medium' },
  date_long: { dateStyle: 'full' },
  date_long_full: { dateStyle: 'long' },
  day_divider: { dateStyle: 'full' },
  time: { timeStyle: 'short' },
  time_secs: { timeStyle: 'medium' },
};

const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** `format`: words with tokens such as `{date_short}`. One that is not known stays as it is. */
export function formatDate(
  seconds: number,
  format: string,
  { locale, timeZone }: Pick<BlockContext, 'locale' | 'timeZone'>,
): string {
  return format.replace(/\{(\w+)\}/g, (whole, token: string) => {
    if (token === 'date_num') return toDay(seconds, timeZone);
    if (token === 'ago') return toAgo(seconds, locale);
    const near = token.endsWith('_pretty') ? toNearDay(seconds, locale, timeZone) : undefined;
    const options = FORMATS[token.replace(/_pretty$/, '')];
    return near ?? (options ? new Intl.DateTimeFormat(locale, { ...options, timeZone }).format(seconds * 1000) : whole);
  });
}

/** `2014-02-18`. */
function toDay(seconds: number, timeZone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone }).format(seconds * 1000);
}

function toAgo(seconds: number, locale: string): string {
  const passed = seconds - Date.now() / 1000;
  const [unit, length] = UNITS.find(([, length]) => Math.abs(passed) >= length) ?? ['second', 1];
  return new Intl.RelativeTimeFormat(locale).format(Math.trunc(passed / length), unit);
}

/** Yesterday, today or tomorrow. */
function toNearDay(seconds: number, locale: string, timeZone: string): string | undefined {
  const [then, now] = [seconds, Date.now() / 1000].map((one) => Date.parse(toDay(one, timeZone)) / 86_400_000) as [
    number,
    number,
  ];
  const days = Math.round(then - now);
  return Math.abs(days) > 1 ? undefined : new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(days, 'day');
}
