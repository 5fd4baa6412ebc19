import { ASKERS } from './bench-world.ts';
import type { Contender, ContenderName } from './contenders.ts';
import { type Bench, inRounds, type MeasureRow, measureTurns, type TurnCost, toRow } from './measure.ts';
import { GOALS, type Goal, type Line, type Row, toMedian, toRatio } from './table.ts';
import { type Load, runTraffic } from './traffic.ts';

/** The goals for a turn. */
type TurnGoals = Partial<Record<'overPlainBolt' | 'overFloor' | keyof TurnCost | 'redisCalls', Goal>>;

const PEOPLE = ASKERS.length;

export const measurePeople: MeasureRow = (bench) => {
  const load = { turns: bench.sizes.turns, inFlight: PEOPLE };
  return measureLoad(bench, { name: 'people', title: `${PEOPLE} people, ${PEOPLE} turns at once` }, load, GOALS.people);
};

export const measureAlone: MeasureRow = (bench) => {
  const load = { turns: bench.sizes.turnsAlone, inFlight: 1 };
  return measureLoad(bench, { name: 'alone', title: 'One turn at a time' }, load, GOALS.alone);
};

export const measurePerson: MeasureRow = (bench) => {
  const load = { turns: bench.sizes.turns, inFlight: PEOPLE, askers: ASKERS.slice(0, 1) };
  return measureLoad(bench, { name: 'person', title: `One person with ${PEOPLE} questions at once` }, load, {});
};

async function measureLoad(
  bench: Bench,
  about: Pick<Row, 'name' | 'title'>,
  load: Load,
  goals: TurnGoals,
): Promise<Row> {
  const { contenders, world } = bench;
  const costs = await inRounds(bench, contenders, (contender) => measureTurns(world, contender, load));
  const calls: number[] = [];
  for (const contender of contenders) calls.push(await countRedisCalls(bench, contender, load));
  const read = (key: keyof TurnCost) => costs.map((rounds) => rounds.map((cost) => cost[key]));
  const line = (what: string, key: keyof TurnCost, digits: number): Line => ({
    what,
    digits,
    figures: read(key).map(toMedian),
    goal: goals[key],
  });
  const over = (name: ContenderName, goal: Goal | undefined): Line => {
    const theirs = contenders.findIndex((one) => one.name === name);
    const cpu = read('cpuMs');
    const figures = cpu.map((ours, index) => (index === theirs ? undefined : toRatio(ours, cpu[theirs] ?? [])));
    return { what: `× ${name}`, digits: 2, figures, goal };
  };
  const lines: Line[] = [
    line('CPU, ms a turn', 'cpuMs', 2),
    over('plain Bolt', goals.overPlainBolt),
    over('floor', goals.overFloor),
    line('CPU of Redis, ms a turn', 'redisCpuMs', 2),
    line('Slack calls a turn', 'slackCalls', 2),
    line('flushes a turn', 'flushes', 2),
    line('KB written a turn', 'kilobytes', 1),
    line('SQLite pages a turn', 'pages', 1),
    line('Redis commands a turn', 'redisCommands', 1),
    { what: 'Redis calls a turn', digits: 1, figures: calls.map((one) => toMedian([one])), goal: goals.redisCalls },
  ];
  return toRow(about.name, about.title, contenders, lines);
}

/** Counts in separate turns, because counting slows Redis down. */
async function countRedisCalls({ world }: Bench, { redis, eventsUrl }: Contender, load: Load): Promise<number> {
  const calls = await redis?.countCalls(() => runTraffic(world, eventsUrl, load));
  return (calls ?? Number.NaN) / load.turns;
}
