import { generateInventory } from '@assistant-bridge/sandbox/admin/seeds.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  awaitModal,
  closeModals,
  giveAdminCommand,
  nextPrivate,
  openLimitModal,
  readPrivate,
  signInAsAdmin,
} from '../app/administer.ts';
import { type AdminWorld, KIM, startAdminWorld } from './admin-world.ts';

describe('a deployment that does not show limits', () => {
  let world: AdminWorld;

  beforeAll(async () => {
    world = await startAdminWorld();
  });
  afterAll(() => world.stop());

  it('lists agents with what was last set from here, dated, or unknown', async () => {
    const { slack } = world;
    const before = await world.tell('limits spec');
    const form = await openLimitModal(world, KIM, 'Spec Writer');
    const asked = slack.render(form);

    const outcome = await world.set(form, { limit: '700', stop_decision: 'It is stopped, and stays so' });
    const after = await world.tell('limits spec');
    await closeModals(world, KIM);
    const again = slack.render(await openLimitModal(world, KIM, 'Spec Writer'));

    expect(before).toContain('Limit: unknown');
    expect(asked).toContain('Is this agent stopped now?');
    expect(asked).toContain('nothing certain was set from here');
    expect(outcome).toContain('*Applied, not verified*: the service took the limit');
    expect(after).toMatch(/Limit: \*700\* credits a month.*last set from here by @kim on \d+ \w+ \d{4}, \d\d:\d\d/);
    expect(again).toContain('somebody may have changed it elsewhere since');
    expect(again).toContain('Credits a month: [700]');
    expect(again).toContain('Is this agent stopped now?');
    const threshold = [...world.admin.state.thresholds.values()].find(({ limit }) => limit === 700);
    expect(threshold).toMatchObject({ resourceId: 'bot-4', stopResource: true });
  });
});

describe('a deployment with many agents', () => {
  let world: AdminWorld;

  beforeAll(async () => {
    const inventory = generateInventory({ environments: 4, agents: 25 });
    world = await startAdminWorld({ admin: { ...inventory, thresholdList: true } });
  });
  afterAll(() => world.stop());

  it('turns the pages of the list in place', async () => {
    const { slack } = world;
    const list = await giveAdminCommand(world, KIM, 'limits');
    const count = readPrivate(world, KIM).length;
    const read = () => slack.render(readPrivate(world, KIM).find(({ ts }) => ts === list.ts) ?? list);
    const pages = [read()];

    for (const [button, title] of [
      ['Next', 'page 2 of 3'],
      ['Next', 'page 3 of 3'],
      ['Previous', 'page 2 of 3'],
    ] as const) {
      await slack.as(KIM).click(list, button);
      await slack.until(() => read().includes(title));
      pages.push(read());
    }

    expect(pages[0]).toContain('25 agents, page 1 of 3');
    expect(pages.map((page) => page.split('[Set limit…]').length - 1)).toEqual([10, 10, 5, 10]);
    expect(pages[2]).not.toContain('[Next]');
    expect(pages[3]).toBe(pages[1]);
    expect(readPrivate(world, KIM)).toHaveLength(count);
  });

  it('keeps the page where the next one cannot be had, and says why', async () => {
    const { slack } = world;
    const list = await giveAdminCommand(world, KIM, 'limits');
    const count = readPrivate(world, KIM).length;
    world.identityProvider.revoke('kim');

    await slack.as(KIM).click(list, 'Next');
    const prompt = await nextPrivate(world, KIM, count);
    await signInAsAdmin(world, KIM, prompt);

    expect(slack.render(prompt)).toContain('[Sign in for administration]');
    expect(slack.render(readPrivate(world, KIM)[count - 1] ?? prompt)).toContain('page 1 of 3');
  });

  it('offers the first of many that fit, and says how many more there are', async () => {
    const choice = await openLimitModal(world, KIM, 'agent');

    await world.slack.as(KIM).clickInView(choice, 'Set limit…');

    expect(world.slack.render(choice)).toContain('25 agents fit “agent”');
    expect(world.slack.render(choice)).toContain('And 5 more');
    expect((await awaitModal(world, KIM, 'admin_limit')).callbackId).toBe('admin_limit');
  });
});
