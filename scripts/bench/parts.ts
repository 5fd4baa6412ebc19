import { measureCommits } from './commits.ts';
import { compareTurns } from './compare.ts';
import { measureKnownThreads } from './known-threads.ts';
import type { PartName } from './options.ts';
import type { Part } from './part.ts';
import { measureScaling } from './scaling.ts';
import { measureStarts } from './start.ts';
import { measureVariants } from './variants.ts';
import { measureWaiting } from './waiting.ts';

/** In the order in which they are measured. */
export const PARTS: Record<PartName, Part> = {
  start: measureStarts,
  turns: compareTurns,
  variants: measureVariants,
  waiting: measureWaiting,
  threads: measureKnownThreads,
  commits: measureCommits,
  scaling: measureScaling,
};
