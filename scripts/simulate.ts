import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { UserError } from '../src/errors.ts';
import { FAULTS, plant } from '../test/simulation/planted.ts';
import type { Report } from '../test/simulation/simulate.ts';
import { runCommand, toWholeNumber } from './run-command.ts';

const USAGE = `npm run simulate -- [options]: plays worlds in which everything goes wrong, and prints the history of the first one that
breaks a promise

  --seed <n>       the seed of the first world (random)
  --turns <n>      how many questions (20,000)
  --minutes <n>    how long, instead of --turns
  --replicas <n>   how many replicas of the app
  --fault <name>   first takes a safeguard out of the code
  --faults         tries each fault, and prints which seed finds it`;

const DEFAULT_TURNS = 20_000;

/** Each fault must be found within this processor time. */
const FOUND_WITHIN_MS = 60_000;

const MAX = 1_000_000_000;

const NUMBER = { type: 'string' } as const;

type Numbers = Partial<Record<'seed' | 'turns' | 'replicas' | 'minutes', number>>;

await runCommand({
  usage: USAGE,
  options: {
    ...{ seed: NUMBER, turns: NUMBER, minutes: NUMBER, replicas: NUMBER },
    fault: { type: 'string' },
    faults: { type: 'boolean', default: false },
  },
  async run({ fault: name, faults, ...values }) {
    const texts: [string, unknown][] = Object.entries(values);
    const numbers: Numbers = Object.fromEntries(
      texts.map(([option, text]) => [option, toWholeNumber(option, String(text), 1, MAX)]),
    );
    const fault = FAULTS.find((one) => one.name === name);
    if (name !== undefined && !fault)
      throw new UserError('no_fault', `--fault is one of: ${FAULTS.map((one) => one.name).join(', ')}.`);
    if (faults) return findAll() ? 0 : 1;
    if (fault) plant(fault);
    return (await play(numbers, fault !== undefined)) ? 0 : 1;
  },
});

/** Imports the simulation only after a fault is planted in its code. The history of a planted fault is not shortened. Resolves with whether every promise held. */
async function play(numbers: Numbers, isPlanted: boolean): Promise<boolean> {
  const { simulate, tell } = await import('../test/simulation/simulate.ts');
  const { turns, replicas, minutes, seed = 1 + Math.floor(Math.random() * MAX) } = numbers;
  const report = await simulate({
    seed,
    turns: turns ?? (minutes === undefined ? DEFAULT_TURNS : Number.POSITIVE_INFINITY),
    forMs: minutes === undefined ? Number.POSITIVE_INFINITY : minutes * 60_000,
    replicas,
    isShrunk: !isPlanted,
    onFound: (found, ms) =>
      say(
        `Seed ${found} breaks a promise, after ${seconds(ms)}.${isPlanted ? '' : ' Looking for the shortest history …'}`,
      ),
  });
  say(describe(report, seed));
  if (!report.failure) {
    say('Every promise held.');
    return true;
  }
  const { breaches } = report.failure;
  say(
    isPlanted
      ? breaches
          .slice(0, 3)
          .map(({ promise, what }) => `✗ ${promise}: ${what}`)
          .join('\n')
      : tell(report.failure),
  );
  return false;
}

function describe({ turns, worlds, tookMs, cpuMs }: Report, seed: number): string {
  const perMinute = Math.round((turns / cpuMs) * 60_000).toLocaleString('en-US');
  const played = turns.toLocaleString('en-US');
  return `${played} questions in ${worlds} worlds from seed ${seed} on, in ${seconds(tookMs)}: ${perMinute} a minute of one processor.`;
}

/** Tries each fault in a process of its own, from the first seed on. Returns whether all were found in time. */
function findAll(): boolean {
  let isFound = true;
  say('| fault | found with seed | after | promise |\n|---|--:|--:|---|');
  for (const { name } of FAULTS) {
    const args = [fileURLToPath(import.meta.url), '--seed', '1', '--turns', '1000000', '--fault', name];
    const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 5 * FOUND_WITHIN_MS });
    const [, seed = 'not found', ms = ''] = /Seed (\d+) breaks a promise, after ([\d.]+) s/.exec(stdout) ?? [];
    say(`| ${name} | ${seed} | ${ms} s | ${/✗ (.*?): /.exec(stdout)?.[1] ?? ''} |`);
    if (ms === '' || Number(ms) * 1_000 > FOUND_WITHIN_MS) isFound = false;
  }
  return isFound;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
