import type { ContenderName } from './contenders.ts';

/** A figure of these contenders must be at most `most`. */
export type Goal = { most: number; of: readonly ContenderName[] };

const SQLITE = ['on SQLite'] as const;
const REDIS = ['on Redis'] as const;
const BOTH = [...SQLITE, ...REDIS];

/** What the app may cost, by row. */
export const GOALS = {
  people: {
    overPlainBolt: { most: 0.75, of: BOTH },
    overFloor: { most: 2.1, of: BOTH },
    redisCommands: { most: 45, of: REDIS },
    redisCalls: { most: 7, of: REDIS },
  },
  alone: {
    overPlainBolt: { most: 1.1, of: BOTH },
    flushes: { most: 3.1, of: SQLITE },
    kilobytes: { most: 72, of: SQLITE },
    pages: { most: 14, of: SQLITE },
  },
  /** As much as in a small channel, except for the noise of measurements. */
  channel: { largeOverSmall: { most: 1.1, of: BOTH } },
  memory: { megabytes: { most: 220, of: BOTH } },
  open: { overCommit: { most: 2, of: BOTH } },
  waiting: { percent: { most: 1, of: BOTH } },
} as const satisfies Record<string, Record<string, Goal>>;
