import { setTimeout as pause } from 'node:timers/promises';
import type { Contender } from './contenders.ts';
import { type Bench, type MeasureRow, toRow } from './measure.ts';
import { GOALS, type Line, toMedian } from './table.ts';
import { runTraffic } from './traffic.ts';

const MEGABYTE = 2 ** 20;

/** After this time, the remaining work of a start or of the last turn is done. */
const REST_MS = 5_000;

/** Kinds of keys that grow by less than this per turn are not listed. */
const LEAST_BYTES = 1;

/** The resident memory of all contenders at rest, in megabytes. */
export async function readResident(contenders: Contender[]): Promise<number[]> {
  await pause(REST_MS);
  const usages = await Promise.all(contenders.map(({ process }) => process.usage()));
  return usages.map(({ memoryBytes }) => memoryBytes / MEGABYTE);
}

/** Memory at rest, before the first turn and after the last, and what Redis keeps of a turn. */
export const measureMemory: MeasureRow = async (bench) => {
  const { contenders, residentAtStart } = bench;
  const after = await readResident(contenders);
  const resident = (when: string, megabytes: number[]): Line => {
    const figures = megabytes.map((one) => toMedian([one]));
    return { what: `resident after the ${when}, MB`, digits: 0, figures, goal: GOALS.memory.megabytes };
  };
  const lines = [resident('start', residentAtStart), resident('turns', after), ...(await measureKept(bench))];
  return toRow('memory', 'Memory at rest', contenders, lines);
};

/** What Redis keeps of a turn: in all, and in each kind of key. */
async function measureKept({ contenders, world, sizes }: Bench): Promise<Line[]> {
  const lines: Line[] = [];
  for (const { redis, eventsUrl } of contenders) {
    if (!redis) continue;
    const before = await redis.keeps();
    await runTraffic(world, eventsUrl, { turns: sizes.turns, inFlight: 1 });
    for (const [what, bytes] of await redis.keeps()) {
      const ofTurn = (bytes - (before.get(what) ?? 0)) / sizes.turns;
      const figures = contenders.map((one) => (one.redis === redis ? toMedian([ofTurn]) : undefined));
      if (ofTurn >= LEAST_BYTES) lines.push({ what: `Redis keeps of a turn ${what}, bytes`, digits: 0, figures });
    }
  }
  return lines;
}
