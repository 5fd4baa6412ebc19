// npm run simulate -- [--seed N] [--turns N] [--replicas N] [--minutes N]
// Plays worlds in which everything goes wrong, and tells the story of the first that breaks a promise.
import { parseArgs } from 'node:util';
import { simulate, tell } from '../test/simulation/simulate.ts';

const DEFAULT_TURNS = 20_000;

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    turns: { type: 'string' },
    replicas: { type: 'string' },
    minutes: { type: 'string' },
  },
});

const toNumber = (name: keyof typeof values) => {
  const text = values[name];
  if (text === undefined) return undefined;
  const number = Number(text);
  if (Number.isInteger(number) && number > 0) return number;
  process.stderr.write(`--${name} has to be a whole number above 0; it is “${text}”.\n`);
  return process.exit(2);
};

const minutes = toNumber('minutes');
const seed = toNumber('seed') ?? 1 + Math.floor(Math.random() * 1e9);
const report = await simulate({
  seed,
  turns: toNumber('turns') ?? (minutes === undefined ? DEFAULT_TURNS : Number.POSITIVE_INFINITY),
  forMs: minutes === undefined ? Number.POSITIVE_INFINITY : minutes * 60_000,
  replicas: toNumber('replicas'),
  onFound: (found, ms) =>
    process.stdout.write(
      `Seed ${found} breaks a promise, after ${(ms / 1000).toFixed(1)} s. Looking for the shortest history …\n`,
    ),
});
const perMinute = Math.round((report.turns / report.tookMs) * 60_000).toLocaleString('en-US');
const played = report.turns.toLocaleString('en-US');
process.stdout.write(
  `${played} questions in ${report.worlds} worlds from seed ${seed} on, in ${(report.tookMs / 1000).toFixed(1)} s: ${perMinute} a minute.\n`,
);
if (report.failure) {
  process.stdout.write(`${tell(report.failure)}\n`);
  process.exitCode = 1;
} else process.stdout.write('Every promise held.\n');
