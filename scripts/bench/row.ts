import type { World } from '../../test/app/world.ts';
import type { Contender } from './contenders.ts';
import type { Sizes } from './options.ts';
import type { Row } from './table.ts';

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

/** The app on both stores, without the bots that it is compared with. */
export function listApps({ contenders }: Bench): Contender[] {
  return contenders.filter(({ name }) => name === 'on SQLite' || name === 'on Redis');
}
