import { MAX_TABLE_COLUMNS, MAX_TABLE_ROWS } from '../web/limits.ts';
import { type MarkdownNode, parseInline } from './markdown-tree.ts';
import { countCharacters, MAX_TABLE_CHARACTERS } from './message-budget.ts';
import { joinSpans, type Line, readInline, type Span, writeInline } from './write-inline.ts';

/** Rows of one table in Slack. `opening`: its heading, which is two lines. If it is empty, the rows are text. */
export type TablePart = { opening: string[]; lines: Line[] };

/** Longer cells of the repeated first column are replaced by the number of their row. */
const LONGEST_LABEL = 80;

/** Missing cells are filled in, so one very long row among many short ones could make a table huge. */
const MAX_CELLS = 10_000;

/** A heading is repeated, and must leave room for rows. */
const LONGEST_HEADING = 2_000;
const LONGEST_ROW = MAX_TABLE_CHARACTERS - LONGEST_HEADING;

/**
 * Writes a table as one, or as several if it is too large for Slack. If there are too many columns, each repeats the first
 * column. If there are too many rows, each repeats the heading. A huge table becomes text. `sourceLines`: of the whole
 * text.
 */
export function writeTable([head, body]: readonly MarkdownNode[], sourceLines: readonly string[]): TablePart[] {
  const columns = head?.children[0]?.children ?? [];
  const lineOf = ({ token }: MarkdownNode) => sourceLines[token.map?.[0] ?? -1] ?? '';
  const rows = [
    ...(head?.children ?? []).map((row) => writeRow(row, '')),
    ...(body?.children ?? []).map((row) => writeRow(row, readSurplus(lineOf(row), columns.length))),
  ];
  const isHuge = columns.length * rows.length > MAX_CELLS;
  const parts: TablePart[] = [];
  // All parts but the first have the label as well.
  for (let from = 0, to = MAX_TABLE_COLUMNS; from < columns.length && !isHuge; from = to, to += MAX_TABLE_COLUMNS - 1) {
    parts.push(...writeColumns(rows, columns, from, to));
  }
  const isUnwieldy = parts.some(
    ({ opening, lines }) =>
      countCharacters(opening.join('')) > LONGEST_HEADING ||
      (lines.length === 1 && lines.some((line) => countCharacters(joinSpans(line)) > LONGEST_ROW)),
  );
  return isHuge || isUnwieldy ? [{ opening: [], lines: rows.map((row) => joinCells(row)) }] : parts;
}

function writeColumns(rows: Line[][], columns: readonly MarkdownNode[], from: number, to: number): TablePart[] {
  const toRow = (cells: Line[], label: Line) =>
    joinCells([...(from === 0 ? [] : [label]), ...cells.slice(from, to)], '| ', ' |');
  const [heading = [], ...lines] = rows.map((row, index) => toRow(row, toRowLabel(row, index)));
  const dashes = [...(from === 0 ? [] : ['---']), ...columns.slice(from, to).map(toDashes)];
  const opening = [joinSpans(heading), `|${dashes.join('|')}|`];
  const most = MAX_TABLE_CHARACTERS - countCharacters(opening.join(''));
  return groupRows(lines, most).map((group) => ({ opening, lines: group }));
}

/** Joins neighbouring spans that are not whole into one. */
function joinCells(cells: readonly Line[], start = '', end = ''): Line {
  const spans: Line = [];
  let text = start;
  for (const [index, cell] of cells.entries()) {
    if (index > 0) text += ' | ';
    for (const span of cell) {
      if (span.isWhole) spans.push(toSpan(text), span);
      text = span.isWhole ? '' : text + span.text;
    }
  }
  return [...spans, toSpan(text + end)];
}

function toRowLabel([first = []]: Line[], index: number): Line {
  return joinSpans(first).length <= LONGEST_LABEL ? first : [toSpan(`Row ${index}`)];
}

/** Returns at least one group, even without rows. */
function groupRows(lines: readonly Line[], most: number): Line[][] {
  const groups: Line[][] = [[]];
  let characters = 0;
  for (const line of lines) {
    const count = countCharacters(joinSpans(line)) + 1;
    const last = groups.at(-1) ?? [];
    if (last.length > 0 && (last.length + 1 >= MAX_TABLE_ROWS || characters + count > most)) {
      groups.push([line]);
      characters = count;
    } else {
      last.push(line);
      characters += count;
    }
  }
  return groups;
}

function writeRow({ children }: MarkdownNode, surplus: string): Line[] {
  const cells = children.map((cell) => writeCell(readInline(cell.children)));
  if (surplus === '') return cells;
  return [...cells.slice(0, -1), [...(cells.at(-1) ?? []), ...writeCell(parseInline(` | ${surplus}`))]];
}

/** The cells beyond the last column, which the parser drops: for example, code in a cell may have a bar. */
function readSurplus(line: string, columns: number): string {
  if (line.split('|', columns + 2).length < columns + 1) return '';
  const row = line.replace(/^[\s>]*\|?/, '').trimEnd();
  return (row.endsWith('|') ? row.slice(0, -1) : row)
    .split(/(?<!\\)\|/)
    .slice(columns)
    .map((cell) => cell.trim())
    .join(' | ');
}

function writeCell(nodes: readonly MarkdownNode[]): Line {
  const spans = writeInline(nodes).flat();
  const hasBar = spans.some(({ text }) => text.includes('|'));
  return hasBar ? spans.map((span) => ({ ...span, text: span.text.replaceAll('|', '\\|') })) : spans;
}

function toDashes({ token }: MarkdownNode): string {
  const align = String(token.attrGet('style') ?? '');
  if (align.includes('center')) return ':-:';
  return align.includes('right') ? '--:' : align.includes('left') ? ':--' : '---';
}

function toSpan(text: string): Span {
  return { text, isWhole: false };
}
