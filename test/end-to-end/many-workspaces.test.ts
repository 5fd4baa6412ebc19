import type { Json } from '@assistant-bridge/sandbox/slack/records.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { passSignInPages } from '../app/sign-in.ts';
import { CHANNEL, type LiveWorld, startLiveWorld } from './live-world.ts';
import { inTeam, type TeamWorld } from './team-world.ts';

let world: LiveWorld;
/** Two teams whose people and channels have the same ids. */
let acme: TeamWorld;
let other: TeamWorld;

beforeAll(async () => {
  world = await startLiveWorld({
    slack: { isInstalled: false },
    environment: {
      SLACK_BOT_TOKEN: '',
      SLACK_ALLOWED_TEAMS: 'T0001,T0002,T0003,T0004,T0005,E0001',
      ADMIN_USERS: 'T0001:U0KIM,T0011:S0ADMINS',
      SLACK_BUDGETS: 'off',
    },
  });
  acme = inTeam(world, world.slack);
  other = inTeam(world, world.slack.addTeam({ id: 'T0002', name: 'Other' }));
  for (const team of [acme, other]) expect(await team.installByPages('U0KIM')).toBe('The assistant is installed');
  await acme.signIn('U0ANA', 'ana');
  await other.signIn('U0ANA', 'ben');
});

beforeEach(() => {
  world.assistant.ledger.clear();
  world.slack.ledger.clear();
});

afterAll(() => world.close());

/** Long enough for an answer to have come, had there been one. */
const aWhile = () => new Promise((resolve) => setTimeout(resolve, 400));

const asked = () => world.assistant.ledger.chats().map(({ subject, text }) => [subject, text]);

let lastTs = 1_700_000_000;
const newTs = () => `${++lastTs}.000100`;

describe('two workspaces with the same ids', () => {
  it('have threads, conversations and answers of their own, for the same message of the same person', async () => {
    const ts = newTs();
    const root = { channel: CHANNEL, ts };
    await acme.as('U0ANA').say(CHANNEL, `${world.slack.mention} asked in Acme`, { ts });
    await other.as('U0ANA').say(CHANNEL, `${world.slack.mention} asked in Other`, { ts });
    const [inAcme, inOther] = await Promise.all([acme, other].map((team) => team.waitForReplies(root, 'U0ANA')));

    await other.as('U0ANA').say(CHANNEL, 'and then?', { threadTs: ts });
    await other.waitForReplies(root, 'U0ANA', 2);
    await aWhile();

    expect(asked().toSorted()).toEqual([
      ['ana', 'asked in Acme'],
      ['ben', 'and then?'],
      ['ben', 'asked in Other'],
    ]);
    expect(inAcme?.join()).toContain('asked in Acme');
    expect(inOther?.join()).toContain('asked in Other');
    expect(acme.repliesIn(root, 'U0ANA')).toHaveLength(1);
    const chats = world.assistant.ledger.chats();
    const conversationOf = (text: string) => chats.find((chat) => chat.text === text)?.conversation;
    expect(conversationOf('and then?')).toBe(conversationOf('asked in Other'));
    expect(conversationOf('asked in Acme')).not.toBe(conversationOf('asked in Other'));
  });

  it('are each called with their own token', async () => {
    const question = await other.as('U0ANA').say(CHANNEL, `${world.slack.mention} whose token?`);
    await other.waitForReplies(question, 'U0ANA');

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

    for (const team of [acme, other]) {
      const { ts, channel } = await team.as('U0ANA').say(CHANNEL, `${world.slack.mention} when?`);
      await team.waitForReplies({ ts, channel }, 'U0ANA');
    }

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
    const question = await acme.as('U0ANA').say(CHANNEL, `${world.slack.mention} mine alone`);
    await acme.waitForReplies(question, 'U0ANA');
    const [answer] = acme.repliesIn(question, 'U0ANA');
    if (!answer) throw new Error('no answer');
    await acme.as('U0ANA').click(answer, 'Ask again without web');
    await acme.waitForReplies(question, 'U0ANA', 2);
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
    for (const team of [acme, other]) await team.as('U0ANA').say(CHANNEL, `${world.slack.mention} a long one`, { ts });
    await world.slack.until(() => world.assistant.held === 2);

    await other.as('U0ANA').stop({ channel: CHANNEL, threadTs: ts });
    const stopped = await other.waitForReplies(root, 'U0ANA');
    world.assistant.release();
    const answered = await acme.waitForReplies(root, 'U0ANA');

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

    expect(await stranger.installByPages('U0KIM')).toBe('The assistant may not be added there');

    expect(stranger.token()).toBeUndefined();
  });
});

describe('uninstalling', () => {
  it('removes what is kept of that workspace and nothing of the others, and ends its questions without a word', async () => {
    const team = inTeam(world, world.slack.addTeam({ id: 'T0003', name: 'Leaving' }));
    await team.installByPages('U0KIM');
    await team.signIn('U0ANA', 'kim');
    world.assistant.hold();
    const question = await team.as('U0ANA').say(CHANNEL, `${world.slack.mention} still there?`);
    await world.slack.until(() => world.assistant.held === 1);

    const deliveries = await team.uninstall();
    world.assistant.release();
    await aWhile();
    await team.installByPages('U0KIM');
    await team.as('U0ANA').say(team.as('U0ANA').dm, 'do you know me?');
    const link = await team.signInAddress('U0ANA');
    const root = await acme.as('U0ANA').say(CHANNEL, `${world.slack.mention} and me?`);
    await acme.waitForReplies(root, 'U0ANA');

    expect(deliveries.map(({ status }) => status)).toEqual([200, 200]);
    expect(link).toContain('/link/start');
    expect(team.repliesIn(question, 'U0ANA')).toEqual([]);
    expect(world.app.lines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });

  it('is not undone by a sign-in that was under way', async () => {
    const team = inTeam(world, world.slack.addTeam({ id: 'T0005', name: 'Hasty' }));
    await team.installByPages('U0KIM');
    await team.as('U0BEN').say(team.as('U0BEN').dm, 'sign me in');
    const browser = await team.browserOf('U0BEN', 'ben');
    await browser.open(await team.signInAddress('U0BEN'));

    await team.uninstall();
    await passSignInPages(browser);
    await aWhile();
    await team.installByPages('U0KIM');
    await team.as('U0BEN').say(team.as('U0BEN').dm, 'do you know me?');
    await aWhile();

    expect(asked()).toEqual([]);
  });

  it('that is heard of after a new installation removes nothing', async () => {
    const team = inTeam(world, world.slack.addTeam({ id: 'T0004', name: 'Returning' }));
    await team.installByPages('U0KIM');
    await team.signIn('U0ANA', 'kim');
    const endedAt = Math.floor(Date.now() / 1000) - 60;
    await team.uninstall({ events: [] });
    await team.installByPages('U0KIM');

    const deliveries = await team.tellUninstalled({
      events: ['tokens_revoked', 'app_uninstalled'],
      eventTime: endedAt,
    });
    const question = await team.as('U0ANA').say(CHANNEL, `${world.slack.mention} do you know me?`);
    await team.waitForReplies(question, 'U0ANA');

    expect(deliveries.map(({ status, attempts }) => [status, attempts])).toEqual([
      [200, 1],
      [200, 1],
    ]);
    expect(asked()).toEqual([['kim', 'do you know me?']]);
  });
});

describe('an organisation that has installed the app as a whole', () => {
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
    expect(await north.installByPages('U0KIM', 'enterprise')).toBe('The assistant is installed');
    await north.signIn('U0ANA', 'ana');
    await south.signIn('U0SOUTH', 'ben');
  });

  it('is answered in each of its teams, with one token', async () => {
    const inNorth = await north.as('U0ANA').say(CHANNEL, `${world.slack.mention} from the north`);
    const inSouth = await south.as('U0SOUTH').say('C0SOUTH', `${world.slack.mention} from the south`);
    await north.waitForReplies(inNorth, 'U0ANA');
    await south.waitForReplies(inSouth, 'U0SOUTH');

    expect(asked().toSorted()).toEqual([
      ['ana', 'from the north'],
      ['ben', 'from the south'],
    ]);
    const teams = world.slack.ledger.calls().map(({ installedIn }) => installedIn);
    expect(new Set(teams)).toEqual(new Set(['E0001']));
  });

  it('knows its people by commands, buttons and changes of their profile', async () => {
    const sue = south.as('U0SOUTH');
    const { reply } = await sue.command('/assistant', 'status', 'C0SOUTH');
    expect(world.slack.render(reply ?? fail())).toContain('Europe/Rome');

    south.workspace.changeUser('U0SOUTH', { tz: 'Asia/Tokyo' });
    await aWhile();
    const root = await sue.say('C0SOUTH', `${world.slack.mention} again`);
    await south.waitForReplies(root, 'U0SOUTH');
    const [answer] = south.repliesIn(root, 'U0SOUTH');
    await sue.click(answer ?? fail(), 'Ask again without web');
    await south.waitForReplies(root, 'U0SOUTH', 2);

    expect(world.assistant.ledger.chats().map(({ subject, timeZone }) => [subject, timeZone])).toEqual([
      ['ben', 'Asia/Tokyo'],
      ['ben', 'Asia/Tokyo'],
    ]);
  });

  it('tells the admins of one of its teams from those of another', async () => {
    south.workspace.usergroups.set('S0ADMINS', { handle: 'admins', users: new Set(['U0SOUTH']) });
    const told = async (team: TeamWorld, user: string, channel: string) => {
      const before = team.as(user).sees(channel).length;
      await team.as(user).command('/assistant-admin', 'help', channel);
      return world.slack.render(await world.slack.until(() => team.as(user).sees(channel)[before]));
    };

    expect(await told(north, 'U0KIM', CHANNEL)).toContain('`limit` · `stop`');
    expect(await told(south, 'U0SOUTH', 'C0SOUTH')).toContain('Only administrators of this app');
  });

  it.each(['pause', 'resume', `rules <#${CHANNEL}|general>`])(
    'is not paused, nor given rules, by the admins of one of its teams: %s',
    async (command) => {
      const kim = north.as('U0KIM');
      await kim.command('/assistant-admin', command, CHANNEL);
      const shown = () => world.slack.render(kim.openView() ?? fail());
      const isRefused = () => kim.openView() && shown().includes('an administrator of one of its workspaces only');
      await world.slack.until(isRefused, { what: 'a refusal' });
      await kim.closeView(kim.openView() ?? fail());
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
    const home = () => {
      const view = sue.home();
      return view ? world.slack.render(view) : '';
    };
    await sue.opensHome();
    await world.slack.until(() => home().includes('Disconnect'), { what: 'a home tab' });
    const view = sue.home() ?? fail();
    await sue.clickInView(view, 'home_channel_answers', 'private');
    await world.slack.until(() => home().includes('(… in a direct message ▾)'), { what: 'the preference' });

    const left = sue.openView();
    if (left) await sue.closeView(left);
    await sue.clickInView(view, 'Delete my data');
    await sue.submit(await world.slack.until(() => sue.openView()));

    await world.slack.until(() => home().includes('You are not signed in'), { what: 'the end of the sign-in' });
    const done = () => world.slack.render(sue.openView() ?? fail());
    await world.slack.until(() => done().includes('Done. Deleted: one sign-in'), { what: 'the result' });
    await north.as('U0ANA').opensHome();
    await world.slack.until(() => world.slack.render(north.as('U0ANA').home() ?? view).includes('Disconnect'));
  });

  it('is forgotten as a whole when it uninstalls the app', async () => {
    const [delivery] = await north.uninstall({ where: 'enterprise', events: ['app_uninstalled'] });
    expect(delivery?.status).toBe(200);

    north.install('enterprise');
    const { deliveries } = await south.as('U0SOUTH').say('C0SOUTH', `${world.slack.mention} hello?`);
    await aWhile();

    expect(deliveries.map(({ status }) => status)).toEqual([403, 403]);
    expect(asked()).toEqual([]);
  });
});

function fail(): never {
  throw new Error('there is nothing');
}
