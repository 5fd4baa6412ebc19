import type { Figure } from './figures.ts';
import type { Goal } from './goals.ts';
import type { RowName } from './options.ts';

/** One row of the bench: a table with a column for each contender. */
export type Row = { name: RowName; title: string; columns: readonly string[]; lines: Line[] };

/** `figures`: one for each column, if it has one. */
export type Line = { what: string; digits: number; figures: (Figure | undefined)[]; goal?: Goal | undefined };

/** Shown where there is no figure. */
const NOTHING = '–';

export function renderRow({ title, columns, lines }: Row): string {
  const head = ['', ...columns, 'goal'];
  const body = lines.map((line) => [
    line.what,
    ...columns.map((column, index) => showCell(line, column, line.figures[index])),
    line.goal ? `≤ ${line.goal.most}` : '',
  ]);
  return `${title}\n\n${align([head, ...body])}`;
}

/** One sentence: how many goals are met, and which are not. */
export function renderGoals(rows: Row[]): string {
  const judged = rows.flatMap(({ name, columns, lines }) =>
    lines.flatMap((line) =>
      columns.flatMap((column, index) => {
        const isMet = judge(line, column, line.figures[index]);
        return isMet === undefined ? [] : { isMet, goal: `${name}: ${line.what}, ${column}` };
      }),
    ),
  );
  const missed = judged.filter(({ isMet }) => !isMet).map(({ goal }) => `  ✗ ${goal}`);
  return [`${judged.length - missed.length} of ${judged.length} goals are met.`, ...missed].join('\n');
}

function showCell(line: Line, column: string, figure: Figure | undefined): string {
  const isMet = judge(line, column, figure);
  const mark = isMet === undefined ? '' : isMet ? ' ✓' : ' ✗';
  return (figure && !Number.isNaN(figure.median) ? showFigure(figure, line.digits) : NOTHING) + mark;
}

/** Whether the goal is met; undefined without a goal. If there is no figure, the goal is not met. */
function judge({ goal }: Line, column: string, figure: Figure | undefined): boolean | undefined {
  if (!goal?.of.some((name) => name === column)) return undefined;
  return figure !== undefined && figure.median <= goal.most;
}

function showFigure({ median, least, most }: Figure, digits: number): string {
  const [shown, ...spread] = [median, least, most].map((value) => value.toFixed(digits));
  return spread.every((value) => value === shown) ? `${shown}` : `${shown} (${spread.join('–')})`;
}

/** Aligns the first column left, the others right. */
function align(lines: string[][]): string {
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const pad = (cell: string, column: number) =>
    column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  const [head = '', ...body] = lines.map((line) => line.map(pad).join('   ').trimEnd());
  const rule = '─'.repeat(Math.max(...[head, ...body].map((line) => line.length)));
  return [head, rule, ...body].join('\n');
}
