import { UserError } from '../../src/errors.ts';
import { toWholeNumber, type Values } from '../run-command.ts';

export const ROW_NAMES = ['people', 'alone', 'person', 'channel', 'memory', 'open', 'waiting'] as const;

export type RowName = (typeof ROW_NAMES)[number];

/** How much is measured. */
export type Sizes = {
  /** Turns of each contender before anything is measured: plain Bolt needs a thousand to reach its pace. */
  warmUp: number;
  /** Turns of each contender in each round. */
  turns: number;
  /** The same for rows with one turn at a time. */
  turnsAlone: number;
  /** Members of the large channel. */
  members: number;
  /** How long questions come without waiting for answers, in each round, in s. */
  openS: number;
  /** How many turns wait. */
  waiting: number;
  /** How long processes are measured at rest, in s: several whole intervals of either store's sweeper. */
  restS: number;
};

const FULL: Sizes = {
  warmUp: 1_500,
  turns: 600,
  turnsAlone: 200,
  members: 10_000,
  openS: 10,
  waiting: 10_000,
  restS: 60,
};

const QUICK: Sizes = { warmUp: 64, turns: 64, turnsAlone: 16, members: 500, openS: 2, waiting: 64, restS: 2 };

export type BenchOptions = {
  rows: RowName[];
  rounds: number;
  isQuick: boolean;
  sizes: Sizes;
  jsonFile: string | undefined;
};

export const USAGE = `npm run bench -- [options]

  --only <row>    only this row; may be given several times
                    people: 32 people, 32 turns at once
                    alone: one turn at a time
                    person: one person with 32 questions at once
                    channel: a channel of 10,000 members beside one of 30
                    memory: at rest, after the start and after the turns
                    open: acknowledgements while 100 questions a second come
                    waiting: what 10,000 waiting turns use at rest
  --rounds <n>    rounds, in which the contenders take turns (5)
  --json <file>   writes the figures there as well, to compare two versions
  --quick         very small, to try the bench itself: its figures mean nothing`;

const MOST_ROUNDS = 100;

export const OPTIONS = {
  only: { type: 'string', multiple: true, default: [...ROW_NAMES] as string[] },
  rounds: { type: 'string' },
  json: { type: 'string' },
  quick: { type: 'boolean', default: false },
} as const;

/** Throws a UserError. */
export function toBenchOptions(values: Values<typeof OPTIONS>): BenchOptions {
  const { only, quick: isQuick, json: jsonFile } = values;
  const rounds = toWholeNumber('rounds', values.rounds ?? (isQuick ? '2' : '5'), 1, MOST_ROUNDS);
  const unknown = only.find((name) => !ROW_NAMES.some((known) => known === name));
  if (unknown !== undefined) throw new UserError('no_row', `--only knows ${ROW_NAMES.join(', ')}, not '${unknown}'.`);
  const rows = ROW_NAMES.filter((name) => only.includes(name));
  return { rows, rounds, isQuick, jsonFile, sizes: isQuick ? QUICK : FULL };
}
