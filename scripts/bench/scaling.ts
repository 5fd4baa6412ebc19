import { MAX_CONCURRENT } from '../../src/delivery/dispatcher.ts';
import { EVENTS_PER_HOUR } from '../deploy/sizes.ts';
import type { Contender } from './contender.ts';
import { startBridge } from './contenders.ts';
import { probeDisk } from './disk.ts';
import { type Figures, MEGABYTE, toFigures, toPercentiles } from './figures.ts';
import { ASSUMED, type Day, playDay } from './office-day.ts';
import type { Bench, Section } from './part.ts';
import { measureRecords, type RecordSizes } from './record-sizes.ts';
import { measureInTurn, toLoad, toQuiet, warmUp } from './rounds.ts';
import { buildTable, type Column } from './table.ts';
import { type Load, runTraffic } from './traffic.ts';
import { measureWaitingOn } from './waiting.ts';

/** What one turn costs. The bench does not count Slack's limits: counted, each Slack call is one more Redis call. */
type Costs = { name: string; cpuMs: number; redisCpuMs: number; redisCalls: number; flushes: number };

/** Everything that the table of sizes is made from. */
type Found = {
  alone: Costs;
  amongMany: Costs;
  records: RecordSizes & { waitingTurn: number };
  flushMs: number;
  appMegabytes: number;
};

type Size = { people: number; replicas: number; day: Day; found: Found };

const PEOPLE = [10_000, 100_000, 1_000_000];

/** Above this share of its slots, or of its core, a replica has nothing left for a bad minute. */
const MOST_USE = 0.7;

/** As in src/backend/store.ts, of which five days in seven have questions. */
const TURN_DAYS = 30 * (5 / 7);
const THREAD_DAYS = 180 * (5 / 7);

/** A mention, the same as a message, and the app's own answer: counted in test/end-to-end/telemetry.test.ts. */
const EVENTS_PER_QUESTION = 3;

const CALL_TURNS = 100;

const GIGABYTE = 1024 * MEGABYTE;

const COLUMNS: Column<Size>[] = [
  { title: 'people', toCell: ({ people }) => people.toLocaleString('en') },
  { title: 'questions/day', toCell: ({ day }) => day.questions.toLocaleString('en') },
  { title: 'busiest minute, per s', toCell: ({ day }) => day.busiestPerSecond.toFixed(1) },
  { title: 'under way at once', toCell: ({ day }) => String(day.mostOpen) },
  { title: 'replicas, and a spare', toCell: ({ replicas }) => `${replicas} + 1` },
  { title: 'core of each', toCell: ({ day }) => showShare(day.replicaUse) },
  { title: 'Redis busy', toCell: ({ day }) => showShare(day.redisUse) },
  { title: 'Redis memory', toCell: (size) => `${(countBytes(size) / GIGABYTE).toFixed(1)} GB` },
  { title: 'events/h', toCell: ({ day }) => countEvents(day, 0).toLocaleString('en') },
  { title: 'with talk', toCell: ({ day }) => countEvents(day, ASSUMED.talkPerPerson).toLocaleString('en') },
  { title: 'workspaces', toCell: ({ day }) => String(Math.ceil(countEvents(day, 0) / EVENTS_PER_HOUR)) },
];

const COST_COLUMNS: Column<Costs>[] = [
  { title: 'per turn', toCell: ({ name }) => name },
  { title: 'CPU of the replica', toCell: ({ cpuMs }) => `${cpuMs.toFixed(2)} ms` },
  { title: 'of Redis', toCell: ({ redisCpuMs }) => `${redisCpuMs.toFixed(2)} ms` },
  { title: 'Redis calls', toCell: ({ redisCalls }) => redisCalls.toFixed(1) },
  { title: 'flushes', toCell: ({ flushes }) => flushes.toFixed(1) },
];

/** What so many people need, simulated from what one turn and one record cost here. */
export async function measureScaling(bench: Bench): Promise<Section> {
  const found = await measureEverything(bench);
  const sizes = PEOPLE.map((people) => toSize(people, found));
  const { questionsPerPerson, medianAnswerS } = ASSUMED;
  const text = [
    'One replica and one Redis:',
    buildTable(COST_COLUMNS, [found.alone, found.amongMany]),
    describeFound(found),
    `A working day, simulated: ${questionsPerPerson} questions for each person, answers of ${medianAnswerS} s at the median:`,
    buildTable(COLUMNS, sizes),
    ...sizes.slice(0, 1).map(describeEvents),
  ].join('\n\n');
  return { text, figures: { found, sizes } };
}

async function measureEverything(bench: Bench): Promise<Found> {
  const load = toLoad(bench);
  const contender = await startBridge(bench, { name: 'bridge on Redis', replicas: 1 });
  await warmUp(bench, [contender], load);
  const [amongMany, { memoryMegabytes }] = await measureCosts(bench, contender, load);
  const [alone] = await measureCosts(bench, contender, toQuiet(load));
  await bench.running.stop(contender);
  const { flushesMs } = await probeDisk(bench, 1);
  const { redisMegabytes = Number.NaN } = await measureWaitingOn(bench, 'redis');
  const waitingTurn = (redisMegabytes * MEGABYTE) / 1000;
  return {
    alone,
    amongMany,
    records: { ...(await measureRecords(bench)), waitingTurn },
    flushMs: toPercentiles(flushesMs).p50,
    appMegabytes: memoryMegabytes,
  };
}

async function measureCosts(bench: Bench, contender: Contender, load: Load): Promise<[Costs, Figures]> {
  const { world, options } = bench;
  const [measured = []] = await measureInTurn(bench, [contender], load, options.rounds);
  const watched = { ...load, turns: CALL_TURNS };
  const sent = await contender.redis?.watch(() => runTraffic(world, watched, contender.eventsUrls));
  const figures = toFigures(contender.name, measured);
  const calls = (sent?.calls ?? Number.NaN) / CALL_TURNS;
  const redisCalls = calls + figures.slackCallsPerTurn;
  const costs = {
    name: load.inFlight === 1 ? 'one at a time' : `${load.inFlight} at once`,
    cpuMs: figures.cpuMsPerTurn.median,
    redisCpuMs: ((figures.redis?.cpuMsPerTurn.median ?? Number.NaN) * redisCalls) / calls,
    redisCalls,
    flushes: (figures.flushesPerTurn.median * redisCalls) / calls,
  };
  return [costs, figures];
}

/** With as few replicas as have enough slots and enough of a core each. */
function toSize(people: number, found: Found): Size {
  const toCost = ({ cpuMs, redisCpuMs, flushes }: Costs) => ({ cpuMs, redisMs: redisCpuMs + flushes * found.flushMs });
  const costs = { alone: toCost(found.alone), amongMany: toCost(found.amongMany) };
  const alone = playDay(people, 1, costs);
  const replicas = Math.ceil(Math.max(alone.mostOpen / MAX_CONCURRENT, alone.replicaUse) / MOST_USE);
  return { people, replicas, found, day: replicas === 1 ? alone : playDay(people, replicas, costs) };
}

/** Once everything is as old as it gets: a thread for three questions in four, as in the bench's own turns. */
function countBytes({ people, day, found: { records } }: Size): number {
  const turns = day.questions * TURN_DAYS * records.doneTurn;
  const threads = day.questions * 0.75 * THREAD_DAYS * records.thread;
  return turns + threads + people * records.link + day.mostOpen * records.waitingTurn;
}

/** What Slack sends in the busiest hour, if each person also writes so many messages in channels of the app that day. */
function countEvents({ busiestHour }: Day, talk: number): number {
  return Math.round(busiestHour * (EVENTS_PER_QUESTION + talk / ASSUMED.questionsPerPerson));
}

function describeEvents({ people, day }: Size): string {
  const [alone, withTalk] = [0, ASSUMED.talkPerPerson].map((talk) =>
    Math.floor((people * EVENTS_PER_HOUR) / countEvents(day, talk)).toLocaleString('en'),
  );
  return `Slack's ${EVENTS_PER_HOUR.toLocaleString('en')} events an hour and workspace: ${alone} people who only ask, ${withTalk} who also talk.`;
}

function describeFound({ records, flushMs, appMegabytes }: Found): string {
  const bytes = (count: number) => `${Math.round(count)} bytes`;
  return [
    `A flush takes ${flushMs.toFixed(1)} ms; the replica has at most ${appMegabytes.toFixed(0)} MB. What Redis keeps, with all that lists it:`,
    `  a known thread ${bytes(records.thread)}, a done turn ${bytes(records.doneTurn)}`,
    `  a link ${bytes(records.link)}, a waiting turn ${bytes(records.waitingTurn)}`,
  ].join('\n');
}

function showShare(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}
