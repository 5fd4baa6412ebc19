import type { World } from '../../test/sandbox/world.ts';
import type { Cores } from './cores.ts';
import type { BenchOptions } from './options.ts';
import type { Running } from './running.ts';

/** What every part of the bench works with. */
export type Bench = {
  world: World;
  cores: Cores | undefined;
  running: Running;
  options: BenchOptions;
};

/** What a part found: text for a person, and the same as figures. */
export type Section = { text: string; figures: object };

/** One question that the bench answers. It leaves nothing running. */
export type Part = (bench: Bench) => Promise<Section>;
