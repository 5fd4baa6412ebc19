import type { World } from '../../test/app/world.ts';
import { type Contender, withLastWords } from './contenders.ts';
import type { RowName, Sizes } from './options.ts';
import type { Line, Row } from './table.ts';
import { type Load, runTraffic } from './traffic.ts';

/** The input of every row. */
export type Bench = {
  world: World;
  /** Started, and warmed up. */
  contenders: Contender[];
  /** The resident memory of each at rest, right after the start, in MB. */
  residentAtStart: number[];
  rounds: number;
  sizes: Sizes;
};

export type MeasureRow = (bench: Bench) => Promise<Row>;

/** Measures the contenders in turn, in each round, so that other load affects all. Returns a list for each contender. */
export async function inRounds<T>(
  { rounds }: Bench,
  contenders: Contender[],
  measure: (contender: Contender) => Promise<T>,
): Promise<T[][]> {
  const measured = contenders.map((): T[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, contender] of contenders.entries()) measured[index]?.push(await measure(contender));
  }
  return measured;
}

/** A row with a column for each of these. */
export function toRow(name: RowName, title: string, contenders: Contender[], lines: Line[]): Row {
  return { name, title, columns: contenders.map((one) => one.name), lines };
}

/** The app on both stores, without the bots that it is compared with. */
export function listApps({ contenders }: Bench): Contender[] {
  return contenders.filter(({ name }) => name === 'on SQLite' || name === 'on Redis');
}

/** What one turn cost a contender, on average over one round. NaN for what does not apply or is unknown. */
export type TurnCost = {
  /** Of its process, user and system, without the stand-ins and Redis. */
  cpuMs: number;
  redisCpuMs: number;
  slackCalls: number;
  /** How often the app or its Redis flushed the disk. */
  flushes: number;
  /** What the app and its Redis wrote to the disk. */
  kilobytes: number;
  /** Pages that SQLite wrote to its log. */
  pages: number;
  redisCommands: number;
};

export async function measureTurns(world: World, contender: Contender, load: Load): Promise<TurnCost> {
  const before = await readUsages(contender);
  const slackCalls = await withLastWords(contender, runTraffic(world, contender.eventsUrl, load));
  const after = await readUsages(contender);
  const perTurn = (from: number | undefined, to: number | undefined) =>
    ((to ?? Number.NaN) - (from ?? Number.NaN)) / load.turns;
  const written = ({ own, redis }: Usages) => (own.writtenBytes ?? Number.NaN) + (redis?.writtenBytes ?? 0);
  const flushes = ({ own, redis }: Usages) => (redis ? redis.flushes : own.commits);
  return {
    cpuMs: perTurn(before.own.cpuMs, after.own.cpuMs),
    redisCpuMs: perTurn(before.redis?.cpuMs, after.redis?.cpuMs),
    slackCalls: slackCalls / load.turns,
    flushes: perTurn(flushes(before), flushes(after)),
    kilobytes: perTurn(written(before), written(after)) / 1024,
    pages: perTurn(before.own.pages, after.own.pages),
    redisCommands: perTurn(before.redis?.commands, after.redis?.commands),
  };
}

type Usages = Awaited<ReturnType<typeof readUsages>>;

async function readUsages({ process, redis }: Contender) {
  return { own: await process.usage(), redis: await redis?.usage() };
}
