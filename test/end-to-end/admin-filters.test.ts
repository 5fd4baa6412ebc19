import { toThresholdKey } from '@assistant-bridge/sandbox/admin/model.ts';
import { generateInventory, SEED_ENVIRONMENTS } from '@assistant-bridge/sandbox/admin/seeds.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { awaitModal, closeModals, giveAdminCommand, openLimitModal } from '../app/administer.ts';
import { type AdminWorld, KIM, startAdminWorld } from './admin-world.ts';

const [PRODUCTION = '', MAKERS = ''] = SEED_ENVIRONMENTS.map(({ name }) => name);

let world: AdminWorld;

beforeAll(async () => {
  world = await startAdminWorld({ admin: { thresholdList: true } }, { ADMIN_USERS: KIM });
});
afterEach(() => closeModals(world, KIM));
afterAll(() => world.stop());

describe('an administrator with many agents', () => {
  it('finds those without a limit, those that are stopped, and those that have nearly used theirs', async () => {
    const none = await world.tell('limits none');
    const stopped = await world.tell('limits stopped');
    const over = await world.tell('limits over:80');

    expect(none).toContain('*Agent limits*: 3 agents without a limit');
    expect(none).not.toContain('Spec Writer');
    expect(stopped).toContain('*Agent limits*: 1 agent that somebody stopped');
    expect(stopped).toContain('*Spec Writer*');
    expect(over).toContain('1 agent with 80 % or more used');
    expect(over).toContain(`*Invoice Reader* in Ana's "Makers" lab`);
  });

  it('sees an owner as a person, and everything of theirs with what it adds up to', async () => {
    const oid = world.identityProvider.people.get('kim')?.oid ?? '';
    for (const agent of world.admin.state.agents) {
      if (agent.environmentId === MAKERS) Object.assign(agent, { ownerId: oid });
    }

    const agents = await world.tell(`agents owner:<@${KIM}|kim>`);
    const limits = await world.tell(`limits owner:<@${KIM}|kim>`);

    expect(agents).toContain('*Agents*: 3 agents of @kim');
    expect(agents).toContain(`Owner: @kim (${oid})`);
    expect(limits).toContain(
      'Together: limits of 300 credits a month (2 agents) · used 190 (63 %) · 1 without a limit',
    );
  });

  it('reads what all environments have used, and adds it up', async () => {
    const usage = await world.tell('usage');

    expect(usage).toContain('*All of the tenant*: 18,250 of 25,000 credits used · ▰▰▰▰▰▰▰▱▱▱ 73 %');
    expect(usage).toContain('2 without consumption that is told');
  });

  it('reads which filters there are', async () => {
    expect(await world.tell('limits colour:red')).toContain(
      '`colour:` is no filter. `/assistant-admin limits` has: `none`',
    );
    expect(await world.tell('limits over:much')).toContain('After `over:` comes a percentage');
    expect(await world.tell('usage by:colour')).toContain('`by:` is no filter');
    expect(await world.tell('help')).toContain('`none`, `stopped`, `over:80`');
  });
});

describe('a number behind the name', () => {
  it('opens the form of the limit filled in, as it was typed', async () => {
    const form = await openLimitModal(world, KIM, 'travel planner 2,500');
    const shown = world.slack.render(form);

    const outcome = await world.set(form, {});

    expect(shown).toContain('2,500');
    expect(outcome).toContain('Verified');
    expect(world.admin.state.thresholds.get(toThresholdKey(PRODUCTION, 'bot-2'))?.limit).toBe(2_500);
  });

  it('goes along where one of several has to be chosen', async () => {
    const choice = await openLimitModal(world, KIM, 'invoice reader 321');
    await world.slack.as(KIM).clickInView(choice, 'Set limit…');
    const form = await awaitModal(world, KIM, 'admin_limit');

    expect(await world.set(form, {})).toContain('Verified');
    expect(world.admin.state.thresholds.get(toThresholdKey(MAKERS, 'bot-1'))?.limit).toBe(321);
  });

  it('opens the form of the credits filled in', async () => {
    await world.slack.as(KIM).command('/assistant-admin', 'allocation contoso production 26 000', 'C0GENERAL');
    const form = await awaitModal(world, KIM, 'admin_allocation');

    expect(world.slack.render(form)).toContain('26 000');
    expect(await world.set(form, {})).toContain('Verified');
    const [credits] = world.admin.state.allocations.get(PRODUCTION)?.currencyAllocations ?? [];
    expect(credits?.allocated).toBe(26_000);
  });
});

describe('many environments', () => {
  it('keep their order while pages are turned, without being read again', async () => {
    const many = await startAdminWorld({ admin: generateInventory({ environments: 45, agents: 45 }) });
    try {
      const message = await giveAdminCommand(many, KIM, 'environments owner:owner-1');
      const usage = await giveAdminCommand(many, KIM, 'usage');
      const before = many.admin.ledger.count('/entitlements');
      const { edits } = usage;
      await many.slack.as(KIM).click(usage, 'Next');
      await many.slack.until(() => usage.edits > edits, { what: 'another page' });

      expect(many.slack.render(message)).toContain('1 environment of the owner “owner-1”');
      expect(many.slack.render(usage)).toContain('45 environments, page 2 of 3');
      expect(many.admin.ledger.count('/entitlements')).toBe(before);
    } finally {
      await many.stop();
    }
  });
});
