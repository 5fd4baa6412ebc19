import { generateInventory, SEED_ENVIRONMENTS } from '@assistant-bridge/sandbox/admin/seeds.ts';
import type { Json, View } from '@assistant-bridge/sandbox/slack/records.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { awaitModal, closeModals, giveAdminCommand } from '../app/administer.ts';
import { KIM } from './admin-world.ts';
import { type AdminWorld, openAdminWorld, shareAdminWorld } from './live-admin.ts';

const [PRODUCTION = '', MAKERS = ''] = SEED_ENVIRONMENTS.map(({ name }) => name);
const CHANNEL = 'C0GENERAL';

async function openSearchIn(world: AdminWorld, command: string): Promise<View> {
  await world.slack.as(KIM).command('/assistant-admin', command, CHANNEL);
  return awaitModal(world, KIM, 'form_search');
}

describe('a search', () => {
  const world = shareAdminWorld({ environment: { ADMIN_USERS: 'U0KIM, U0ANA' } });
  afterEach(async () => {
    world.admin.faults.clear();
    await closeModals(world, KIM);
  });

  const kim = () => world.slack.as(KIM);
  const openSearch = (command: string) => openSearchIn(world, command);

  it('for an agent leads to its limit', async () => {
    const view = await openSearch('limit');

    const { options, error } = await kim().search(view, 'Agent', 'travel');
    await kim().submit(view, { Agent: options[0]?.text });
    const form = await awaitModal(world, KIM, 'form_limit_set');

    expect([error, options.map(({ text }) => text)]).toEqual([undefined, ['Travel Planner · Contoso Production']]);
    expect(world.slack.render(form)).toContain('*Travel Planner* in Contoso Production');
  });

  it('for an environment leads to its credits', async () => {
    const view = await openSearch('credits');

    const { options } = await kim().search(view, 'Environment', 'lab makers');
    await kim().submit(view, { Environment: options[0]?.value });
    const form = await awaitModal(world, KIM, 'form_credits_set');

    expect(options).toMatchObject([{ text: `Ana's "Makers" lab`, description: MAKERS }]);
    expect(world.slack.render(form)).toContain(`*Ana's "Makers" lab*`);
  });

  it('shows the first of all where nothing is typed, and nothing where nothing fits', async () => {
    const view = await openSearch('credits');

    const all = await kim().search(view, 'Environment', '');
    const none = await kim().search(view, 'Environment', '<!channel> nobody');

    expect(all.options.map(({ description }) => description)).toContain(PRODUCTION);
    expect(none).toMatchObject({ options: [], error: undefined });
  });

  it('asks the service once, however much is typed', async () => {
    const view = await openSearch('limit');
    await kim().search(view, 'Agent', 'i');
    world.admin.ledger.clear();

    for (const typed of ['in', 'inv', 'invo', 'invoice']) await kim().search(view, 'Agent', typed);
    await closeModals(world, KIM);
    await kim().search(await openSearch('limit'), 'Agent', 'reader');

    expect(world.admin.ledger.requests).toEqual([]);
  });

  it('is refused to who is no admin, also where they ask for what it offers', async () => {
    const ben = world.slack.as('U0BEN');
    await kim().search(await openSearch('limit'), 'Agent', 'travel');
    const [delivery] = world.slack.ledger.deliveries({ type: 'block_suggestion' }).slice(-1);
    const payload = { ...(delivery?.payload as Json), user: { id: 'U0BEN', team_id: 'T0001' } };

    await ben.command('/assistant-admin', 'limit', CHANNEL);
    const refusal = await awaitModal(world, 'U0BEN');
    const offered = await world.slack.deliver(payload, { kind: 'interaction' });

    expect(world.slack.render(refusal)).toContain('Only administrators of this app may use');
    expect([offered.status, JSON.parse(offered.body)]).toEqual([200, { options: [] }]);
  });

  it('asks for the sign-in first', async () => {
    const prompt = await giveAdminCommand(world, 'U0ANA', 'credits');
    const view = await awaitModal(world, 'U0ANA');

    expect(world.slack.render(prompt)).toContain('[Sign in for administration]');
    expect(world.slack.render(view)).toContain('Sign in with the button in the message I sent you');
  });
});

describe('a search that has not been looked up yet', () => {
  it('says so in time, in words that lead nowhere when they are picked, and then has it', async () => {
    const world = await openAdminWorld();
    const kim = world.slack.as(KIM);
    world.admin.faults.always('delay', { on: 'query', ms: 3_500 });
    const view = await openSearchIn(world, 'limit');

    const early = await kim.search(view, 'Agent', 'travel');
    const { errors } = await kim.submit(view, { Agent: early.options[0]?.value });
    const later = await kim.search(view, 'Agent', 'travel');

    expect(early).toMatchObject({ error: undefined, options: [{ group: 'Still looking that up…' }] });
    expect(errors.form_search_pick).toContain('That was only a note.');
    expect(later.options).toMatchObject([{ text: 'Travel Planner · Contoso Production' }]);
  });
});

describe('a search that cannot be looked up', () => {
  it('says why in the modal', async () => {
    const world = await openAdminWorld();
    world.admin.faults.always('403', { on: 'query' });

    await world.slack.as(KIM).command('/assistant-admin', 'limit', CHANNEL);
    const problem = await awaitModal(world, KIM, 'form_limit_problem');

    expect(world.slack.render(problem)).toContain('does not allow this to your account');
  });
});

describe('a search among thousands', () => {
  it('offers a hundred at most, says how many there are, and finds one of them', async () => {
    const world = await openAdminWorld({ admin: generateInventory({ environments: 2_000, agents: 20_000 }) });
    const view = await openSearchIn(world, 'limit');
    const find = async (typed: string) => {
      for (;;) {
        const found = await world.slack.as(KIM).search(view, 'Agent', typed);
        // On a busy machine Slack may not wait for it: whoever types goes on typing.
        if (!found.error && found.options[0]?.group !== 'Still looking that up…') return found;
      }
    };

    const first = await find('');
    const one = await find('019999');

    expect(first.options).toHaveLength(100);
    expect(first.options[0]?.group).toBe('The first 100 of 20,000: type more of the name');
    expect(one.options).toHaveLength(1);
    expect(one.error).toBeUndefined();
  });
});
