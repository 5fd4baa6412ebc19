import { setTimeout as pause } from 'node:timers/promises';
import type { Contender } from './contenders.ts';
import { toMedian } from './figures.ts';
import { GOALS } from './goals.ts';
import type { Bench, MeasureRow } from './row.ts';
import type { Line } from './table.ts';
import { runTraffic } from './traffic.ts';

const MEGABYTE = 2 ** 20;

/** What a start or the last turn leaves to be done is done after that. */
const REST_MS = 5_000;

/** The resident memory of all at rest, in megabytes. */
export async function readResident(contenders: Contender[]): Promise<number[]> {
  await pause(REST_MS);
  const usages = await Promise.all(contenders.map(({ process }) => process.usage()));
  return usages.map(({ memoryBytes }) => memoryBytes / MEGABYTE);
}

/** Memory at rest, before the first turn and after the last, and what Redis keeps of a turn. */
export const measureMemory: MeasureRow = async (bench) => {
  const { contenders, residentAtStart } = bench;
  const after = await readResident(contenders);
  const goal = GOALS.memory.megabytes;
  const line = (what: string, values: number[]): Line => ({
    what,
    digits: 0,
    figures: values.map((value) => toMedian([value])),
  });
  const kept = await Promise.all(contenders.map((contender) => measureKept(bench, contender)));
  const kinds = new Set(kept.flatMap((one) => [...one.keys()]));
  return {
    name: 'memory',
    title: 'Memory at rest',
    columns: contenders.map(({ name }) => name),
    lines: [
      { ...line('resident after the start, MB', residentAtStart), goal },
      { ...line('resident after the turns, MB', after), goal },
      ...[...kinds].map((kind) =>
        line(
          kind,
          kept.map((one) => one.get(kind) ?? Number.NaN),
        ),
      ),
    ],
  };
};

/** What Redis keeps of a turn, in bytes: in all, and of it in each kind of key. */
async function measureKept({ world, sizes }: Bench, { redis, eventsUrl }: Contender): Promise<Map<string, number>> {
  if (!redis) return new Map();
  const [inAll, byKind] = [await redis.usage(), await redis.measureKeys()];
  await runTraffic(world, eventsUrl, { turns: sizes.turns, inFlight: 1 });
  const keptInAll = ((await redis.usage()).memoryBytes - inAll.memoryBytes) / sizes.turns;
  const kinds = [...(await redis.measureKeys())].map(
    ([kind, bytes]) => [`  of it in ${kind}, bytes`, (bytes - (byKind.get(kind) ?? 0)) / sizes.turns] as const,
  );
  return new Map([['Redis keeps of a turn, bytes', keptInAll], ...kinds.filter(([, bytes]) => bytes >= 1)]);
}
