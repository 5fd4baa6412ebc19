import { launchChromium } from '@assistant-bridge/sandbox/chromium.ts';
import type { Message } from '@assistant-bridge/sandbox/slack/records.ts';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { findPrompt, passSignInPages, pressSignIn, signIn } from '../app/sign-in.ts';
import { CHANNEL, openLiveWorld, shareLiveWorld } from './live-world.ts';

const world = shareLiveWorld({ signedIn: [] });

const ana = () => world.slack.as('U0ANA');
const command = (text: string) => world.command(text);

describe('signing in', () => {
  it('is asked for where nobody else sees it; what was asked meanwhile is answered afterwards', async () => {
    const first = await world.ask('the first question');
    const second = await ana().say(CHANNEL, 'and a second', { threadTs: first.ts });
    await findPrompt(world, 'U0ANA');
    const seenByBen = world.slack.as('U0BEN').sees(CHANNEL);

    expect(world.repliesIn(first, 'U0BEN')).toEqual([]);
    expect(seenByBen.map(({ ts }) => ts)).toEqual([first.ts]);
    await signIn(world, 'U0ANA');
    const replies = await world.waitForReplies(first, 2);

    expect(second.threadTs).toBe(first.ts);
    expect(replies[0]).toContain('the first question');
    expect(replies[1]).toContain('and a second');
  });

  it('is confirmed by a receipt that can undo it', async () => {
    const receipt = await world.findDirect('You are signed in');
    expect(world.slack.render(receipt)).toContain('ana@example.com');

    await ana().click(receipt, 'Disconnect');

    expect(await command('status')).toContain('not signed in');
  });
});

describe('/assistant', () => {
  it('tells who one is signed in as, with which time zone, and where answers go', async () => {
    await world.signIn('U0ANA', 'private');

    const status = await command('');

    expect(status).toContain('Ana Alvarez (ana@example.com)');
    expect(status).toContain('America/Los_Angeles');
    expect(status).toContain('direct message');
  });

  it('signs out, after which a question asks to sign in again', async () => {
    expect(await command('sign-out')).toContain('signed out');
    expect(await command('sign-out')).toContain('not signed in');

    await world.ask('who am I now?');

    expect(await findPrompt(world, 'U0ANA')).toBeDefined();
    expect(world.assistant.ledger.chats()).toEqual([]);
  });

  it('offers to sign in, and promises an answer only where a question waits', async () => {
    await expect.poll(() => command('sign-in')).toContain('Your question waits, and I answer it as soon as you have');
    await signIn(world, 'U0ANA');
    await expect.poll(() => world.assistant.ledger.chats()).toHaveLength(1);
    await expect.poll(() => command('status')).toContain('Ana Alvarez');
    const signedIn = await command('sign-in');
    await command('sign-out');
    const withoutQuestion = await command('sign-in');

    for (const offer of [signedIn, withoutQuestion]) expect(offer).toContain('[Sign in]');
    expect(signedIn).toContain('You are signed in as *Ana Alvarez (ana@example.com)*. Sign in again');
    expect(withoutQuestion).toContain('so that I can answer with *your* access rights.');
    expect(withoutQuestion).not.toContain('question');
  });
});

describe('a call for help', () => {
  it('in a direct message is answered without a sign-in', async () => {
    const { text } = await world.askAndWait('help', { user: 'U0BEN', channel: world.slack.as('U0BEN').dm });

    expect(text).toContain('I cannot send, create or change anything');
    expect(world.assistant.ledger.chats()).toEqual([]);
  });

  it('in a channel is answered to the one who called', async () => {
    const message = await world.ask('help', { user: 'U0BEN' });
    const help = await world.find('I cannot send', { user: 'U0BEN' });

    expect(help.ephemeralFor).toBe('U0BEN');
    expect(world.repliesIn(message)).toEqual([]);
  });
});

// That each of them needs no scrolling, and is accessible, is in identity/pages-in-browser.test.ts.
describe('the sign-in pages in a real browser', () => {
  it('lead from the link to both names and back, by keyboard alone, and nothing is blocked on the way', async () => {
    const browser = await launchChromium();
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      // A browser asks for the icon of every site; there is none.
      if (!message.location().url.endsWith('/favicon.ico')) complaints.push(message.text());
    });
    const press = async (name: string) => {
      await page.getByRole('button', { name }).focus();
      await page.keyboard.press('Enter');
    };
    await page.goto(`${world.slack.url}/sandbox/login?user=U0ANA`);
    await page.goto(world.identityProvider.loginUrl('ana'));
    complaints.length = 0;
    await world.ask('a question that waits', { channel: ana().dm });
    await page.goto(await world.signInAddress('U0ANA'));

    await page.getByRole('radio', { name: /direct message/i }).focus();
    await page.keyboard.press('Space');
    await press('Continue');
    await page.waitForURL(/\/link\/confirm/);
    expect(await page.textContent('dl')).toMatch(/Ana Alvarez \(@ana\) in Acme[\s\S]*Ana Alvarez \(ana@example\.com\)/);
    await press('Connect');
    await page.getByRole('heading', { name: 'Your accounts are connected' }).waitFor();
    await press('Undo');
    await page.getByRole('heading', { name: 'The connection is removed' }).waitFor();
    expect(complaints).toEqual([]);
    await page.getByRole('link', { name: 'Back to Slack' }).click();
    expect(await page.textContent('h1')).toBe('Back in Slack');
  });
});

describe('a sign-in just before a stop', () => {
  it('has its receipt all the same', async () => {
    const own = await openLiveWorld();
    const hold = Promise.withResolvers<void>();
    await own.command('sign-in');
    const [prompt] = own.slack.as('U0ANA').sees(CHANNEL);
    if (!prompt) expect.unreachable('it offers to sign in');
    const browser = await own.browserOf('U0ANA');
    await browser.open(await pressSignIn(own, 'U0ANA', prompt));
    own.slack.faults.onProcessed('conversations.open', () => hold.promise);
    await passSignInPages(browser);

    const restarted = own.restart('SIGTERM');
    await expect.poll(() => fetch(`${own.publicUrl}/health`).catch(() => 'closed')).toBe('closed');
    hold.resolve();
    await restarted;

    expect(own.slack.render(await own.findDirect('You are signed in'))).toContain('ana@example.com');
  });
});

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

describe('signing in again', () => {
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
      await untilShown(
        'no prompt',
        () => show(inDirectMessage().find(({ ts }) => ts === prompt.ts) ?? fail()) === DONE,
      );
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
});

function fail(): never {
  throw new Error('there is nothing');
}
