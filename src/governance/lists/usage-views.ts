// Consumption in words, as plain text: in mrkdwn it has to go through toMrkdwnLine.
import { DateTime, IANAZone } from 'luxon';
import { toLine } from '../../slack/views/content.ts';
import type { CreditUsage, Forecast } from '../allocations/consumption.ts';
import { formatCredits } from '../shell/values.ts';
import { buildBar } from './list-message.ts';

/** `▰▰▰▱▱▱▱▱▱▱ 34 %`. Undefined where there is no share. */
export function describeShare(share: number | undefined): string | undefined {
  if (share === undefined) return undefined;
  const percent = share * 100;
  return `${buildBar(percent)} ${formatCredits(Math.round(percent))} %`;
}

/** `18,250 of 25,000 credits`. The unit comes from outside. */
export function describeConsumed({ consumed, capacity, unit }: CreditUsage): string {
  if (consumed === undefined) return 'not told';
  const of = capacity === undefined ? '' : ` of ${formatCredits(capacity)}`;
  return `${formatCredits(consumed)}${of} ${describeUnit(unit)}`;
}

/** The service says `Credit`; other words of it are taken as they are. */
export function describeUnit(unit: string | undefined): string {
  return unit === undefined || /^credits?$/i.test(unit) ? 'credits' : toLine(unit, 40);
}

/** `reaches its limit on the 23rd of March at this rate`; undefined where the figures allow no forecast. `now`: epoch ms. */
export function describeForecast(
  forecast: Forecast | undefined,
  { timeZone, now }: { timeZone: string; now: number },
): string | undefined {
  switch (forecast?.kind) {
    case undefined:
      return undefined;
    case 'reached':
      return 'has reached its limit';
    case 'reaches':
      // The figures may be days old.
      if (forecast.at <= now) return 'has probably reached its limit by now';
      return `reaches its limit on the ${toDay(forecast.at, timeZone)} at this rate`;
    case 'stays_within':
      return `about ${formatCredits(Math.round(forecast.consumed))} by the end of the month at this rate`;
  }
}

function toDay(at: number, timeZone: string): string {
  const zone = IANAZone.isValidZone(timeZone) ? timeZone : 'utc';
  const day = DateTime.fromMillis(at, { zone, locale: 'en-GB' });
  return `${day.day}${SUFFIXES[ORDINALS.select(day.day)] ?? 'th'} of ${day.toFormat('LLLL')}`;
}

const ORDINALS = new Intl.PluralRules('en', { type: 'ordinal' });
const SUFFIXES: Partial<Record<Intl.LDMLPluralRule, string>> = { one: 'st', two: 'nd', few: 'rd' };
