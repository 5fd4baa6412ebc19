import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { claimPort } from '../../test/sandbox/claim-port.ts';
import { PLAIN_TOKEN } from './bench-world.ts';
import { type Spread, toSpread } from './figures.ts';
import { startMeasured } from './measured-process.ts';
import { type MeasuredRedis, startMeasuredRedis } from './measured-redis.ts';
import type { Bench, Section } from './part.ts';
import { buildTable, type Column, showSpread } from './table.ts';

/** Who is started, and how. */
type Starter = {
  name: string;
  script: URL;
  /** What answers as soon as it can be used. */
  path: string;
  environment(): Record<string, string>;
};

/** One start, in ms: until it answers, and the processor time of that. */
type Start = { readyMs: number; cpuMs: number };

type StartFigures = { name: string; readyMs: Spread; cpuMs: Spread; overPlainBot: Spread };

type Caches = 'cold' | 'warm';

const MAIN = new URL('../../src/main.ts', import.meta.url);
const PLAIN_BOT = new URL('./plain-bot.ts', import.meta.url);

const LOOK_EVERY_MS = 2;

/** The starts of all after one another are a round, so that what else the machine does meets all. */
export async function measureStarts(bench: Bench): Promise<Section> {
  const redis = bench.options.stores.includes('redis')
    ? await bench.running.start(() => startMeasuredRedis(bench.cores?.redis))
    : undefined;
  const starters = toStarters(bench, redis);
  const folder = join(bench.world.folder, 'compiled');
  await fillCache(bench, folder);
  const cold = await measureRounds(bench, starters, { NODE_DISABLE_COMPILE_CACHE: '1' });
  const warm = await measureRounds(bench, starters, { NODE_COMPILE_CACHE: folder });
  if (redis) await bench.running.stop(redis);
  const text = [
    'From the start of the process until it answers (/ready of the app), and the processor time of that:',
    buildTable(toColumns('cold'), cold),
    buildTable(toColumns('warm'), warm),
  ];
  return { text: text.join('\n\n'), figures: { cold, warm } };
}

function toStarters({ world, options }: Bench, redis: MeasuredRedis | undefined): Starter[] {
  const bridge = { script: MAIN, path: '/ready' };
  const toEnvironment = (own: Record<string, string>) => ({ ...world.environment, OPS_PORT: '0', ...own });
  const plainBot: Starter = {
    name: 'plain Bolt 5 bot',
    script: PLAIN_BOT,
    path: '/',
    environment: () => toEnvironment({ ASSISTANT_TOKEN: PLAIN_TOKEN }),
  };
  const onSqlite: Starter = {
    ...bridge,
    name: 'bridge on SQLite',
    environment: () => toEnvironment({ SQLITE_PATH: join(world.folder, `${randomUUID()}.db`) }),
  };
  const starters = options.stores.includes('sqlite') ? [plainBot, onSqlite] : [plainBot];
  if (!redis) return starters;
  const environment = () => toEnvironment({ REDIS_URL: redis.url });
  return [...starters, { ...bridge, name: 'bridge on Redis', environment }];
}

/** As the image does it for the app; a bot that ends in an ordinary way leaves behind what it compiled. */
async function fillCache(bench: Bench, folder: string): Promise<void> {
  const env = { PATH: process.env.PATH, NODE_COMPILE_CACHE: folder };
  await promisify(execFile)(process.execPath, [fileURLToPath(MAIN), '--compile'], { env });
  const [plainBot] = toStarters(bench, undefined);
  if (plainBot) await startOnce(bench, plainBot, { NODE_COMPILE_CACHE: folder }, 'orderly');
}

async function measureRounds(
  bench: Bench,
  starters: Starter[],
  caching: Record<string, string>,
): Promise<StartFigures[]> {
  const starts = starters.map((): Start[] => []);
  for (let round = 0; round < bench.options.rounds; round++) {
    for (const [index, starter] of starters.entries()) starts[index]?.push(await startOnce(bench, starter, caching));
  }
  const [plainBot = []] = starts;
  return starters.map(({ name }, index) => {
    const ours = starts[index] ?? [];
    const ratios = ours.map(({ cpuMs }, round) => cpuMs / (plainBot[round]?.cpuMs ?? Number.NaN));
    return {
      name,
      readyMs: toSpread(ours.map(({ readyMs }) => readyMs)),
      cpuMs: toSpread(ours.map(({ cpuMs }) => cpuMs)),
      overPlainBot: toSpread(ratios),
    };
  });
}

async function startOnce(
  { cores, running }: Bench,
  { name, script, path, environment }: Starter,
  caching: Record<string, string>,
  end: 'orderly' | 'at-once' = 'at-once',
): Promise<Start> {
  const port = await claimPort();
  const begunAt = performance.now();
  const starting = running.start(() =>
    startMeasured({
      name,
      script,
      environment: { ...environment(), PORT: String(port), ...caching },
      core: cores?.measured[0],
      profileFolder: undefined,
      end,
    }),
  );
  const failed = new AbortController();
  starting.catch(() => failed.abort());
  await untilAnswered(`http://127.0.0.1:${port}${path}`, failed.signal);
  const readyMs = performance.now() - begunAt;
  const started = await starting;
  const { cpuMs } = await started.usage();
  await running.stop(started);
  return { readyMs, cpuMs };
}

/** A bot answers whatever it does not know with 404. Gives up where the start has failed: whoever waits for it says why. */
async function untilAnswered(url: string, failed: AbortSignal): Promise<void> {
  while (!failed.aborted) {
    const status = await fetch(url).then(
      (response) => response.status,
      () => 0,
    );
    if (status === 200 || status === 404) return;
    await pause(LOOK_EVERY_MS);
  }
}

function toColumns(caches: Caches): Column<StartFigures>[] {
  const title = caches === 'cold' ? 'nothing compiled before' : 'compiled code kept from before';
  return [
    { title, toCell: ({ name }) => name },
    { title: 'ms to the first answer', toCell: ({ readyMs }) => showSpread(readyMs, 0) },
    { title: 'CPU ms', toCell: ({ cpuMs }) => showSpread(cpuMs, 0) },
    { title: 'CPU over plain Bolt', toCell: ({ overPlainBot }) => showSpread(overPlainBot, 2) },
  ];
}
