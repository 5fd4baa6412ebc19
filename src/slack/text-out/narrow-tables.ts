import { MAX_TABLE_COLUMNS } from '../web/limits.ts';
import { type Fence, isTableDelimiter, toFenceAfter } from './markdown-lines.ts';

/** Longer cells of the repeated first column are replaced by the number of their row. */
const LONGEST_LABEL = 80;

/** Missing cells are filled in, so one very long row among many short ones could make a table huge. */
const MAX_CELLS = 10_000;

/**
 * Splits tables with more columns than Slack accepts into several, one below the other, each with the first column
 * repeated. Huge tables lose their line of dashes, so that Slack shows them as text.
 */
export function narrowTables(markdown: string): string {
  const lines = markdown.split('\n');
  if (!lines.some(isWide)) return markdown;
  const narrowed: string[][] = [];
  let fence: Fence | undefined;
  for (let index = 0; index < lines.length; index += 1) {
    const before = fence;
    fence = toFenceAfter(lines[index] ?? '', before);
    const isText = before === undefined && fence === undefined;
    const end = isText ? findTableEnd(lines, index) : index + 1;
    const table = lines.slice(index, end);
    narrowed.push(table.length > 1 && table.some(isWide) ? narrow(table) : table);
    index = end - 1;
  }
  return narrowed.flat().join('\n');
}

function isWide(line: string): boolean {
  return splitRow(line).length > MAX_TABLE_COLUMNS;
}

/** If no table begins there: the next line. */
function findTableEnd(lines: string[], start: number): number {
  const [heading = '', dashes = ''] = lines.slice(start, start + 2);
  const isTable = isTableDelimiter(dashes) && splitRow(heading).length === splitRow(dashes).length;
  let end = start + (isTable ? 2 : 1);
  while (isTable && isRow(lines[end])) end += 1;
  return end;
}

function isRow(line: string | undefined): boolean {
  return line?.includes('|') === true && toFenceAfter(line, undefined) === undefined;
}

/** Takes the heading, the dashes and the rows. */
function narrow([heading = '', dashes = '', ...rows]: string[]): string[] {
  const headings = splitRow(heading);
  if (headings.length * (rows.length + 1) > MAX_CELLS)
    return [heading, ...rows].filter((row) => !isTableDelimiter(row));
  const quote = readQuote(heading);
  const cells = rows.map((row) => toCells(splitRow(row), headings.length));
  const labels = [headings, ...cells].map(toLabel);
  return toStretches(headings.length).flatMap(([from, to]) => {
    const toRow = (row: string[], label: string) => {
      const shown = [...(from === 0 ? [] : [label]), ...row.slice(from, to)];
      return `${quote}| ${shown.join(' | ')} |`;
    };
    return [
      ...(from === 0 ? [] : [quote]),
      toRow(headings, labels[0] ?? ''),
      toRow(splitRow(dashes), '---'),
      ...cells.map((row, index) => toRow(row, labels[index + 1] ?? '')),
    ];
  });
}

/** The columns of each table; all but the first also have the label. */
function toStretches(count: number): [from: number, to: number][] {
  const stretches: [number, number][] = [];
  for (let from = 0; from < count; ) {
    const to = from + (from === 0 ? MAX_TABLE_COLUMNS : MAX_TABLE_COLUMNS - 1);
    stretches.push([from, to]);
    from = to;
  }
  return stretches;
}

function toLabel([first = '']: string[], index: number): string {
  return first.length <= LONGEST_LABEL ? first : `Row ${index}`;
}

/** One cell per heading. Further cells, which would not be shown, are joined into the last one. */
function toCells(row: string[], count: number): string[] {
  const last = row.slice(count - 1).join(' ');
  return Array.from({ length: count }, (_, column) => (column === count - 1 ? last : (row[column] ?? '')));
}

function readQuote(row: string): string {
  return /^[ \t>]*/.exec(row)?.[0] ?? '';
}

function splitRow(row: string): string[] {
  if (!row.includes('|')) return [row];
  const cells = row
    .slice(readQuote(row).length)
    .trim()
    .split(/(?<!\\)\|/);
  if (cells[0] === '') cells.shift();
  if (cells.at(-1) === '') cells.pop();
  return cells.map((cell) => cell.trim());
}
