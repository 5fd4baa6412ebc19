// What the bench shows: figures of all rounds, the goals for them, and both in tables.
import type { ContenderName } from './contenders.ts';
import type { RowName } from './options.ts';

/** The median, the least and the greatest value of the rounds. */
export type Figure = { median: number; least: number; most: number };

export function toMedian(values: number[]): Figure {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const median = ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2;
  return { median, least: sorted[0] ?? Number.NaN, most: sorted.at(-1) ?? Number.NaN };
}

/** Divides round by round, so that other load on the machine affects both sides. */
export function toRatio(ours: number[], theirs: number[]): Figure {
  return toMedian(ours.map((value, round) => value / (theirs[round] ?? Number.NaN)));
}

/** `share`: 0.99 for p99. */
export function toPercentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** A figure of these contenders must be at most `most`. */
export type Goal = { most: number; of: readonly ContenderName[] };

const SQLITE = ['on SQLite'] as const;
const REDIS = ['on Redis'] as const;
const BOTH = [...SQLITE, ...REDIS];

/** What the app may cost, by row. */
export const GOALS = {
  people: {
    overPlainBolt: { most: 0.75, of: BOTH },
    overFloor: { most: 2.1, of: BOTH },
    redisCommands: { most: 45, of: REDIS },
    redisCalls: { most: 7, of: REDIS },
  },
  alone: {
    overPlainBolt: { most: 1.1, of: BOTH },
    flushes: { most: 3.1, of: SQLITE },
    kilobytes: { most: 72, of: SQLITE },
    pages: { most: 14, of: SQLITE },
  },
  /** As much as in a small channel, except for the noise of measurements. */
  channel: { largeOverSmall: { most: 1.1, of: BOTH } },
  memory: { megabytes: { most: 220, of: BOTH } },
  open: { overCommit: { most: 2, of: BOTH } },
  waiting: { percent: { most: 1, of: BOTH } },
} as const satisfies Record<string, Record<string, Goal>>;

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
