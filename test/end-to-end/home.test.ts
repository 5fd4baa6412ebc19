import { describe, expect, it } from 'vitest';
import { buildManifest } from '../../manifest/manifest.ts';
import { openForReading } from '../../src/backend/sqlite-store.ts';
import { openBrowserOf, passSignInPages } from '../app/sign-in.ts';
import { CHANNEL, type LiveWorld, shareLiveWorld } from './live-world.ts';

let world: LiveWorld;

shareLiveWorld(
  (started) => {
    world = started;
  },
  { signedIn: [] },
);

type User = Parameters<LiveWorld['signIn']>[0];

const as = (user: string) => world.slack.as(user);
const homeOf = (user: string) => {
  const view = as(user).home();
  return view ? world.slack.render(view) : '';
};
const windowOf = (user: string) => {
  const view = as(user).openView();
  return view ? world.slack.render(view) : '';
};
const dmOf = (user: string) =>
  as(user)
    .sees(as(user).dm)
    .map((message) => world.slack.render(message));
const shows = (what: string, see: () => string) =>
  world.slack.until(() => see().includes(what) && see(), { what: `"${what}"` });

/** Opens the home tab, and waits for what it shows. */
async function openHome(user: string, what: string): Promise<string> {
  await as(user).opensHome();
  return shows(what, () => homeOf(user));
}

async function clickInHome(user: string, what: string, choose?: string): Promise<void> {
  const view = as(user).home();
  if (!view) throw new Error('there is no home tab');
  expect(await as(user).clickInView(view, what, choose)).toMatchObject({ ok: true });
}

/** What is kept of a person until it expires. Feedback is under digests, and here only Ana gives any. */
function keysOf(user: string): string[] {
  const database = openForReading(world.environment.SQLITE_PATH ?? '', 1_000);
  const rows = database.prepare("SELECT substr(key, 6) AS key FROM documents WHERE key LIKE 'once:%'").all();
  database.close();
  const keys = rows.map(({ key }) => String(key));
  return keys.filter((key) => key.endsWith(`:${user}`) || key.startsWith('feedback:'));
}

async function closeWindow(user: string): Promise<void> {
  const view = as(user).openView();
  if (view) await as(user).closeView(view);
}

/** With *Connect* in the home tab, as far as the last page of the browser. */
async function connect(user: User): Promise<void> {
  await clickInHome(user, 'Connect');
  await shows('Open the sign-in page', () => windowOf(user));
  const view = as(user).openView();
  const { url } = view ? await as(user).clickInView(view, 'Open the sign-in page') : {};
  await closeWindow(user);
  const browser = await openBrowserOf(world, user);
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

    await connect('U0ANA');

    expect(await shows('Disconnect', () => homeOf('U0ANA'))).toContain(
      'You are signed in as *Ana Alvarez (ana@example.com)* since',
    );
  });

  it('changes where questions in channels are answered, without a new sign-in', async () => {
    await openHome('U0ANA', '… in the thread');
    await clickInHome('U0ANA', 'home_channel_answers', 'private');
    await shows('(… in a direct message ▾)', () => homeOf('U0ANA'));

    const question = await world.ask('what is private?');
    const [stub] = await world.waitForReplies(question);

    expect(stub).toContain('direct message');
    await clickInHome('U0ANA', 'home_channel_answers', 'thread');
    const [answer] = await world.waitForReplies(await world.ask('what is public?'));
    expect(answer).toContain('what is public');
  });

  it('follows the profile while it is open, in the language of the person', async () => {
    await openHome('U0ANA', 'Your account');

    world.slack.workspace.changeUser('U0ANA', { tz: '' });
    await shows('UTC, the default here', () => homeOf('U0ANA'));
    world.slack.workspace.changeUser('U0ANA', { tz: 'Europe/Berlin', locale: 'de-DE' });

    expect(await shows('Europe/Berlin, aus Ihrem Slack-Profil', () => homeOf('U0ANA'))).toContain('Sie sind seit dem');
    world.slack.workspace.changeUser('U0ANA', { tz: 'America/Los_Angeles', locale: 'en-US' });
    await shows('America/Los_Angeles', () => homeOf('U0ANA'));
  });

  it('disconnects, and says nothing else about it', async () => {
    const before = dmOf('U0ANA').length;
    await openHome('U0ANA', 'Disconnect');
    await clickInHome('U0ANA', 'Disconnect');

    await shows('You are not signed in', () => homeOf('U0ANA'));

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
    const question = await world.ask('what is kept of this?');
    await world.waitForReplies(question);
    const answer = world.repliesIn(question).at(-1);
    if (answer) await as('U0ANA').click(answer, 'Good answer');
    await openHome('U0ANA', 'Show my data');
    const kinds = () => keysOf('U0ANA').map((key) => key.split(':')[0]);
    await expect.poll(kinds).toEqual(expect.arrayContaining(['feedback', 'home']));

    await clickInHome('U0ANA', 'Show my data');
    const shown = await shows('Sign-in', () => windowOf('U0ANA'));
    await closeWindow('U0ANA');
    await clickInHome('U0ANA', 'Export my data');
    await shows('in our direct messages now', () => windowOf('U0ANA'));
    const exported = dmOf('U0ANA').at(-1) ?? '';
    await closeWindow('U0ANA');

    expect(shown).toContain('Ana Alvarez (ana@example.com)');
    expect(shown).toMatch(/\*Questions:\* [1-9]/);
    const data = JSON.parse(exported.slice(exported.indexOf('{'), exported.lastIndexOf('}') + 1));
    expect(data).toMatchObject({ person: { team: 'T0001', user: 'U0ANA' }, signIns: [{ purpose: 'assistant' }] });
    expect(data.questions.length).toBeGreaterThan(1);
    expect(exported).not.toContain('sealedTokens');
    expect(exported).not.toContain('what is kept of this?');

    await clickInHome('U0ANA', 'Delete my data');
    const warning = await shows('This stays', () => windowOf('U0ANA'));
    const view = as('U0ANA').openView();
    if (view) await as('U0ANA').submit(view);
    const deleted = await shows('Done. Deleted: one sign-in and', () => windowOf('U0ANA'));
    await closeWindow('U0ANA');

    expect(warning).toContain('the audit log');
    expect(deleted).toMatch(/and \d+ records about/);
    await shows('You are not signed in', () => homeOf('U0ANA'));
    await expect.poll(() => keysOf('U0ANA')).toEqual([]);
    await clickInHome('U0ANA', 'Show my data');
    const after = await shows('Sign-in', () => windowOf('U0ANA'));
    expect(after).toContain('*Sign-in:* none.');
    expect(after).toContain('*Questions:* 0.');
    expect(after).toContain('you have asked: 0, and');
    await closeWindow('U0ANA');
  });
});

describe('the title of a session', () => {
  it('that a person gave stays, whatever is asked next', async () => {
    await world.signIn('U0ANA');
    const question = await world.ask('what is the plan?');
    await world.waitForReplies(question);
    const place = { channel: CHANNEL, threadTs: question.ts };

    await as('U0ANA').renameSession(place, 'Bora Bora');
    await world.ask('and the costs?', { threadTs: question.ts });
    await world.waitForReplies(question, 2);

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
    await world.slack.until(() => world.app.lines.some((line) => line.includes('"code":"not_enabled"')));
    world.slack.registration.hasHomeTab = manifest.features.app_home.home_tab_enabled;

    expect(await openHome('U0ANA', 'Disconnect')).toContain('Your account');
  });
});
