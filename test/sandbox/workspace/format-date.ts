/** https://docs.slack.dev/messaging/formatting-message-text#date-formatting */
import { DateTime } from 'luxon';

export type Locality = { locale: string; timeZone: string };

const FORMATS: Record<string, (at: DateTime) => string | null> = {
  date_num: (at) => at.toISODate(),
  date_slash: (at) => at.toLocaleString({ year: 'numeric', month: '2-digit', day: '2-digit' }),
  date: (at) => at.toLocaleString(DateTime.DATE_FULL),
  date_short: (at) => at.toLocaleString(DateTime.DATE_MED),
  date_long: (at) => at.toLocaleString(DateTime.DATE_HUGE),
  date_long_full: (at) => at.toLocaleString(DateTime.DATE_FULL),
  day_divider: (at) => at.toLocaleString(DateTime.DATE_HUGE),
  time: (at) => at.toLocaleString(DateTime.TIME_SIMPLE),
  time_secs: (at) => at.toLocaleString(DateTime.TIME_WITH_SECONDS),
  ago: (at) => at.toRelative(),
};

/** `format`: words with tokens such as `{date_short}`. One that is not known stays as it is. */
export function formatDate(seconds: number, format: string, { locale, timeZone }: Locality): string {
  const at = DateTime.fromSeconds(seconds, { zone: timeZone, locale });
  const days = at.startOf('day').diff(DateTime.now().setZone(timeZone).startOf('day'), 'days').days;
  return format.replace(/\{(\w+?)(_pretty)?\}/g, (whole, token: string, isPretty?: string) => {
    // Yesterday, today or tomorrow.
    if (isPretty && Math.abs(days) <= 1) return at.toRelativeCalendar({ unit: 'days' }) ?? whole;
    return FORMATS[token]?.(at) ?? whole;
  });
}
