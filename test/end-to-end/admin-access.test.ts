import { toThresholdKey } from '@assistant-bridge/sandbox/admin/model.ts';
import { SEED_ENVIRONMENTS } from '@assistant-bridge/sandbox/admin/seeds.ts';
import { describe, expect, it } from 'vitest';
import { askDoctor, giveAdminCommand, nextPrivate, readPrivate, signInAsAdmin } from '../app/administer.ts';
import { awaitModal, closeModals } from '../app/open-window.ts';
import { KIM, WHY } from './admin-world.ts';
import { openAdminWorld, shareAdminWorld } from './live-admin.ts';
import { openLiveWorld } from './live-world.ts';

const REFUSAL = 'Only administrators of this app may use `/assistant-admin`';

describe('who may administer', () => {
  const world = shareAdminWorld({ environment: { ADMIN_USERS: 'U0ANA, U0KIM' } });

  it.each(['U0BEN', 'U0GUEST'])('refuses %s, whatever they ask, and asks nobody', async (user) => {
    world.slack.workspace.join('C0GENERAL', user);
    world.admin.ledger.clear();

    for (const text of ['agents', 'review', 'sign-in', 'help', '']) {
      expect(world.slack.render(await giveAdminCommand(world, user, text))).toContain(REFUSAL);
    }
    for (const text of ['limit Spec Writer', 'stop env:lab', 'credits', 'policy import']) {
      await world.slack.as(user).command('/assistant-admin', text, 'C0GENERAL');
      expect(world.slack.render(await awaitModal(world, user))).toContain(REFUSAL);
      await closeModals(world, user);
    }

    expect(world.admin.ledger.count()).toBe(0);
  });

  it('asks for a sign-in of its own, apart from that for questions, and lets the service decide as well', async () => {
    const { slack } = world;
    world.admin.ledger.clear();
    const prompt = await giveAdminCommand(world, 'U0ANA', 'limit Spec Writer');
    const asked = [slack.render(prompt), slack.render(await awaitModal(world, 'U0ANA')), world.admin.ledger.count()];

    const page = await signInAsAdmin(world, 'U0ANA', prompt);
    await slack.until(() => readPrivate(world, 'U0ANA').find((message) => slack.render(message).includes('[Go on…]')));
    const refused = slack.render(await giveAdminCommand(world, 'U0ANA', 'agents'));
    const status = await slack.as('U0ANA').command('/assistant', 'status', 'C0GENERAL');

    expect(asked).toEqual([
      expect.stringContaining('sign in to the administrative interface'),
      expect.stringContaining('Sign in with the button in the message I sent you'),
      0,
    ]);
    expect(page).toContain('if a command was waiting for this, it is carried out there now');
    expect(refused).toContain('does not allow this to your account');
    expect(refused).toContain('[Sign in for administration]');
    expect(status.reply?.text).toContain('You are not signed in');
  });

  it('asks to sign in again where the authorization has ended, in the modal and with the button beside it', async () => {
    const { slack, identityProvider } = world;
    const list = await giveAdminCommand(world, KIM, 'agents travel');
    identityProvider.revoke('kim');
    const count = readPrivate(world, KIM).length;

    await slack.as(KIM).click(list, 'Limit…');
    const prompt = await nextPrivate(world, KIM, count);
    const view = await awaitModal(world, KIM);
    expect(slack.render(view)).toMatch(/did not accept your sign-in|You are not signed in/);
    await slack.as(KIM).closeView(view);
    await signInAsAdmin(world, KIM, prompt);

    expect(await world.tell('agents travel')).toContain('Travel Planner');
  });

  it('renews a token that the service refuses once, and goes on', async () => {
    const { identityProvider } = world;
    const refreshes = identityProvider.ledger.refreshes;
    identityProvider.expireAccessTokens('kim');

    const list = await world.tell('agents');

    expect(list).toContain('6 agents');
    expect(identityProvider.ledger.refreshes).toBe(refreshes + 1);
  });

  it('says who is signed in already, and what was perhaps meant', async () => {
    const again = await world.tell('sign-in');

    expect(again).toContain('You are signed in as *Kim Kato (kim@example.com)*. To change the account, sign in again.');
    expect(again).toContain('[Sign in for administration]');
    expect(await world.tell('signin')).toBe('Unknown. Did you mean `sign-in`? Or try `help`.');
  });
});

describe('admins by what they are in Slack', () => {
  it('lets in members of a user group, and nobody while Slack does not say who they are', async () => {
    const world = await openAdminWorld({ environment: { ADMIN_USERS: 'S0ADMINS' } });
    const { slack } = world;
    const refused = slack.render(await giveAdminCommand(world, 'U0ANA', 'help'));
    const form = await world.open('limit "Spec Writer" 300');
    slack.workspace.usergroups.set('S0ADMINS', { handle: 'admins', users: new Set() });
    const help = await world.tell('help');
    const asked = slack.ledger.calls('usergroups.users.list').length;
    // Who has just left is asked for again before a change.
    world.admin.ledger.clear();
    const { view } = await slack.as(KIM).submit(form, { reason: WHY });

    expect(refused).toContain(REFUSAL);
    expect(help).toContain('`agents` · `environments` list what there is');
    expect(asked).toBe(1);
    expect(world.render(view)).toContain(REFUSAL);

    await world.restart('SIGTERM');
    slack.faults.always('usergroups.users.list', { kind: 'status', status: 500 });
    expect(await world.tell('agents')).toContain('could not find out from Slack');
    expect(world.admin.ledger.count()).toBe(0);
  });

  it('lets in admins of the workspace, and opens their window before Slack has told who they are', async () => {
    const world = await openAdminWorld({ environment: { ADMIN_USERS: 'T0001:workspace-admins' } });
    expect(await world.tell('help')).toContain('list what there is');
    expect(await world.tell('help', 'U0BEN')).toContain(REFUSAL);
    world.slack.workspace.changeUser('U0ANA', { isAdmin: true });
    world.slack.faults.always('users.info', { kind: 'delay', delayMs: 1_500 });

    await world.slack.as('U0ANA').command('/assistant-admin', 'limit spec writer', 'C0GENERAL');
    await world.findWindow('Looking up the agent and its limit…');
    await world.findWindow('You are not signed in to the administrative interface');

    expect(world.slack.as('U0ANA').warnings()).toEqual([]);
  });

  it('says in one sentence where there is nothing to administer', async () => {
    const off = { ADMIN_API_BASE_URL: '', ADMIN_SCOPE: '', ADMIN_USERS: '' };
    const world = await openLiveWorld({ environment: off });

    expect(await world.command('agents', { user: KIM }, '/assistant-admin')).toContain(
      'Administration is not set up in this app.',
    );
  });
});

it('an app without an administrative interface does what needs none, for those in ADMIN_USERS alone', async () => {
  const world = await openLiveWorld({ environment: { ADMIN_API_BASE_URL: '', ADMIN_SCOPE: '' } });
  const tell = async (text: string, user: string) => world.slack.render(await giveAdminCommand(world, user, text));

  expect(await askDoctor(world, KIM)).toContain('*Doctor*');
  expect(await tell('rules', KIM)).toContain('*Channel rules*');
  expect(await tell('agents', KIM)).toContain('is not configured in this app');
  expect(await tell('insights', 'U0BEN')).toContain(REFUSAL);
  await world.slack.as(KIM).command('/assistant-admin', 'pause', 'C0GENERAL');
  await awaitModal(world, KIM, 'workspace_pause');
});

describe('an app that is told to end', () => {
  it('waits for a limit that is just being set, until its outcome is recorded and said', async () => {
    const world = await openAdminWorld();
    const form = await world.open('limit "Spec Writer" 300');
    world.admin.faults.next('delay', { on: 'write-threshold', ms: 1_000 });
    const isWritten = new Promise<void>((resolve) => world.admin.onWritten(() => resolve()));

    const outcome = world.decide(form);
    await isWritten;
    await world.app.kill('SIGTERM');

    expect(world.render(await outcome)).toMatch(/^✓ .*Read back/);
    const key = toThresholdKey(SEED_ENVIRONMENTS[1]?.name ?? '', 'bot-4');
    expect(world.admin.state.thresholds.get(key)).toMatchObject({ limit: 300, stopResource: true });
    expect(world.app.lines.at(-1)).toContain('"isDone":true');
  });
});
