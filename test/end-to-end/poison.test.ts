import { fileURLToPath } from 'node:url';
import { describe, expect, it, type TestContext } from 'vitest';
import { type AppProcess, startAppProcess, toBundled } from '../app/app-process.ts';
import { startRedis } from '../app/redis-server.ts';
import type { World } from '../app/world.ts';
import { CHANNEL, delivered, replies, startKillWorld } from './kill-world.ts';

const POISONED_APP = toBundled(fileURLToPath(new URL('./poisoned-app.ts', import.meta.url)));

const INNOCENT = ['one', 'two', 'three', 'four', 'five', 'six'].map((name) => `innocent ${name}`);

async function startPoisoned(kind: string, { onTestFinished }: TestContext) {
  const redis = kind === 'Redis' ? await startRedis() : undefined;
  if (redis) onTestFinished(() => redis.close());
  const world = await startKillWorld({
    environment: redis ? { REDIS_URL: redis.url, LEASE_SECONDS: '3' } : {},
  });
  onTestFinished(() => world.close());
  const processes: AppProcess[] = [];
  onTestFinished(async () => void (await processes.at(-1)?.kill('SIGKILL')));
  const start = async () => {
    // In the first two all of them run when it dies, however busy the machine is.
    const HOLDS = String(processes.length < 2 ? INNOCENT.length : 0);
    processes.push(await startAppProcess({ ...world.environment, HOLDS }, POISONED_APP));
  };
  await start();
  return { world, processes, start };
}

async function ask(world: World, text: string): Promise<string> {
  const options = { await: 'none', twins: 'mention-only' } as const;
  const { ts } = await world.slack.as('U0ANA').say(CHANNEL, `${world.slack.mention} ${text}`, options);
  return ts;
}

describe.concurrent.each(['SQLite', 'Redis'])('a question that kills its process, on %s', (kind) => {
  it('is given up after five deaths, and all that ran beside it are answered', async (context) => {
    const { world, processes, start } = await startPoisoned(kind, context);
    const innocent = await Promise.all(INNOCENT.map((text) => ask(world, text)));
    for (const ts of innocent) await delivered(world, ts);
    const guilty = await ask(world, 'poison');

    for (let deaths = 0; deaths < 5; deaths++) {
      await processes.at(-1)?.ended;
      await start();
    }
    const isOver = () => [...innocent, guilty].every((ts) => replies(world, ts).length > 0);
    await world.slack.until(isOver, { what: 'a reply to all' });

    const said = (ts: string) => replies(world, ts).map((message) => world.slack.render(message));
    for (const [index, ts] of innocent.entries())
      expect(said(ts)).toEqual([expect.stringContaining(INNOCENT[index] ?? '')]);
    expect(said(guilty)).toEqual([expect.stringContaining('Something failed on my side')]);
    const begun = processes.slice(0, 2).map(({ lines }) => lines.filter((line) => line.startsWith('begun innocent')));
    expect(begun.map(({ length }) => length)).toEqual([INNOCENT.length, INNOCENT.length]);
    const givenUp = () => processes.flatMap(({ lines }) => lines.filter((line) => line.includes('turn given up')));
    await context.expect.poll(givenUp).toEqual([expect.stringContaining('"deaths":5')]);
  });
});
