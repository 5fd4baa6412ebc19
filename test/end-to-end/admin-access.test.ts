import { toThresholdKey } from '@assistant-bridge/sandbox/admin/model.ts';
import { SEED_ENVIRONMENTS } from '@assistant-bridge/sandbox/admin/seeds.ts';
import type { Json } from '@assistant-bridge/sandbox/slack/records.ts';
import { describe, expect, it } from 'vitest';
import { askDoctor, giveAdminCommand, nextPrivate, readPrivate, signInAsAdmin } from '../app/administer.ts';
import { awaitModal, closeModals } from '../app/open-window.ts';
import { KIM, WHY } from './admin-world.ts';
import { openAdminWorld, shareAdminWorld } from './live-admin.ts';
import { openLiveWorld, shareLiveWorld } from './live-world.ts';

const REFUSAL = 'Only administrators of this app may use `/assistant-admin`';

const asInteraction = (type: string, user: string): Json => ({
  type,
  team: { id: 'T0001', domain: 'acme' },
  user: { id: user, username: user, team_id: 'T0001' },
  trigger_id: '1.1.forged',
});

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

  it.each(['form_limit', 'form_stop', 'form_run', 'form_credits', 'form_class', 'review_set_back', 'run_undo'])(
    'refuses a click (%s) that somebody else forged from the list of an admin',
    async (action_id) => {
      const list = await giveAdminCommand(world, KIM, 'agents spec');
      const buttons = list.blocks.flatMap(({ elements }) => (elements as Json[] | undefined) ?? []);
      const value = buttons.find((button) => button.action_id === 'form_limit')?.value;
      await giveAdminCommand(world, 'U0BEN', 'help');
      const given = world.slack.ledger.deliveries({ type: '/assistant-admin' }).at(-1)?.payload as Json;
      world.admin.ledger.clear();

      const forged = {
        ...asInteraction('block_actions', 'U0BEN'),
        channel: { id: 'C0GENERAL' },
        trigger_id: given.trigger_id,
        actions: [{ action_id, type: 'button', block_id: 'b', action_ts: '1.1', value }],
      };
      const sent = await world.slack.deliver(forged, { kind: 'interaction' });

      expect(value).toContain('bot-4');
      expect(sent.ok).toBe(true);
      expect(world.slack.render(await awaitModal(world, 'U0BEN'))).toContain(REFUSAL);
      expect(world.admin.ledger.count()).toBe(0);
      await closeModals(world, 'U0BEN');
    },
  );

  it('refuses a form that somebody else submits', async () => {
    const form = await world.open('limit "Spec Writer" 300');
    await world.decide(form);
    world.admin.ledger.clear();

    const [submitted] = world.slack.ledger.deliveries({ type: 'view_submission' }).slice(-1);
    const payload = submitted?.payload as Json;
    const forged = { ...payload, ...asInteraction('view_submission', 'U0BEN') };
    const { body } = await world.slack.deliver(forged, { kind: 'interaction' });

    expect((payload.view as Json).callback_id).toBe('form_limit_set');
    expect(JSON.parse(body)).toMatchObject({ response_action: 'update' });
    expect(body).toContain(REFUSAL);
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

describe('an app without an administrative interface', () => {
  const world = shareLiveWorld({ signedIn: [], environment: { ADMIN_API_BASE_URL: '', ADMIN_SCOPE: '' } });
  const tell = async (text: string, user = KIM) => world.slack.render(await giveAdminCommand(world, user, text));

  it.each([
    ['help', '`pause`'],
    ['rules', '*Channel rules*'],
    ['insights', 'Fewer than five people have asked'],
    ['log', '*Log*: nothing'],
    ['policy', 'The policy is empty'],
  ])('answers those in ADMIN_USERS what it needs none for: %s', async (command, expected) => {
    expect(await tell(command)).toContain(expected);
  });

  it('looks at itself, and opens the window of a pause', async () => {
    expect(await askDoctor(world, KIM)).toContain('*Doctor*');
    await world.slack.as(KIM).command('/assistant-admin', 'pause', 'C0GENERAL');
    await awaitModal(world, KIM, 'workspace_pause');
  });

  it.each(['agents', 'environments', 'limit', 'stop', 'run', 'credits', 'review', 'sign-in'])(
    'says in one sentence that the interface is not configured: %s',
    async (command) => {
      expect(await tell(command)).toMatch(/^The administrative interface is not configured in this app, [^.]*\.$/);
    },
  );

  it('refuses everybody else', async () => {
    expect(await tell('insights', 'U0BEN')).toContain(REFUSAL);
  });
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
