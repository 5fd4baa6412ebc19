import type { Percentiles, Spread } from './figures.ts';

export type Column<Row> = { title: string; toCell(row: Row): string };

/** The first column reads from the left, the others line up on the right. */
export function buildTable<Row>(columns: Column<Row>[], rows: Row[]): string {
  const lines = [columns.map(({ title }) => title), ...rows.map((row) => columns.map(({ toCell }) => toCell(row)))];
  const widths = columns.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const pad = (cell: string, column: number) =>
    column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  const [head = '', ...body] = lines.map((line) => line.map(pad).join('   ').trimEnd());
  const rule = '─'.repeat(Math.max(...[head, ...body].map((line) => line.length)));
  return [head, rule, ...body].join('\n');
}

export function showSpread({ median, least, most }: Spread, digits: number): string {
  return `${median.toFixed(digits)} (${least.toFixed(digits)}–${most.toFixed(digits)})`;
}

export function showPercentiles({ p50, p99 }: Percentiles): string {
  return `${p50.toFixed(1)} / ${p99.toFixed(1)} ms`;
}

export function showMegabytes(megabytes: number): string {
  return `${megabytes.toFixed(megabytes < 10 ? 1 : 0)} MB`;
}

/** What there is nothing to say about. */
export const NOTHING = '–';
