import { parseArgs } from 'node:util';

const PART_NAMES = ['start', 'turns', 'variants', 'waiting', 'threads', 'commits', 'scaling'] as const;

export type PartName = (typeof PART_NAMES)[number];

const STORE_NAMES = ['sqlite', 'redis'] as const;

export type StoreName = (typeof STORE_NAMES)[number];

export type BenchOptions = {
  parts: PartName[];
  stores: StoreName[];
  /** How many replicas share a Redis: one contender for each number. */
  replicas: number[];
  /** Turns of each contender in each round. */
  turns: number;
  rounds: number;
  /** How many turns go on at once. */
  inFlight: number;
  /** How many of the turns go on in a thread that has one already, from 0 to 0.5. */
  followUps: number;
  /** How long the service takes for an answer. */
  latencyMs: number;
  /** How many turns wait where the memory of waiting turns is measured. */
  waiting: number;
  /** How many threads are known where many are. */
  known: number;
  isJson: boolean;
  /** A folder for a CPU profile of every process that is measured. */
  profileFolder: string | undefined;
};

export const USAGE = `npm run bench -- [options]

  --only <parts>      some of ${PART_NAMES.join(', ')}; separated by commas (all)
                        start: from the start of the process until it answers, beside a plain Bolt bot
                        turns: the app on both stores beside a plain Bolt bot and a bare one; added latency
                        variants: each mention delivered twice; answers over the stream
                        waiting: memory per thousand waiting turns
                        threads: the cost of a turn with few and with many known threads
                        commits: disk flushes per turn, beside what the disk can do
                        scaling: what thousands of people need, on Redis, whatever the store
  --store <name>      ${STORE_NAMES.join(' or ')} (both); Redis needs \`redis-server\`
  --replicas <n,n>    how many replicas share a Redis, each number in turn (1,2, and one for each core that is left)
  --turns <n>         turns of each contender in each round (600)
  --rounds <n>        rounds, in which the contenders take turns (5)
  --in-flight <n>     how many turns go on at once (64); with few, who is measured sleeps and wakes for each step
  --follow-ups <n>    part of them that go on in a thread, 0 to 0.5 (0.25)
  --latency-ms <n>    how long the service takes for an answer (0)
  --waiting <n>       how many turns wait (2000)
  --known <n>         how many threads are known, where many are (100000)
  --json              figures as JSON instead of tables
  --profile <folder>  writes a CPU profile of each process there; the figures are then too high`;

/** More would not fit into the memory of the stand-ins, which forget only between rounds. */
const MAX = 1_000_000;

/** `coresForReplicas`: more replicas than that only share the cores. Throws an Error with a sentence for people. */
export function readOptions(args: string[], coresForReplicas: number): BenchOptions {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string', default: PART_NAMES.join() },
      store: { type: 'string', default: STORE_NAMES.join() },
      replicas: { type: 'string', default: [...new Set([1, 2, coresForReplicas])].toSorted((a, b) => a - b).join() },
      turns: { type: 'string', default: '600' },
      rounds: { type: 'string', default: '5' },
      'in-flight': { type: 'string', default: '64' },
      'follow-ups': { type: 'string', default: '0.25' },
      'latency-ms': { type: 'string', default: '0' },
      waiting: { type: 'string', default: '2000' },
      known: { type: 'string', default: '100000' },
      json: { type: 'boolean', default: false },
      profile: { type: 'string' },
    },
  });
  const toCount = (name: 'turns' | 'rounds' | 'in-flight' | 'waiting' | 'known') =>
    toNumber(name, values[name], { isWhole: true, least: 1, most: MAX });
  return {
    parts: toWords('only', values.only, PART_NAMES),
    stores: toWords('store', values.store, STORE_NAMES),
    replicas: values.replicas
      .split(',')
      .map((text) => toNumber('replicas', text, { isWhole: true, least: 1, most: 32 })),
    turns: toCount('turns'),
    rounds: toCount('rounds'),
    inFlight: toCount('in-flight'),
    followUps: toNumber('follow-ups', values['follow-ups'], { isWhole: false, least: 0, most: 0.5 }),
    latencyMs: toNumber('latency-ms', values['latency-ms'], { isWhole: false, least: 0, most: 60_000 }),
    waiting: toCount('waiting'),
    known: toCount('known'),
    isJson: values.json,
    profileFolder: values.profile,
  };
}

type Bounds = { isWhole: boolean; least: number; most: number };

function toNumber(name: string, text: string, { isWhole, least, most }: Bounds): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (value >= least && value <= most && (!isWhole || Number.isInteger(value))) return value;
  throw new Error(`--${name} must be a ${isWhole ? 'whole ' : ''}number from ${least} to ${most}, not '${text}'.`);
}

function toWords<const Word extends string>(name: string, text: string, words: readonly Word[]): Word[] {
  const wanted = text.split(',').map((word) => word.trim());
  const unknown = wanted.find((word) => !words.some((known) => known === word));
  if (unknown !== undefined) throw new Error(`--${name} knows ${words.join(', ')}, not '${unknown}'.`);
  return words.filter((word) => wanted.includes(word));
}
