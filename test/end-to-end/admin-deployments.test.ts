// Deployments that show no limits, that have many agents, or two of one name.
import { generateInventory } from '@assistant-bridge/sandbox/admin/seeds.ts';
import { describe, expect, it } from 'vitest';
import { awaitModal, giveAdminCommand, readPrivate } from '../app/administer.ts';
import { KIM } from './admin-world.ts';
import { openAdminWorld, shareAdminWorld } from './live-admin.ts';

describe('a deployment that does not show limits', () => {
  it('has what was last sent from here, and asks once whether an agent is stopped', async () => {
    const world = await openAdminWorld({ admin: { thresholdList: false } });
    const before = await world.tell('agents spec');
    const form = await world.open('limit "Spec Writer" 700');
    const asked = world.render(form);
    const unanswered = await world.slack.as(KIM).submit(form, { reason: 'The pilot grows in spring' });
    const outcome = world.render(await world.decide(form, { is_stopped: 'stopped' }));
    const after = await world.tell('agents spec');
    const again = world.render(await world.open('limit "Spec Writer" 800'));

    expect(before).toContain('limit unknown');
    expect(asked).toContain('Is it stopped now?');
    expect(Object.keys(unanswered.errors)).toEqual(['is_stopped']);
    expect(outcome).toMatch(/^✓ .*Sent; the service shows no limits\./);
    expect(after).toMatch(/limit 700, sent \d+ \w+, not shown/);
    expect(after).toContain('■ stopped');
    expect(again).not.toContain('Is it stopped now?');
    const threshold = [...world.admin.state.thresholds.values()].find(({ limit }) => limit === 700);
    expect(threshold).toMatchObject({ resourceId: 'bot-4', stopResource: true });
  });
});

describe('a deployment with many agents', () => {
  const world = shareAdminWorld({ admin: generateInventory({ environments: 4, agents: 25 }) });

  it('turns the pages of the list in place', async () => {
    const { slack } = world;
    const list = await giveAdminCommand(world, KIM, 'agents');
    const count = readPrivate(world, KIM).length;
    const read = () => slack.render(readPrivate(world, KIM).find(({ ts }) => ts === list.ts) ?? list);
    const pages = [read()];
    const [, last = ''] = /page 1 of (\d)/.exec(pages[0] ?? '') ?? [];

    for (const [button, title] of [
      ['Next', `page 2 of ${last}`],
      ['Previous', `page 1 of ${last}`],
    ] as const) {
      await slack.as(KIM).click(list, button);
      await slack.until(() => read().includes(title));
      pages.push(read());
    }

    expect(pages[0]).toContain('25 agents');
    expect(pages[0]).not.toContain('[Previous]');
    expect(pages[2]).toBe(pages[0]);
    expect(pages[1]).not.toBe(pages[0]);
    expect(readPrivate(world, KIM)).toHaveLength(count);
  });

  it('offers the first of many that fit, and says how many more there are', async () => {
    const choice = await world.open('limit agent');
    const shown = world.render(choice);

    await world.slack.as(KIM).clickInView(choice, 'Limit…');

    expect(shown).toContain('25 agents fit “agent”');
    expect(shown).toContain('And 5 more');
    expect((await awaitModal(world, KIM, 'form_limit_set')).callbackId).toBe('form_limit_set');
  });
});

describe('two agents of one name, in environments of one name', () => {
  it('are told apart by their ids and owners', async () => {
    const { environments, agents, allocations } = generateInventory({ environments: 2, agents: 2 });
    for (const one of [...environments, ...agents]) Object.assign(one, { displayName: 'Twin' });
    const world = await openAdminWorld({ admin: { environments, agents, allocations } });

    const choice = world.render(await world.open('limit Twin'));

    for (const part of ['agent-000000', 'agent-000001', 'owner-0', 'owner-1']) expect(choice).toContain(part);
  });
});
