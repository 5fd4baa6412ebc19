import type { Json } from '@assistant-bridge/sandbox/slack/records.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { passSignInPages } from '../app/sign-in.ts';
import { CHANNEL, shareLiveWorld } from './live-world.ts';
import { inTeam, type TeamWorld } from './steps.ts';

const INSTALLED = 'The assistant is installed';

const world = shareLiveWorld({
  signedIn: [],
  slack: { isInstalled: false },
  environment: {
    SLACK_BOT_TOKEN: '',
    SLACK_ALLOWED_TEAMS: 'T0001,T0002,T0003,T0004,T0005,E0001',
    ADMIN_USERS: 'T0001:U0KIM,T0011:S0ADMINS',
  },
});
/** Two teams whose people and channels have the same ids. */
let acme: TeamWorld;
let other: TeamWorld;

beforeAll(async () => {
  acme = inTeam(world, world.slack);
  other = await addTeam('T0002', 'Other');
  expect((await acme.installByPages()).page.heading).toBe(INSTALLED);
  await acme.signIn('U0ANA');
  await other.signIn('U0ANA', undefined, 'ben');
});

/** One more team, with the app. */
async function addTeam(id: string, name: string): Promise<TeamWorld> {
  const team = inTeam(world, world.slack.addTeam({ id, name }));
  expect((await team.installByPages()).page.heading).toBe(INSTALLED);
  return team;
}

/** Long enough for an answer to have come, had there been one. */
const aWhile = () => new Promise((resolve) => setTimeout(resolve, 400));

const asked = () => world.assistant.ledger.chats().map(({ subject, text }) => [subject, text]);

let lastTs = 1_700_000_000;
const newTs = () => `${++lastTs}.000100`;

describe('two workspaces with the same ids', () => {
  it('have threads, conversations and answers of their own, for the same message of the same person', async () => {
    const ts = newTs();
    const root = { channel: CHANNEL, ts };
    await acme.ask('asked in Acme', { ts });
    await other.ask('asked in Other', { ts });
    const [inAcme, inOther] = await Promise.all([acme, other].map((team) => team.waitForReplies(root)));

    await other.as('U0ANA').say(CHANNEL, 'and then?', { threadTs: ts });
    await other.waitForReplies(root, 2);
    await aWhile();

    expect(asked().toSorted()).toEqual([
      ['ana', 'asked in Acme'],
      ['ben', 'and then?'],
      ['ben', 'asked in Other'],
    ]);
    expect(inAcme?.join()).toContain('asked in Acme');
    expect(inOther?.join()).toContain('asked in Other');
    expect(acme.repliesIn(root)).toHaveLength(1);
    const chats = world.assistant.ledger.chats();
    const conversationOf = (text: string) => chats.find((chat) => chat.text === text)?.conversation;
    expect(conversationOf('and then?')).toBe(conversationOf('asked in Other'));
    expect(conversationOf('asked in Acme')).not.toBe(conversationOf('asked in Other'));
  });

  it('are each called with their own token', async () => {
    await other.askAndWait('whose token?');

    const teams = world.slack.ledger.calls().map(({ installedIn }) => installedIn);
    expect(new Set(teams)).toEqual(new Set(['T0002']));
  });

  it('sign their people in apart: a link does not work for the namesake in the other one', async () => {
    await acme.as('U0BEN').say(acme.as('U0BEN').dm, 'who am I?');
    const link = await acme.signInAddress('U0BEN');
    const namesake = await other.browserOf('U0BEN', 'ben');

    await namesake.open(link);
    await namesake.submit();

    expect(namesake.page.heading).toBe('This link belongs to somebody else');
  });

  it('know who is an admin, a guest, or in another time zone in each of them', async () => {
    other.workspace.changeUser('U0ANA', { tz: 'Asia/Tokyo' });
    await aWhile();

    for (const team of [acme, other]) await team.askAndWait('when?');

    expect(world.assistant.ledger.chats().map(({ timeZone }) => timeZone)).toEqual([
      'America/Los_Angeles',
      'Asia/Tokyo',
    ]);
  });

  it('take a command with the same trigger for two', async () => {
    const command = (team: TeamWorld) => ({
      command: '/assistant-web-off',
      text: `from ${team.teamId}`,
      team_id: team.teamId,
      channel_id: CHANNEL,
      user_id: 'U0ANA',
      trigger_id: '1.2.the-same',
      response_url: `${world.slack.url}/response/none`,
    });

    for (const team of [acme, other]) await world.slack.deliver(command(team), { kind: 'command' });
    await world.slack.until(() => asked().length >= 2);

    expect(asked().toSorted()).toEqual([
      ['ana', 'from T0001'],
      ['ben', 'from T0002'],
    ]);
  });

  it('do not let the namesake press the buttons of the other one’s answers', async () => {
    const { question, answer } = await acme.askAndWait('mine alone');
    await acme.as('U0ANA').click(answer, 'Ask again without web');
    await acme.reply(question, 2);
    const [click] = world.slack.ledger.deliveries({ delivery: 'interaction' });
    world.assistant.ledger.clear();

    const payload = click?.payload as Json & { actions: Json[] };
    const actions = payload.actions.map((action) => ({ ...action, action_id: 'ask_again' }));
    const stolen = { ...payload, team: { id: 'T0002', domain: 'other' }, actions };
    await world.slack.deliver(stolen, { kind: 'interaction' });
    await aWhile();

    expect(asked()).toEqual([]);
  });

  it('stop and delete their own questions only', async () => {
    world.assistant.hold();
    const ts = newTs();
    const root = { channel: CHANNEL, ts };
    for (const team of [acme, other]) await team.ask('a long one', { ts });
    await world.slack.until(() => world.assistant.held === 2);

    await other.as('U0ANA').stop({ channel: CHANNEL, threadTs: ts });
    const stopped = await other.waitForReplies(root);
    world.assistant.release();
    const answered = await acme.waitForReplies(root);

    expect(stopped).toEqual([expect.stringContaining('Stopped.')]);
    expect(answered).toEqual([expect.not.stringContaining('Stopped.')]);
  });
});

describe('a workspace that the app is not installed in', () => {
  it('gets no answer, and no other workspace’s', async () => {
    const event = { type: 'app_mention', channel: CHANNEL, user: 'U0ANA', text: 'hello', ts: newTs() };
    const envelope = { type: 'event_callback', event_id: 'Ev0NOWHERE', team_id: 'T0009', event };

    const { status } = await world.slack.deliver(envelope, { retry: 'none' });
    await aWhile();

    expect(status).toBe(403);
    expect(asked()).toEqual([]);
  });

  it('cannot install it either where it is not allowed', async () => {
    const stranger = inTeam(world, world.slack.addTeam({ id: 'T0099', name: 'Strangers' }));

    expect((await stranger.installByPages()).page.heading).toBe('The assistant may not be added there');
    expect(stranger.token()).toBeUndefined();
  });
});

describe('uninstalling', () => {
  it('removes what is kept of that workspace and nothing of the others, and ends its questions without a word', async () => {
    const team = await addTeam('T0003', 'Leaving');
    await team.signIn('U0ANA', undefined, 'kim');
    world.assistant.hold();
    const question = await team.ask('still there?');
    await world.slack.until(() => world.assistant.held === 1);

    const deliveries = await team.uninstall();
    world.assistant.release();
    await aWhile();
    await team.installByPages();
    await team.as('U0ANA').say(team.as('U0ANA').dm, 'do you know me?');
    const link = await team.signInAddress('U0ANA');
    await acme.askAndWait('and me?');

    expect(deliveries.map(({ status }) => status)).toEqual([200, 200]);
    expect(link).toContain('/link/start');
    expect(team.repliesIn(question)).toEqual([]);
    expect(world.app.lines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });

  it('is not undone by a sign-in that was under way', async () => {
    const team = await addTeam('T0005', 'Hasty');
    await team.as('U0BEN').say(team.as('U0BEN').dm, 'sign me in');
    const browser = await team.browserOf('U0BEN', 'ben');
    await browser.open(await team.signInAddress('U0BEN'));

    await team.uninstall();
    await passSignInPages(browser);
    await aWhile();
    await team.installByPages();
    await team.as('U0BEN').say(team.as('U0BEN').dm, 'do you know me?');
    await aWhile();

    expect(asked()).toEqual([]);
  });

  it('that is heard of after a new installation removes nothing', async () => {
    const team = await addTeam('T0004', 'Returning');
    await team.signIn('U0ANA', undefined, 'kim');
    const endedAt = Math.floor(Date.now() / 1000) - 60;
    await team.uninstall({ events: [] });
    await team.installByPages();

    const deliveries = await team.tellUninstalled({
      events: ['tokens_revoked', 'app_uninstalled'],
      eventTime: endedAt,
    });
    await team.askAndWait('do you know me?');

    expect(deliveries.map(({ status, attempts }) => [status, attempts])).toEqual([
      [200, 1],
      [200, 1],
    ]);
    expect(asked()).toEqual([['kim', 'do you know me?']]);
  });
});

describe('an organisation that has installed the app as a whole', () => {
  const IN_SOUTH = { user: 'U0SOUTH', channel: 'C0SOUTH' };
  let north: TeamWorld;
  let south: TeamWorld;

  beforeAll(async () => {
    const enterprise = { id: 'E0001', name: 'Acme Group' };
    north = inTeam(world, world.slack.addTeam({ id: 'T0011', name: 'North', enterprise }));
    south = inTeam(world, world.slack.addTeam({ id: 'T0012', name: 'South', enterprise }));
    // Within an organisation ids are unique.
    south.workspace.addUser({ id: 'U0SOUTH', name: 'sue', realName: 'Sue South', tz: 'Europe/Rome' });
    south.workspace.addChannel({ id: 'C0SOUTH', name: 'south', members: ['U0SOUTH', 'U0BRIDGE'] });
    north.workspace.changeUser('U0KIM', { isOrgOwner: true });
    expect((await north.installByPages({ where: 'enterprise' })).page.heading).toBe(INSTALLED);
    await north.signIn('U0ANA');
    await south.signIn('U0SOUTH', undefined, 'ben');
  });

  it('is answered in each of its teams, with one token', async () => {
    await north.askAndWait('from the north');
    await south.askAndWait('from the south', IN_SOUTH);

    expect(asked().toSorted()).toEqual([
      ['ana', 'from the north'],
      ['ben', 'from the south'],
    ]);
    const teams = world.slack.ledger.calls().map(({ installedIn }) => installedIn);
    expect(new Set(teams)).toEqual(new Set(['E0001']));
  });

  it('knows its people by commands, buttons and changes of their profile', async () => {
    expect(await south.command('status', IN_SOUTH)).toContain('Europe/Rome');

    south.workspace.changeUser('U0SOUTH', { tz: 'Asia/Tokyo' });
    await aWhile();
    const { question, answer } = await south.askAndWait('again', IN_SOUTH);
    await south.as('U0SOUTH').click(answer, 'Ask again without web');
    await south.reply(question, 2, 'U0SOUTH');

    expect(world.assistant.ledger.chats().map(({ subject, timeZone }) => [subject, timeZone])).toEqual([
      ['ben', 'Asia/Tokyo'],
      ['ben', 'Asia/Tokyo'],
    ]);
  });

  it('tells the admins of one of its teams from those of another', async () => {
    south.workspace.usergroups.set('S0ADMINS', { handle: 'admins', users: new Set(['U0SOUTH']) });
    await north.as('U0KIM').command('/assistant-admin', 'help', CHANNEL);
    await south.as('U0SOUTH').command('/assistant-admin', 'help', 'C0SOUTH');

    await north.find('`limit` · `stop`', { user: 'U0KIM' });
    await south.find('Only administrators of this app', IN_SOUTH);
  });

  it.each(['pause', 'resume', `rules <#${CHANNEL}|general>`])(
    'is not paused, nor given rules, by the admins of one of its teams: %s',
    async (command) => {
      await north.as('U0KIM').command('/assistant-admin', command, CHANNEL);
      await north.findWindow('an administrator of one of its workspaces only', 'U0KIM');
      await north.closeWindows();
    },
  );

  it.each(['insights', 'rules'])('does not show what is about all of it to those of one team: %s', async (command) => {
    const before = north.as('U0KIM').sees(CHANNEL).length;
    await north.as('U0KIM').command('/assistant-admin', command, CHANNEL);
    const told = await world.slack.until(() => north.as('U0KIM').sees(CHANNEL)[before]);

    expect(world.slack.render(told)).toContain('you are an administrator of one of its workspaces only');
  });

  it('has a home tab for each of its people, with what is kept of them, which they can delete', async () => {
    const sue = south.as('U0SOUTH');
    await sue.opensHome();
    const view = await south.findHome('Disconnect', 'U0SOUTH');
    await sue.clickInView(view, 'home_channel_answers', 'private');
    await south.findHome('(… in a direct message ▾)', 'U0SOUTH');

    const left = sue.openView();
    if (left) await sue.closeView(left);
    await sue.clickInView(view, 'Delete my data');
    await sue.submit(await world.slack.until(() => sue.openView()));

    await south.findHome('You are not signed in', 'U0SOUTH');
    await south.findWindow('Done. Deleted: one sign-in', 'U0SOUTH');
    await north.as('U0ANA').opensHome();
    await north.findHome('Disconnect');
  });

  it('is forgotten as a whole when it uninstalls the app', async () => {
    const [delivery] = await north.uninstall({ where: 'enterprise', events: ['app_uninstalled'] });
    expect(delivery?.status).toBe(200);

    north.install('enterprise');
    const { deliveries } = await south.ask('hello?', IN_SOUTH);
    await aWhile();

    expect(deliveries.map(({ status }) => status)).toEqual([403, 403]);
    expect(asked()).toEqual([]);
  });
});
