// A page of any list, from its description. Fits Slack's limits with any names.
import type { Button, KnownBlock } from '@slack/types';
import { z } from 'zod';
import {
  buildButton,
  buildSection,
  type Content,
  fitBlocks,
  formatTime,
  toContent,
  toMrkdwnLine,
  toMrkdwnName,
} from '../../slack/views/content.ts';
import { MAX_BUTTON_VALUE_LENGTH } from '../../slack/web/limits.ts';
import { describeNone } from '../inventory/inventory-views.ts';
import { buildActions, buildNotes, type Page } from '../shell/blocks.ts';
import { parseState } from '../shell/modal-state.ts';
import { formatCount, formatCredits } from '../shell/numbers.ts';
import type { Column, List, Result, Shown } from './list.ts';
import type { Query } from './list-query.ts';

/** `before`: for the log, whose pages begin before this entry. `className`: the class that environments get. */
const turnSchema = z.object({
  query: z.string(),
  page: z.int().min(0),
  before: z.int().min(1).optional(),
  className: z.string().optional(),
});

export type PageTurn = z.infer<typeof turnSchema>;

/** Undefined: it is not the value of such a button. */
export function parsePageTurn(value: string): PageTurn | undefined {
  return parseState(turnSchema, value);
}

/** The action ids of the buttons that turn pages. */
export function matchTurnActions(name: string): RegExp {
  return new RegExp(`^admin_${name}_(?:previous|next|newest|older)$`);
}

/** A button of a list; none if the value would be too long. `action`: written into messages, so never rename. */
export function buildTurn(name: string, action: string, label: string, turn: PageTurn): Button[] {
  const value = JSON.stringify(turn);
  return value.length > MAX_BUTTON_VALUE_LENGTH ? [] : [buildButton(`admin_${name}_${action}`, label, value)];
}

type PageParts = { title: string; rows: readonly KnownBlock[]; buttons: readonly Button[]; notes: readonly string[] };

export function layOutPage({ title, rows, buttons, notes }: PageParts): Content {
  return toContent(fitBlocks([buildSection(title), ...rows, ...buildActions(buttons), buildNotes(notes)]));
}

type ListPage<Row> = {
  list: Pick<List<Row>, 'name' | 'one' | 'many' | 'columns' | 'title' | 'totals' | 'remarks'>;
  query: Query;
  result: Result<Row>;
  page: Page & { rows: readonly Row[] };
  timeZone: string;
  /** The buttons of a row. */
  buttons(row: Row): (Button | undefined)[];
  /** The buttons for all rows that the filter leaves. */
  bulk: readonly Button[];
};

export function buildListMessage<Row>(shown: ListPage<Row>): Content {
  const { list, query, result, page, timeZone, buttons, bulk } = shown;
  const { name } = list;
  const title = [describeCount(shown), ...describeTotals(shown)].join('\n');
  const options = { timeZone, now: result.asOf };
  const rows = page.rows.flatMap((row): KnownBlock[] => [
    buildSection(describeRow(list, row, options)),
    ...buildActions(buttons(row)),
  ]);
  const turn = { query: query.typed, page: 0 };
  const turns = [
    ...(page.page > 0 ? buildTurn(name, 'previous', 'Previous', { ...turn, page: page.page - 1 }) : []),
    ...(page.page < page.pageCount - 1 ? buildTurn(name, 'next', 'Next', { ...turn, page: page.page + 1 }) : []),
    ...bulk,
    ...(result.rows.length > 0 ? buildTurn(name, CSV_ACTION, 'CSV', turn) : []),
  ];
  return layOutPage({ title, rows, buttons: turns, notes: describeNotes(shown) });
}

/** *CSV*, of all pages. */
export const CSV_ACTION = 'export_csv';

/** `*12 agents* fit “lab stopped”, page 1 of 2`; if nothing fits, it says so, and what else to try. */
function describeCount<Row>({ list, query, result, page }: ListPage<Row>): string {
  const { one, many, name } = list;
  const typed = query.typed === '' ? '' : ` “${toMrkdwnName(query.typed, 100)}”`;
  const total = result.rows.length;
  if (total === 0) {
    return typed === '' ? describeNone(many) : `*No ${many} fit*${typed}. \`/assistant-admin ${name}\` lists all.`;
  }
  const fit = typed === '' ? '' : `${total === 1 ? ' fits' : ' fit'}${typed}`;
  const place = page.pageCount > 1 ? `, page ${formatCredits(page.page + 1)} of ${formatCredits(page.pageCount)}` : '';
  return `*${formatCount(total, one, many)}*${fit}${place}`;
}

function describeTotals<Row>({ list, result }: ListPage<Row>): string[] {
  const totals = result.isComplete && result.rows.length > 1 ? list.totals(result.rows) : [];
  return totals.length === 0 ? [] : [`Together: ${totals.join(' · ')}`];
}

/** The name, and up to three lines of what its columns show. Cells are plain text, perhaps from outside. */
export function describeRow<Row>(
  { title, columns }: Pick<List<Row>, 'title' | 'columns'>,
  row: Row,
  shown: { timeZone: string; now: number },
): string {
  const { name, where } = title(row);
  const place = where === undefined ? '' : ` in ${toMrkdwnName(where, MAX_NAME)}`;
  const lines = ([1, 2, 3] as const).map((line) => describeLine(columns, line, row, shown));
  return [`*${toMrkdwnName(name, MAX_NAME)}*${place}`, ...lines.filter((line) => line !== '')].join('\n');
}

const MAX_NAME = 100;
const MAX_CELL = 150;

function describeLine<Row>(
  columns: readonly Column<Row>[],
  wanted: 1 | 2 | 3,
  row: Row,
  shown: { timeZone: string; now: number },
): string {
  const cells = columns.flatMap(({ show, line = 1 }) => (line === wanted ? (show?.(row, shown) ?? []) : []));
  return cells.map(toMrkdwn).join(' · ');
}

function toMrkdwn(cell: Shown): string {
  if (typeof cell === 'string') return toMrkdwnName(cell, MAX_CELL);
  return `<@${cell.user}>${cell.more === '' ? '' : ` (${toMrkdwnLine(cell.more, MAX_CELL)})`}`;
}

function describeNotes<Row>({ list, result, page, timeZone }: ListPage<Row>): string[] {
  const { unsure, notes, asOf, isComplete } = result;
  return [
    `As of ${formatTime(asOf, timeZone)}. New ones may take a while to be listed.`,
    ...notes,
    ...(list.remarks?.(page.rows) ?? []),
    ...(unsure > 0 ? [`:warning: ${formatCredits(unsure)} left out: it is not known whether they fit.`] : []),
    ...(isComplete ? [] : ['There are too many rows for totals: use a filter or the CSV.']),
  ];
}
