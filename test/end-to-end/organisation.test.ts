import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CHANNEL, type LiveWorld, startLiveWorld } from './live-world.ts';
import { inTeam, type TeamWorld } from './team-world.ts';

const ORGANISATION = { id: 'E0001', name: 'Acme Group' };

let world: LiveWorld;
let north: TeamWorld;
let south: TeamWorld;

beforeAll(async () => {
  world = await startLiveWorld({
    slack: { isInstalled: false },
    environment: {
      SLACK_BOT_TOKEN: '',
      SLACK_ALLOWED_TEAMS: 'E0001',
      SLACK_BUDGETS: 'off',
      ADMIN_USERS: 'T0011:S0ADMINS',
    },
  });
  north = inTeam(world, world.slack.addTeam({ id: 'T0011', name: 'North', enterprise: ORGANISATION }));
  south = inTeam(world, world.slack.addTeam({ id: 'T0012', name: 'South', enterprise: ORGANISATION }));
  // Within an organisation ids are unique.
  south.workspace.addUser({ id: 'U0SOUTH', name: 'sue', realName: 'Sue South', tz: 'Europe/Rome' });
  south.workspace.addChannel({ id: 'C0SOUTH', name: 'south', members: ['U0SOUTH', 'U0BRIDGE'] });
  north.workspace.changeUser('U0KIM', { isOrgOwner: true });
  expect(await north.installByPages('U0KIM', 'enterprise')).toBe('The assistant is installed');
  await north.signIn('U0ANA', 'ana');
  await south.signIn('U0SOUTH', 'ben');
});

beforeEach(() => {
  world.assistant.ledger.clear();
  world.slack.ledger.clear();
});

afterAll(() => world.close());

/** Long enough for an answer to have come, had there been one. */
const aWhile = () => new Promise((resolve) => setTimeout(resolve, 400));

const asked = () => world.assistant.ledger.chats().map(({ subject, text }) => [subject, text]);

describe('an organisation that has installed the app as a whole', () => {
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
