import { setTimeout as sleep } from 'node:timers/promises';
import type { Message } from '@assistant-bridge/sandbox/slack/records.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { closeModals } from '../app/administer.ts';
import { type RedisServer, startRedis } from '../app/redis-server.ts';
import { findPrompt } from '../app/sign-in.ts';
import { CHANNEL, type LiveWorld, startLiveWorld } from './live-world.ts';

let redis: RedisServer;
let world: LiveWorld;

beforeAll(async () => {
  redis = await startRedis();
  world = await startLiveWorld({ environment: { REDIS_URL: redis.url } });
  await ana().say(ana().dm, 'who am I?');
});
afterEach(async () => {
  world.slack.faults.clear();
  await closeModals(world, 'U0ANA');
});
afterAll(async () => {
  await world.close();
  await redis.close();
});

const ana = () => world.slack.as('U0ANA');

const shown = () => {
  const view = ana().openView();
  return view ? world.slack.render(view) : '';
};
const showsSoon = (words: string, timeoutMs = 5_000) =>
  world.slack.until(() => shown().includes(words), { what: `a window with “${words}”`, timeoutMs });

describe('a window', () => {
  it('is there at once although the store is slow, and filled when it answers', async () => {
    const prompt = await findPrompt(world, 'U0ANA');
    redis.signal('SIGSTOP');
    try {
      await ana().click(prompt, 'Sign in');
      await showsSoon('Making your link…', 1_500);
    } finally {
      redis.signal('SIGCONT');
    }

    await showsSoon('[Open the sign-in page]');
  });

  it('says so where the store does not answer', async () => {
    const prompt = await findPrompt(world, 'U0ANA');
    redis.signal('SIGSTOP');
    try {
      await ana().click(prompt, 'Sign in');
      await showsSoon('Nothing was done, because I could not write it down.', 10_000);
    } finally {
      redis.signal('SIGCONT');
    }
  });

  it('is filled although Slack is slow to say that it is open', async () => {
    const prompt = await findPrompt(world, 'U0ANA');
    world.slack.faults.next('views.open', { kind: 'delay', delayMs: 3_500, after: true });

    const { ok } = await ana().click(prompt, 'Sign in');
    await showsSoon('Making your link…');
    await showsSoon('[Open the sign-in page]');

    expect(ok).toBe(true);
  });

  it('that Slack does not let us fill is told where the click was', async () => {
    const prompt = await findPrompt(world, 'U0ANA');
    world.slack.faults.next('views.update', { kind: 'slackError', error: 'internal_error' });

    await ana().click(prompt, 'Sign in');

    await world.slack.until(
      () => ana().sees(ana().dm, prompt.threadTs).some(tells('Slack did not show what belongs in the window')),
      { what: 'a word about it' },
    );
  });

  it('of a command does not hold up its acknowledgement, and is told of where it comes too late', async () => {
    world.slack.faults.next('views.open', { kind: 'delay', delayMs: 3_200 });

    const { error } = await ana().command('/assistant-web-off', '', CHANNEL);
    await sleep(3_200);
    await world.slack.until(() => ana().sees(CHANNEL).some(tells('Slack did not open the window in time')), {
      what: 'a word about it',
    });

    // Had it waited for the window, Slack would have waited in vain.
    expect(error).toBeUndefined();
    expect(ana().openView()).toBeUndefined();
    expect(ana().warnings()).toEqual([]);
  });
});

function tells(words: string): (message: Message) => boolean {
  return ({ text }) => text.includes(words);
}
