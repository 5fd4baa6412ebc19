// npm run simulate -- [--seed N] [--turns N] [--replicas N] [--minutes N] [--fault NAME | --faults]
// Plays worlds in which everything goes wrong, and tells the story of the first that breaks a promise. `--fault` takes a
// safeguard out of the code before; `--faults` does so with each, and prints where it was found.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { FAULTS, plant } from '../test/simulation/planted.ts';
import type { Report } from '../test/simulation/simulate.ts';

const DEFAULT_TURNS = 20_000;

/** Each fault is found within this time, of the processor. */
const FOUND_WITHIN_MS = 60_000;

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    turns: { type: 'string' },
    replicas: { type: 'string' },
    minutes: { type: 'string' },
    fault: { type: 'string' },
    faults: { type: 'boolean' },
  },
});

if (values.faults) findAll();
else {
  const fault = FAULTS.find(({ name }) => name === values.fault);
  if (values.fault !== undefined && !fault) refuse(`--fault is one of: ${FAULTS.map(({ name }) => name).join(', ')}.`);
  if (fault) plant(fault);
  await play(fault !== undefined);
}

/** Only now, so that a fault is planted before the code is loaded. A fault is not shrunk: it is known. */
async function play(isPlanted: boolean): Promise<void> {
  const { simulate, tell } = await import('../test/simulation/simulate.ts');
  const minutes = toNumber('minutes');
  const seed = toNumber('seed') ?? 1 + Math.floor(Math.random() * 1e9);
  const report = await simulate({
    seed,
    turns: toNumber('turns') ?? (minutes === undefined ? DEFAULT_TURNS : Number.POSITIVE_INFINITY),
    forMs: minutes === undefined ? Number.POSITIVE_INFINITY : minutes * 60_000,
    replicas: toNumber('replicas'),
    isShrunk: !isPlanted,
    onFound: (found, ms) =>
      say(
        `Seed ${found} breaks a promise, after ${seconds(ms)}.${isPlanted ? '' : ' Looking for the shortest history …'}`,
      ),
  });
  say(describe(report, seed));
  if (!report.failure) return say('Every promise held.');
  const { breaches } = report.failure;
  say(
    isPlanted
      ? breaches
          .slice(0, 3)
          .map(({ promise, what }) => `✗ ${promise}: ${what}`)
          .join('\n')
      : tell(report.failure),
  );
  process.exitCode = 1;
}

function describe({ turns, worlds, tookMs, cpuMs }: Report, seed: number): string {
  const perMinute = Math.round((turns / cpuMs) * 60_000).toLocaleString('en-US');
  const played = turns.toLocaleString('en-US');
  return `${played} questions in ${worlds} worlds from seed ${seed} on, in ${seconds(tookMs)}: ${perMinute} a minute of one processor.`;
}

/** Each in a process of its own, from the first seed on. */
function findAll(): void {
  say('| fault | found with seed | after | promise |\n|---|--:|--:|---|');
  for (const { name } of FAULTS) {
    const args = [fileURLToPath(import.meta.url), '--seed', '1', '--turns', '1000000', '--fault', name];
    const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 5 * FOUND_WITHIN_MS });
    const [, seed = 'not found', ms = ''] = /Seed (\d+) breaks a promise, after ([\d.]+) s/.exec(stdout) ?? [];
    say(`| ${name} | ${seed} | ${ms} s | ${/✗ (.*?): /.exec(stdout)?.[1] ?? ''} |`);
    if (ms === '' || Number(ms) * 1_000 > FOUND_WITHIN_MS) process.exitCode = 1;
  }
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

function toNumber(name: 'seed' | 'turns' | 'replicas' | 'minutes'): number | undefined {
  const text = values[name];
  if (text === undefined) return undefined;
  const number = Number(text);
  if (Number.isInteger(number) && number > 0) return number;
  return refuse(`--${name} has to be a whole number above 0; it is “${text}”.`);
}

function refuse(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  return process.exit(2);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
