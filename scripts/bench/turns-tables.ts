import type { Compared, TurnsReport } from './compare.ts';
import type { Figures } from './figures.ts';
import { buildTable, type Column, NOTHING, showMegabytes, showPercentiles, showSpread } from './table.ts';

/** Commands that are named one by one; the others are rare. */
const NAMED_COMMANDS = 5;

const NAME: Column<Figures> = { title: '', toCell: ({ name }) => name };

/** What is measured of anybody who answers questions. */
export const FIGURE_COLUMNS: Column<Figures>[] = [
  NAME,
  { title: 'turns/s', toCell: ({ turnsPerSecond }) => showSpread(turnsPerSecond, 0) },
  { title: 'CPU ms/turn', toCell: ({ cpuMsPerTurn }) => showSpread(cpuMsPerTurn, 2) },
  { title: 'cores busy', toCell: ({ coreUse }) => coreUse.toFixed(2) },
  { title: 'Slack calls/turn', toCell: ({ slackCallsPerTurn }) => slackCallsPerTurn.toFixed(2) },
  { title: 'memory', toCell: ({ memoryMegabytes }) => showMegabytes(memoryMegabytes) },
];

const BUSY: Column<Compared>[] = [
  ...FIGURE_COLUMNS.slice(0, 3),
  { title: 'over plain Bolt', toCell: ({ overPlainBot }) => showSpread(overPlainBot, 2) },
  ...FIGURE_COLUMNS.slice(3),
];

const ON_REDIS: Column<Compared>[] = [
  NAME,
  {
    title: 'CPU ms/turn of each replica',
    toCell: ({ cpuMsByProcess }) => cpuMsByProcess.map((ms) => ms.toFixed(2)).join(' + '),
  },
  { title: 'of Redis', toCell: ({ redis }) => (redis ? showSpread(redis.cpuMsPerTurn, 2) : NOTHING) },
  { title: 'Redis calls/turn', toCell: ({ redisCalls }) => redisCalls?.calls.toFixed(1) ?? NOTHING },
  { title: 'scripts among them', toCell: ({ redisCalls }) => redisCalls?.scripts.toFixed(1) ?? NOTHING },
  { title: 'commands in all', toCell: ({ redis }) => redis?.commandsPerTurn.toFixed(1) ?? NOTHING },
  { title: 'Redis memory', toCell: ({ redis }) => (redis ? showMegabytes(redis.memoryMegabytes) : NOTHING) },
];

const ADDED: Column<Figures>[] = [
  NAME,
  { title: 'CPU ms/turn', toCell: ({ cpuMsPerTurn }) => cpuMsPerTurn.median.toFixed(2) },
  { title: 'delivery → acknowledged, p50 / p99', toCell: ({ acknowledgedMs }) => showPercentiles(acknowledgedMs) },
  { title: 'delivery → question, p50 / p99', toCell: ({ added }) => showPercentiles(added.toQuestionMs) },
  { title: 'first of the answer → Slack, p50 / p99', toCell: ({ added }) => showPercentiles(added.toPostMs) },
];

export function describeTurns({ busy, quiet }: TurnsReport): string {
  const onRedis = busy.filter(({ redis }) => redis);
  const sections = [
    'Many turns at once (median of the rounds, least and most):',
    buildTable(BUSY, busy),
    describeBar(busy),
    'What is added to a turn then:',
    buildTable(ADDED, busy),
    ...(onRedis.length > 0 ? [buildTable(ON_REDIS, onRedis), onRedis.map(describeCalls).join('\n')] : []),
    'One turn at a time, and what is added to it:',
    buildTable(ADDED, quiet),
  ];
  return sections.join('\n\n');
}

/** The project's own bar: durable, personal and careful must not cost more than keeping nothing. */
function describeBar(busy: Compared[]): string {
  const judged = busy
    .filter(({ kind }) => kind === 'bridge')
    .map(({ name, overPlainBot: { median } }) => `${name}: ${median.toFixed(2)}, ${median <= 1 ? 'kept' : 'missed'}`);
  return [`The bar is the CPU per turn of the plain Bolt 5 bot, with as many processes:`, ...judged].join('\n  ');
}

function describeCalls({ name, redisCalls }: Compared): string {
  const named = (redisCalls?.byCommand ?? []).slice(0, NAMED_COMMANDS);
  return `${name}, calls per turn: ${named.map(([command, calls]) => `${command} ${calls.toFixed(1)}`).join(', ')}`;
}
