// Consumption in words, as plain text (in mrkdwn it has to go through toMrkdwnLine), and in rows.
import type { AnyBlock, KnownBlock, TableBlock } from '@slack/types';
import { DateTime, IANAZone } from 'luxon';
import { buildSection, type Content, toLine, toMrkdwnLine, toMrkdwnName } from '../../slack/views/content.ts';
import type { CreditUsage, Forecast } from '../allocations/consumption.ts';
import type { Trend } from '../consumption/consumption-history.ts';
import { fitLines } from '../shell/blocks.ts';
import { formatCredits, toPercentUsed } from '../shell/whole-number.ts';
import { buildTrend } from './trend-views.ts';

const BAR_LENGTH = 10;

/** `percent` may be more than 100. The bar is full only if all is used. */
export function buildBar(percent: number): string {
  const filled = Math.min(BAR_LENGTH, Math.max(0, Math.floor(percent / 10)));
  return `${'▰'.repeat(filled)}${'▱'.repeat(BAR_LENGTH - filled)}`;
}

/** `▰▰▰▱▱▱▱▱▱▱ 34 %`. Undefined where there is no share. */
export function describeShare(share: number | undefined): string | undefined {
  if (share === undefined) return undefined;
  const percent = toPercentUsed(share);
  return `${buildBar(percent)} ${formatCredits(percent)} %`;
}

/** `18,250 of 25,000 credits`. The unit comes from outside. */
export function describeConsumed({
  consumed,
  capacity,
  unit,
}: Pick<CreditUsage, 'consumed' | 'capacity' | 'unit'>): string {
  if (consumed === undefined) return 'unknown';
  const of = capacity === undefined ? '' : ` of ${formatCredits(capacity)}`;
  return `${formatCredits(consumed)}${of} ${describeUnit(unit)}`;
}

/** The service says `Credit`; any other word is shown unchanged. */
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

/** Cells are plain text, perhaps from outside. The first names its row. */
export type UsageTable = { columns: readonly Column[]; rows: readonly (readonly string[])[] };

/** `label`: the text before the cell if the row is shown as a line. */
export type Column = { title: string; align?: 'left' | 'right'; label?: string };

/** So that a page of a list stays far below what Slack takes in one table. */
const MAX_CELL_LENGTH = 60;

/** A message with its rows in a table and a trend in a chart, and the same with lines, for where Slack takes neither. */
export function buildInBothForms(
  table: UsageTable,
  trend: Trend | undefined,
  build: (rows: KnownBlock[], trend: AnyBlock[]) => Content,
): { content: Content; plain: Content } {
  const { chart, plain } = buildTrend(trend);
  if (table.rows.length === 0) return { content: build([], chart), plain: build([], plain) };
  const lines = buildSection(fitLines(describeRows(table)));
  return { content: build([buildTable(table)], chart), plain: build([lines], plain) };
}

/** A line of mrkdwn for each row, without its empty cells. */
export function describeRows({ columns, rows }: UsageTable): string[] {
  return rows.map(([name = '', ...cells]) => {
    const labelled = cells.map(
      (cell, index) => cell && `${columns[index + 1]?.label ?? ''}${toMrkdwnLine(cell, MAX_CELL_LENGTH)}`,
    );
    return `*${toMrkdwnName(name, 100)}*: ${labelled.filter((cell) => cell !== '').join(' · ')}`;
  });
}

/** Slack shows one table in a message, below everything else. */
function buildTable({ columns, rows }: UsageTable): TableBlock {
  return {
    type: 'table',
    column_settings: columns.map(({ align = 'left' }) => ({ align, is_wrapped: true })),
    rows: [columns.map(({ title }) => title), ...rows].map((cells) => cells.map(toCell)),
  };
}

/** Slack takes no empty cell. */
function toCell(text: string) {
  return { type: 'raw_text' as const, text: toLine(text, MAX_CELL_LENGTH) || '–' };
}
