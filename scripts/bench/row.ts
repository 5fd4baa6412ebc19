import type { World } from '../../test/app/world.ts';
import type { Contender } from './contenders.ts';
import type { Sizes } from './options.ts';
import type { Row } from './table.ts';

/** What every row works with. */
export type Bench = {
  world: World;
  /** Started, and warm. */
  contenders: Contender[];
  /** What each of them had at rest right after its start, in MB. */
  residentAtStart: number[];
  rounds: number;
  sizes: Sizes;
};

export type MeasureRow = (bench: Bench) => Promise<Row>;

/** Round by round, one contender after the other, so that what else the machine does meets all. One list for each. */
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
