import { describe, expect, it } from 'vitest';
import { buildManifest } from '../../manifest/manifest.ts';
import { openForReading } from '../../src/backend/sqlite-store.ts';
import { ACTIONS } from '../../src/slack/views/content.ts';
import { openBrowserOf, passSignInPages } from '../app/sign-in.ts';
import { CHANNEL, shareLiveWorld } from './live-world.ts';

const world = shareLiveWorld({ signedIn: [] });

const as = (user: string) => world.slack.as(user);
const dmOf = (user: string) =>
  as(user)
    .sees(as(user).dm)
    .map((message) => world.slack.render(message));
const homeShows = async (words: string, user = 'U0ANA') => world.slack.render(await world.findHome(words, user));
const windowShows = async (words: string) => world.slack.render(await world.findWindow(words));

/** Opens the home tab, and waits for what it shows. */
async function openHome(user: string, words: string): Promise<string> {
  await as(user).opensHome();
  return homeShows(words, user);
}

async function clickInHome(what: string, choose?: string): Promise<void> {
  expect(await as('U0ANA').clickInView(await world.findHome(''), what, choose)).toMatchObject({ ok: true });
}

/** What is kept of a person until it expires. Feedback is under digests, and here only Ana gives any. */
function keysOf(user: string): string[] {
  const database = openForReading(world.environment.SQLITE_PATH ?? '', 1_000);
  const rows = database.prepare("SELECT substr(key, 6) AS key FROM documents WHERE key LIKE 'once:%'").all();
  database.close();
  const keys = rows.map(({ key }) => String(key));
  return keys.filter((key) => `${key}:`.includes(`:${user}:`) || key.startsWith('feedback:'));
}

/** With *Connect* in the home tab, as far as the last page of the browser. */
async function connect(): Promise<void> {
  await clickInHome('Connect');
  const { url } = await as('U0ANA').clickInView(await world.findWindow('Open the sign-in page'), ACTIONS.openAddress);
  await world.closeWindows();
  const browser = await openBrowserOf(world, 'U0ANA');
  await browser.open(url ?? '');
  await passSignInPages(browser);
}

describe('the home tab', () => {
  it('shows somebody who is not signed in what there is, and connects them', async () => {
    const home = await openHome('U0ANA', 'Connect');

    expect(home).toContain('You are not signed in');
    expect(home).toContain('America/Los_Angeles, from your Slack profile');
    expect(home).toContain('*I cannot* send, create or change anything');
    expect(home).not.toContain('Administration');

    await connect();

    expect(await homeShows('Disconnect')).toContain('You are signed in as *Ana Alvarez (ana@example.com)* since');
  });

  it('changes where questions in channels are answered, without a new sign-in', async () => {
    await openHome('U0ANA', '… in the thread');
    await clickInHome('home_channel_answers', 'private');
    await homeShows('(… in a direct message ▾)');

    const { text: stub } = await world.askAndWait('what is private?');
    await clickInHome('home_channel_answers', 'thread');
    const { text: answer } = await world.askAndWait('what is public?');

    expect(stub).toContain('direct message');
    expect(answer).toContain('what is public');
  });

  it('follows the profile while it is open, in the language of the person', async () => {
    await openHome('U0ANA', 'Your account');

    world.slack.workspace.changeUser('U0ANA', { tz: '' });
    await homeShows('UTC, the default here');
    world.slack.workspace.changeUser('U0ANA', { tz: 'Europe/Berlin', locale: 'de-DE' });

    expect(await homeShows('Europe/Berlin, aus Ihrem Slack-Profil')).toContain('Sie sind seit dem');
    world.slack.workspace.changeUser('U0ANA', { tz: 'America/Los_Angeles', locale: 'en-US' });
    await homeShows('America/Los_Angeles');
  });

  it('disconnects, and says nothing else about it', async () => {
    const before = dmOf('U0ANA').length;
    await openHome('U0ANA', 'Disconnect');
    await clickInHome('Disconnect');

    await homeShows('You are not signed in');

    expect(dmOf('U0ANA')).toHaveLength(before);
  });

  it('tells guests that there is nothing for them', async () => {
    expect(await openHome('U0GUEST', 'members of this organisation only')).not.toContain('Connect');
  });
});

describe('a newcomer', () => {
  it('is greeted once, with an offer to sign in, and is suggested questions', async () => {
    await Promise.all([1, 2, 3].map(() => as('U0KIM').opensMessages()));
    await world.slack.until(() => dmOf('U0KIM').length > 0);
    await world.slack.until(() => world.slack.workspace.prompts.get(as('U0KIM').dm));
    await as('U0KIM').opensMessages();
    await world.slack.until(() => world.slack.ledger.deliveries().filter(({ type }) => type === 'app_home_opened'));

    expect(dmOf('U0KIM')).toEqual([expect.stringContaining('Hello! Through me you can use the enterprise assistant')]);
    expect(dmOf('U0KIM')[0]).toContain('[Sign in]');
    expect(world.slack.workspace.prompts.get(as('U0KIM').dm)).toHaveLength(4);
    expect(world.slack.ledger.calls('assistant.threads.setSuggestedPrompts').at(-1)?.arguments).not.toHaveProperty(
      'thread_ts',
    );
  });
});

describe('the data of a person', () => {
  it('is shown, exported and deleted, from the home tab', async () => {
    world.assistant.ledger.clear();
    await world.signIn('U0ANA');
    const { answer } = await world.askAndWait('what is kept of this?');
    await as('U0ANA').click(answer, 'Good answer');
    await openHome('U0ANA', 'Show my data');
    const kinds = () => keysOf('U0ANA').map((key) => key.split(':')[0]);
    await expect.poll(kinds).toEqual(expect.arrayContaining(['feedback', 'home']));

    await clickInHome('Show my data');
    const shown = await windowShows('Sign-in');
    await world.closeWindows();
    await clickInHome('Export my data');
    await windowShows('in our direct messages now');
    const exported = dmOf('U0ANA').at(-1) ?? '';
    await world.closeWindows();

    expect(shown).toContain('Ana Alvarez (ana@example.com)');
    expect(shown).toMatch(/\*Questions:\* [1-9]/);
    const data = JSON.parse(exported.slice(exported.indexOf('{'), exported.lastIndexOf('}') + 1));
    expect(data).toMatchObject({ person: { team: 'T0001', user: 'U0ANA' }, signIns: [{ purpose: 'assistant' }] });
    expect(data.questions.length).toBeGreaterThan(1);
    expect(exported).not.toContain('sealedTokens');
    expect(exported).not.toContain('what is kept of this?');

    // A sign-in that is not finished.
    await clickInHome('Use another account');
    await windowShows('This link is only for you');
    await world.closeWindows();
    expect(keysOf('U0ANA').join()).toContain('sign-in-click');
    await clickInHome('Delete my data');
    const warning = await world.findWindow('This stays');
    await as('U0ANA').submit(warning);
    const deleted = await windowShows('Done. Deleted: one sign-in and');
    await world.closeWindows();

    expect(world.slack.render(warning)).toContain('the audit log');
    expect(deleted).toMatch(/and \d+ records about/);
    await homeShows('You are not signed in');
    await expect.poll(() => keysOf('U0ANA')).toEqual([]);
    await clickInHome('Show my data');
    const after = await windowShows('Sign-in');
    expect(after).toContain('*Sign-in:* none.');
    expect(after).toContain('*Questions:* 0.');
    expect(after).toContain('you have asked: 0, and');
    await world.closeWindows();

    // The tab is still open, and nobody opened it since.
    await connect();
    await homeShows('Disconnect');
    await clickInHome('Disconnect');
    await homeShows('You are not signed in');
  });
});

describe('the title of a session', () => {
  it('that a person gave stays, whatever is asked next', async () => {
    await world.signIn('U0ANA');
    const { question } = await world.askAndWait('what is the plan?');
    const place = { channel: CHANNEL, threadTs: question.ts };

    await as('U0ANA').renameSession(place, 'Bora Bora');
    await world.askAndWait('and the costs?', { threadTs: question.ts });

    expect(world.slack.workspace.sessions.session(place)?.title).toBe('Bora Bora');
    expect(world.slack.ledger.calls('agents.sessions.rename')).toEqual([]);
  });
});

describe('an app whose settings lag behind', () => {
  it('answers all the same without a home tab, and suggests nothing where it is no agent', async () => {
    const manifest = buildManifest({ publicUrl: world.environment.PUBLIC_URL ?? '' });
    world.slack.registration.hasHomeTab = false;
    world.slack.faults.always('assistant.threads.setSuggestedPrompts', { kind: 'slackError', error: 'not_allowed' });
    await as('U0ANA').opensHome();
    await world.untilLogged('"code":"not_enabled"');
    world.slack.registration.hasHomeTab = manifest.features.app_home.home_tab_enabled;

    expect(await openHome('U0ANA', 'Disconnect')).toContain('Your account');
  });
});
