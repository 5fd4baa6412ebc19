import { parseArgs } from 'node:util';

export type BenchOptions = {
  /** Turns of each contender in each round. */
  turns: number;
  rounds: number;
  /** How many turns go on at once. */
  inFlight: number;
  /** How many of the turns go on in a thread that has one already, from 0 to 0.5. */
  followUps: number;
  /** How long the service takes for an answer. */
  latencyMs: number;
  isJson: boolean;
  /** A folder for a CPU profile of every process that is measured. */
  profileFolder: string | undefined;
};

export const USAGE = `npm run bench -- [options]

  --turns <n>         turns of each contender in each round (400)
  --rounds <n>        rounds, in which the contenders take turns (5)
  --in-flight <n>     how many turns go on at once (16)
  --follow-ups <n>    part of them that go on in a thread, 0 to 0.5 (0.25)
  --latency-ms <n>    how long the service takes for an answer (0)
  --json              figures as JSON instead of a table
  --profile <folder>  writes a CPU profile of each process there; the figures are then too high`;

/** Throws an Error with a sentence for people. */
export function readOptions(args: string[]): BenchOptions {
  const { values } = parseArgs({
    args,
    options: {
      turns: { type: 'string', default: '400' },
      rounds: { type: 'string', default: '5' },
      'in-flight': { type: 'string', default: '16' },
      'follow-ups': { type: 'string', default: '0.25' },
      'latency-ms': { type: 'string', default: '0' },
      json: { type: 'boolean', default: false },
      profile: { type: 'string' },
    },
  });
  const toNumber = (name: 'turns' | 'rounds' | 'in-flight' | 'follow-ups' | 'latency-ms', least: number) => {
    const value = Number(values[name]);
    if (!(value >= least) || value > MAX) throw new Error(`--${name} must be a number from ${least} to ${MAX}.`);
    return value;
  };
  return {
    turns: Math.floor(toNumber('turns', 1)),
    rounds: Math.floor(toNumber('rounds', 1)),
    inFlight: Math.floor(toNumber('in-flight', 1)),
    followUps: Math.min(0.5, toNumber('follow-ups', 0)),
    latencyMs: toNumber('latency-ms', 0),
    isJson: values.json,
    profileFolder: values.profile,
  };
}

/** More would not fit into the memory of the stand-ins, which forget only between rounds. */
const MAX = 100_000;
