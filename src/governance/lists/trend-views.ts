// How consumption has gone on: bars or a chart of the last days, and the month compared with the one before.
import type { AnyBlock } from '@slack/types';
import { DateTime } from 'luxon';
import { buildSection } from '../../slack/views/content.ts';
import type { HistoryName, Trend } from '../consumption/consumption-history.ts';
import { formatCredits } from '../shell/whole-number.ts';

const DAY_MS = 24 * 3_600_000;

/** Of the day with the most, an eighth each. */
const BARS = '▁▂▃▄▅▆▇█';

/** The block that shows the days, and the same in text, where Slack does not take it. Empty where there is no trend. */
export function buildTrend(trend: Trend | undefined): { chart: AnyBlock[]; plain: AnyBlock[] } {
  if (trend === undefined) return { chart: [], plain: [] };
  const text = describeMonths(trend);
  const plain = [buildSection([text, ...describeDays(trend)].join('\n'))];
  const isShown = trend.days.filter(({ used }) => used !== undefined).length > 1;
  return { chart: isShown ? [buildSection(text), buildChart(trend)] : plain, plain };
}

/** `This month until 9 March: 800 credits. The month before until then: 1,000 (−20 %); all of it: 2,500.` */
export function describeMonths({ latest, before, lastBefore }: Trend): string {
  const now = `This month until ${toDate(latest.day)}: ${formatWhole(latest.credits)} credits.`;
  if (lastBefore === undefined) return `${now} Of the month before nothing is recorded.`;
  const whole = `until ${toDate(lastBefore.day)}: ${formatWhole(lastBefore.credits)}`;
  if (before === undefined) return `${now} The month before ${whole}.`;
  const change = describeChange({ latest, before });
  const then = `${formatWhole(before.credits)}${change === undefined ? '' : ` (${change})`}`;
  return `${now} The month before until then: ${then}; ${whole}.`;
}

/** `+25 %` against the same day of the month before; undefined where it is not known. */
export function describeChange({ latest, before }: Pick<Trend, 'latest' | 'before'>): string | undefined {
  if (before === undefined || before.credits <= 0) return undefined;
  const percent = Math.round((latest.credits / before.credits - 1) * 100);
  const sign = percent > 0 ? '+' : percent < 0 ? '−' : '±';
  return `${sign}${formatCredits(Math.abs(percent))} %`;
}

/** A bar for each day; a dot where it is not known. */
function describeDays({ days }: Trend): string[] {
  const known = days.flatMap(({ used }) => used ?? []);
  const most = Math.max(...known);
  if (known.length < 2) return [];
  const toBar = (used: number) => BARS[Math.min(BARS.length - 1, Math.floor((used / (most || 1)) * BARS.length))] ?? '';
  const bars = days.map(({ used }) => (used === undefined ? '·' : toBar(used))).join('');
  const first = days[0]?.day ?? 0;
  return [`Per day since ${toDate(first)}: ${bars} · ${formatWhole(most)} on the day with the most`];
}

/** https://docs.slack.dev/reference/block-kit/blocks/data-visualization-block: newer than the types of Slack's package. */
function buildChart({ days }: Trend): AnyBlock {
  const points = days.flatMap(({ day, used }) =>
    used === undefined ? [] : [{ label: toLabel(day), value: round(used) }],
  );
  const block = {
    type: 'data_visualization',
    title: 'Credits per day',
    chart: {
      type: 'bar',
      series: [{ name: 'Credits', data: points }],
      axis_config: { categories: points.map(({ label }) => label), x_label: 'Day (UTC)', y_label: 'Credits' },
    },
  };
  return block as unknown as AnyBlock;
}

/** Why a total may be too low; empty where nothing was missing. */
export function describeMissing(trends: ReadonlyMap<HistoryName, Trend>): string[] {
  const missing = trends.get('missing')?.latest.credits ?? 0;
  return missing > 0 ? [':warning: When consumption was recorded last, not all environments could be read.'] : [];
}

function round(credits: number): number {
  return Math.round(credits * 100) / 100;
}

function formatWhole(credits: number): string {
  return formatCredits(Math.round(credits));
}

function toDate(day: number): string {
  return DateTime.fromMillis(day * DAY_MS, { zone: 'utc', locale: 'en-GB' }).toFormat('d LLLL');
}

function toLabel(day: number): string {
  return DateTime.fromMillis(day * DAY_MS, { zone: 'utc', locale: 'en-GB' }).toFormat('d LLL');
}
