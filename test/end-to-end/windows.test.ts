import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { findPrompt } from '../app/sign-in.ts';
import { CHANNEL, shareLiveWorld } from './live-world.ts';

const world = shareLiveWorld({ redis: true, signedIn: [] });

beforeAll(async () => void (await ana().say(ana().dm, 'who am I?')));

const ana = () => world.slack.as('U0ANA');

const shown = () => {
  const view = ana().openView();
  return view ? world.slack.render(view) : '';
};
const showsSoon = (words: string, timeoutMs = 5_000) =>
  world.slack.until(() => shown().includes(words), { what: `a window with “${words}”`, timeoutMs });

/** Presses *Sign in* while the store does not answer, until a window says this. */
async function clickWithoutStore(words: string, timeoutMs: number): Promise<void> {
  const prompt = await findPrompt(world, 'U0ANA');
  world.redis?.signal('SIGSTOP');
  try {
    await ana().click(prompt, 'Sign in');
    await showsSoon(words, timeoutMs);
  } finally {
    world.redis?.signal('SIGCONT');
  }
}

describe('a window', () => {
  it('is there at once although the store is slow, and filled when it answers', async () => {
    await clickWithoutStore('Making your link…', 1_500);

    await showsSoon('[Open the sign-in page]');
  });

  it('says so where the store does not answer', async () => {
    await clickWithoutStore('Nothing was done, because I could not save it.', 10_000);
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

    const place = { channel: ana().dm, ...(prompt.threadTs && { threadTs: prompt.threadTs }) };
    await world.find('Slack did not show the content of the window', place);
  });

  it('that shows no end of what was done is told of in a direct message, and not as if nothing was done', async () => {
    const { reply } = await ana().command('/assistant', 'privacy', CHANNEL);
    if (reply) await ana().click(reply, 'Delete my data');
    const view = await world.findWindow('This stays');
    world.slack.faults.next('views.update', { kind: 'slackError', error: 'internal_error' });

    await ana().submit(view);

    const told = await world.findDirect('Slack did not show the content of the window');
    expect(told.text).not.toContain('nothing was done');
  });

  it('of a command does not hold up its acknowledgement, and is told of where it comes too late', async () => {
    world.slack.faults.next('views.open', { kind: 'delay', delayMs: 3_200 });

    const { error } = await ana().command('/assistant-web-off', '', CHANNEL);
    await sleep(3_200);
    await world.find('Slack did not open the window in time');

    // Had it waited for the window, Slack would have waited in vain.
    expect(error).toBeUndefined();
    expect(ana().openView()).toBeUndefined();
    expect(ana().warnings()).toEqual([]);
  });
});
