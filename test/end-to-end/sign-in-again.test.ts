import type { Message } from '@assistant-bridge/sandbox/slack/records.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { passSignInPages, pressSignIn, signIn } from '../app/sign-in.ts';
import { CHANNEL, shareLiveWorld } from './live-world.ts';

const world = shareLiveWorld({ signedIn: [] });

const ana = () => world.slack.as('U0ANA');
const inDirectMessage = () => ana().sees(ana().dm);
/** In threads as well. */
const allDirect = () => inDirectMessage().flatMap((root) => [root, ...ana().sees(ana().dm, root.ts).slice(1)]);
const isPrompt = (message: Message) =>
  message.text.includes('I keep your question') && world.slack.render(message).includes('[Sign in]');

/** Asks, and resolves once there is a new prompt with a button among the direct messages. */
async function askAndBePrompted(text: string) {
  const question = await world.ask(text);
  const isNew = (message: Message) => isPrompt(message) && message.ts > question.ts;
  await world.slack.until(() => inDirectMessage().some(isNew), { what: 'a new prompt' });
  return question;
}

async function followLink(url: string) {
  const browser = await world.browserOf('U0ANA');
  await browser.open(url);
  await passSignInPages(browser);
  return browser;
}

/** Signed in a moment ago, after a prompt that is younger than a minute. */
beforeEach(async () => {
  await ana().command('/assistant', 'sign-out', CHANNEL);
  const question = await world.ask('sign me in');
  await signIn(world, 'U0ANA');
  await world.waitForReplies(question);
});

describe('a question right after the end of a sign-in has a prompt of its own', () => {
  it('after Disconnect', async () => {
    await ana().click(await world.findDirect('You are signed in'), 'Disconnect');

    await askAndBePrompted('after disconnecting');
  });

  it('after the identity provider refused the refresh token', async () => {
    world.identityProvider.expireAccessTokens('ana');
    world.identityProvider.revoke('ana');

    await askAndBePrompted('after the authorization ended');
  });
});

describe('where several questions wait for one sign-in', () => {
  it('each has a button that works', async () => {
    await ana().command('/assistant', 'sign-out', CHANNEL);
    const first = await askAndBePrompted('the first');
    const second = await world.ask('the second');
    const note = await world.find('waits for your sign-in as well');

    const browser = await followLink(await pressSignIn(world, 'U0ANA', note));

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

describe('what was clicked says so once the person is signed in', () => {
  const DONE = 'Signed in as *Ana Alvarez (ana@example.com)*.';
  const show = (message: Message) => world.slack.render(message);
  const untilShown = (what: string, isShown: () => boolean) => world.slack.until(isShown, { what });
  const untilWindowSaysSo = () => world.findWindow(`${DONE} You can close this window.`);

  it('the prompt in the direct message, and the window', async () => {
    await ana().command('/assistant', 'sign-out', CHANNEL);
    const question = await askAndBePrompted('from the direct message');
    const prompt = inDirectMessage().findLast(isPrompt) ?? fail();

    await followLink(await pressSignIn(world, 'U0ANA', prompt));

    await untilWindowSaysSo();
    await untilShown('no prompt', () => show(inDirectMessage().find(({ ts }) => ts === prompt.ts) ?? fail()) === DONE);
    expect(await world.waitForReplies(question)).toHaveLength(1);
  });

  it('every other prompt as well: at once in direct messages, and in a channel when it is pressed', async () => {
    const inChannel = () => ana().sees(CHANNEL);
    await ana().command('/assistant', 'sign-out', CHANNEL);
    await askAndBePrompted('in the channel');
    const ephemeral = await world.slack.until(() => inChannel().findLast(isPrompt), { what: 'a prompt' });
    await ana().say(ana().dm, 'and in the direct message');
    const isNote = ({ text }: Message) => text.includes('waits for your sign-in as well');
    await world.slack.until(() => allDirect().some(isNote), { what: 'a note' });
    const others = allDirect().filter((one) => show(one).includes('[Sign in]'));

    await followLink(await pressSignIn(world, 'U0ANA', ephemeral));
    await untilShown('no prompt in direct messages', () =>
      others.every(({ ts }) => show(allDirect().find((one) => one.ts === ts) ?? fail()) === DONE),
    );
    await ana().command('/assistant', 'sign-out', CHANNEL);
    await askAndBePrompted('once more');
    const late = await world.slack.until(() => inChannel().findLast(isPrompt), { what: 'another prompt' });
    await followLink(await pressSignIn(world, 'U0ANA', inDirectMessage().findLast(isPrompt) ?? fail()));
    await ana().closeView(ana().openView() ?? fail());
    await ana().click(late, 'Sign in');

    expect(others.length).toBeGreaterThanOrEqual(2);
    await untilWindowSaysSo();
    await untilShown('no prompt', () => show(inChannel().find(({ ts }) => ts === late.ts) ?? fail()) === DONE);
  });

  it('keeps neither the question nor the receipt from people who have closed the window', async () => {
    await ana().command('/assistant', 'sign-out', CHANNEL);
    const question = await askAndBePrompted('and closed it');
    const url = await pressSignIn(world, 'U0ANA', inDirectMessage().findLast(isPrompt) ?? fail());
    await ana().closeView(ana().openView() ?? fail());

    await followLink(url);

    expect(await world.waitForReplies(question)).toHaveLength(1);
    await untilShown('a receipt', () => show(inDirectMessage().at(-1) ?? fail()).includes('[Disconnect]'));
  });
});

function fail(): never {
  throw new Error('there is nothing');
}
