import type { Figures, Spread } from './figures.ts';

type Column = { title: string; toCell(row: Figures): string };

const NAME: Column = { title: '', toCell: ({ name }) => name };

const COLUMNS: Column[] = [
  NAME,
  { title: 'turns/s', toCell: ({ turnsPerSecond }) => showSpread(turnsPerSecond, 0) },
  { title: 'CPU ms/turn', toCell: ({ cpuMsPerTurn }) => showSpread(cpuMsPerTurn, 2) },
  { title: 'core busy', toCell: ({ coreUse }) => `${Math.round(coreUse * 100)} %` },
  { title: 'Slack calls/turn', toCell: ({ slackCallsPerTurn }) => slackCallsPerTurn.toFixed(2) },
  { title: 'memory', toCell: ({ memoryMegabytes }) => `${Math.round(memoryMegabytes)} MB` },
];

const LATENCY_COLUMNS: Column[] = [
  NAME,
  { title: 'delivery → question, p50 / p99', toCell: ({ added }) => showPercentiles(added.toQuestionMs) },
  { title: 'answer → post, p50 / p99', toCell: ({ added }) => showPercentiles(added.toPostMs) },
];

export function buildTable(rows: Figures[]): string {
  return align(COLUMNS, rows);
}

export function buildLatencyTable(rows: Figures[]): string {
  return align(LATENCY_COLUMNS, rows);
}

export function showSpread({ median, least, most }: Spread, digits: number): string {
  return `${median.toFixed(digits)} (${least.toFixed(digits)}–${most.toFixed(digits)})`;
}

function align(columns: Column[], rows: Figures[]): string {
  const lines = [columns.map(({ title }) => title), ...rows.map((row) => columns.map(({ toCell }) => toCell(row)))];
  const widths = columns.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const pad = (cell: string, column: number) =>
    column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  return lines.map((line) => line.map(pad).join('   ').trimEnd()).join('\n');
}

function showPercentiles({ p50, p99 }: { p50: number; p99: number }): string {
  return `${p50.toFixed(1)} / ${p99.toFixed(1)} ms`;
}
