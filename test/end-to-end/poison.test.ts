import { fileURLToPath } from 'node:url';
import { describe, it } from 'vitest';
import { toBundled } from '../app/app-process.ts';
import { delivered, RETRIES } from './kill-world.ts';
import { openLiveWorld } from './live-world.ts';

const POISONED_APP = toBundled(fileURLToPath(new URL('./poisoned-app.ts', import.meta.url)));

const INNOCENT = ['one', 'two', 'three', 'four', 'five', 'six'].map((name) => `innocent ${name}`);
const HOLDING = { HOLDS: String(INNOCENT.length) };

const ONCE = { await: 'none', twins: 'mention-only' } as const;

describe.concurrent.each(['SQLite', 'Redis'])('a question that kills its process, on %s', (kind) => {
  it('is given up after five deaths, and all that ran beside it are answered', async ({ expect, onTestFinished }) => {
    const options = { redis: kind === 'Redis', script: POISONED_APP, slack: { retry: RETRIES } };
    const world = await openLiveWorld({ ...options, environment: { LEASE_SECONDS: '3' } }, onTestFinished);
    await world.signIn('U0ANA', 'thread');
    // In the first two all of them run when it dies, however busy the machine is.
    const processes = [await world.restart('SIGTERM', HOLDING)];
    const innocent = await Promise.all(INNOCENT.map((text) => world.ask(text, ONCE)));
    for (const { ts } of innocent) await delivered(world, ts);
    const guilty = await world.ask('poison', ONCE);

    for (let deaths = 1; deaths <= 5; deaths++) {
      await world.app.ended;
      processes.push(await world.restart('SIGKILL', deaths === 1 ? HOLDING : {}));
    }
    for (const question of [...innocent, guilty]) await world.reply(question);

    for (const [index, question] of innocent.entries())
      expect(await world.waitForReplies(question)).toEqual([expect.stringContaining(INNOCENT[index] ?? '')]);
    expect(await world.waitForReplies(guilty)).toEqual([expect.stringContaining('Something failed on my side')]);
    const begun = processes.slice(0, 2).map(({ lines }) => lines.filter((line) => line.startsWith('begun innocent')));
    expect(begun.map(({ length }) => length)).toEqual([INNOCENT.length, INNOCENT.length]);
    const givenUp = () => processes.flatMap(({ lines }) => lines.filter((line) => line.includes('turn given up')));
    await expect.poll(givenUp).toEqual([expect.stringContaining('"deaths":5')]);
  });
});
