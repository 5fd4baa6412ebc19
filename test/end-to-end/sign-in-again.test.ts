import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openBrowserOf, passSignInPages, pressSignIn, signIn } from '../sandbox/sign-in.ts';
import type { Message } from '../sandbox/slack/records.ts';
import { CHANNEL, type LiveWorld, startLiveWorld } from './live-world.ts';

let world: LiveWorld;

beforeAll(async () => {
  world = await startLiveWorld();
});
afterAll(() => world.close());

const ana = () => world.slack.as('U0ANA');
const inDirectMessage = () => ana().sees(ana().dm);
const isPrompt = (message: Message) =>
  message.text.includes('I keep your question') && world.slack.render(message).includes('[Sign in]');
const prompts = () => inDirectMessage().filter(isPrompt).length;

/** Asks, and resolves once there is one more prompt with a button among the direct messages. */
async function askAndBePrompted(text: string) {
  const before = prompts();
  const question = await world.ask(text);
  await world.slack.until(() => prompts() > before, { what: 'a new prompt' });
  return question;
}

/** Signed in a moment ago, after a prompt that is younger than a minute. */
beforeEach(async () => {
  const question = await world.ask('sign me in');
  await signIn(world, 'U0ANA');
  await world.waitForReplies(question);
});

describe('a question right after the end of a sign-in has a prompt of its own', () => {
  it('after /assistant sign-out', async () => {
    await ana().command('/assistant', 'sign-out', CHANNEL);

    await askAndBePrompted('after signing out');
  });

  it('after Disconnect', async () => {
    const receipt = inDirectMessage().findLast(({ text }) => text.startsWith('You are signed in'));
    await ana().click(receipt ?? fail(), 'Disconnect');

    await askAndBePrompted('after disconnecting');
  });

  it('after the identity provider refused the refresh token', async () => {
    world.identityProvider.expireAccessTokens('ana');
    world.identityProvider.revoke('ana');

    await askAndBePrompted('after the authorization ended');
  });
});

describe('where several questions wait for one sign-in', () => {
  const notes = () =>
    ana()
      .sees(CHANNEL)
      .filter(({ ephemeralFor, text }) => ephemeralFor && text.includes('waits for your sign-in as well'));

  it('each has a button that works', async () => {
    await ana().command('/assistant', 'sign-out', CHANNEL);
    const first = await askAndBePrompted('the first');
    const second = await world.ask('the second');
    const note = await world.slack.until(() => notes().at(-1), { what: 'a note about the second' });

    const url = await pressSignIn(world, 'U0ANA', note);
    const browser = await openBrowserOf(world, 'U0ANA');
    await browser.open(url);
    await passSignInPages(browser);

    expect(browser.page.heading).toBe('Your accounts are connected');
    expect(await world.waitForReplies(first)).toHaveLength(1);
    expect(await world.waitForReplies(second)).toHaveLength(1);
  });

  it('a question that was deleted keeps no other from prompting', async () => {
    await ana().command('/assistant', 'sign-out', CHANNEL);
    const deleted = await askAndBePrompted('never mind');
    await ana().delete(deleted);

    await askAndBePrompted('but this');
  });
});

function fail(): never {
  throw new Error('there is nothing');
}
