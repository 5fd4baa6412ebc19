import type { AdminFault } from '@assistant-bridge/sandbox/admin/faults.ts';
import { generateInventory, SEED_ENVIRONMENTS } from '@assistant-bridge/sandbox/admin/seeds.ts';
import type { Json, Message } from '@assistant-bridge/sandbox/slack/records.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  awaitModal,
  closeModals,
  giveAdminCommand,
  nextPrivate,
  openLimitModal,
  readPrivate,
} from '../app/administer.ts';
import { type AdminWorld, KIM, startAdminWorld } from './admin-world.ts';

const [PRODUCTION = ''] = SEED_ENVIRONMENTS.map(({ name }) => name);

/** Clicks something that changes the message, and waits until it has. */
async function turn(world: AdminWorld, message: Message, what: string): Promise<string> {
  const { edits } = message;
  const { ok, ms } = await world.slack.as(KIM).click(message, what);
  expect([ok, ms < 3_000]).toEqual([true, true]);
  await world.slack.until(() => message.edits > edits, { what: 'another page' });
  return world.slack.render(message);
}

/** Clicks something that is answered by a message of its own. */
async function open(world: AdminWorld, message: Message, what: string, choose?: string): Promise<string> {
  const count = readPrivate(world, KIM).length;
  await world.slack.as(KIM).click(message, what, choose);
  return world.slack.render(await nextPrivate(world, KIM, count));
}

describe('the lists', () => {
  let world: AdminWorld;
  const list = (text: string) => giveAdminCommand(world, KIM, text);

  beforeAll(async () => {
    world = await startAdminWorld({ admin: { thresholdList: true } }, { ADMIN_USERS: KIM });
  });
  afterEach(async () => {
    world.admin.faults.clear();
    await closeModals(world, KIM);
  });
  afterAll(() => world.stop());

  it('answer their buttons in a direct message, too, and turn their pages there', async () => {
    const { slack } = world;
    const kim = slack.as(KIM);
    const has = (words: string) => () => kim.sees(kim.dm).find((message) => slack.render(message).includes(words));
    await kim.command('/assistant-admin', 'environments contoso production', kim.dm);
    const environments = await slack.until(has('*Contoso Production*'), { what: 'the list' });

    await kim.click(environments, 'Agents');
    const agents = await slack.until(has('*Agents*'), { what: 'what the button opens' });
    const filtered = await turn(world, agents, 'Not harness (1)');

    expect(filtered).toContain('1 agent that no harness made');
    expect(kim.sees(kim.dm).at(-1)?.ts).toBe(agents.ts);
  });

  it('show agents, and lead to the form of the limit', async () => {
    const message = await list('agents spec');
    const shown = world.slack.render(message);

    await world.slack.as(KIM).click(message, 'Set limit…');
    const form = world.slack.render(await awaitModal(world, KIM, 'admin_limit'));

    expect(shown).toContain('*Agents*: 1 agent matching “spec”');
    expect(shown).toContain(`*Spec Writer* in Ana's "Makers" lab`);
    expect(shown).toContain('Owner: owner-2 · Harness agent: yes');
    expect(form).toContain('Spec Writer');
  });

  it('filter agents by environment, owner and harness, typed and with buttons', async () => {
    const typed = world.slack.render(await list(`agents env:"Ana's "Makers" lab" owner:OWNER-2 harness`));
    const message = await list('agents env:lab');
    const unknown = await turn(world, message, 'Unknown (1)');
    const all = await turn(world, message, 'All (3)');

    expect(typed).toContain('*Agents*: 2 harness agents');
    expect(typed).toContain('Of 1 more agent the service does not tell whether a harness made them');
    expect(unknown).toContain('*Old Helper*');
    expect(unknown).not.toContain('*Spec Writer*');
    expect(all).toContain(`3 agents in the environment “Ana's "Makers" lab”`);
    expect(await world.tell('agents harness:perhaps')).toContain('After `harness:` comes');
  });

  it('show environments, and what there is to open of each', async () => {
    const message = await list('environments contoso production');
    const shown = world.slack.render(message);

    const usage = await open(world, message, 'Usage');
    const agents = await open(world, message, 'Agents');

    expect(shown).toContain('*Contoso Production*');
    expect(shown).toContain(`Id ${PRODUCTION} · Owner: owner-ana`);
    expect(shown).toContain('2 agents (1 by a harness, 1 not)');
    expect(shown).toContain('[Allocation…] [Usage] [Agents]');
    expect(usage).toContain('*ServiceMessages*: 18,250 of 25,000 credits');
    expect(agents).toContain('*Agents*: 2 agents in the environment “Contoso Production”');
    expect(agents).toContain('*Travel Planner* in Contoso Production');
    expect(agents).not.toContain('*Spec Writer*');
  });

  it('show the usage of all environments in a table, and of the one that is chosen', async () => {
    const message = await list('usage');
    const shown = world.slack.render(message);

    const chosen = await open(world, message, 'admin_usage_choose', `Ana's "Makers" lab`);

    expect(shown).toContain('Contoso Production | 18,250 of 25,000 credits | ▰▰▰▰▰▰▰▱▱▱ 73 % |');
    expect(shown).toContain('Contoso (default) | no consumption told');
    expect(message.text).toContain('*Contoso Production*: 18,250 of 25,000 credits');
    expect(chosen).toContain(`*Usage* of *Ana's "Makers" lab*`);
    expect(chosen).toContain('Invoice Reader | 190 credits | 200 credits | ▰▰▰▰▰▰▰▰▰▱ 95 % | no');
    expect(chosen).toContain('Spec Writer | 0 credits | 100 credits | ▱▱▱▱▱▱▱▱▱▱ 0 % | yes');
  });

  it('show the usage of the environment that is named', async () => {
    const usage = await world.tell('usage contoso production');

    expect(usage).toContain('*Usage* of *Contoso Production*');
    expect(usage).toContain('▰▰▰▰▰▰▰▱▱▱ 73 %');
    expect(usage).toMatch(/As of \d+ \w+ \d{4}, \d\d:\d\d /);
    expect(usage).toContain('Invoice Reader | 1,234.5 credits | 5,000 credits');
    expect(await world.tell('usage nowhere')).toContain('*Usage*: no environments matching “nowhere”');
  });

  it('show what was done, and find it by name, by who did it, and by its reason', async () => {
    const form = await openLimitModal(world, KIM, 'travel planner');
    await world.set(form, { limit: '2500' });

    const all = await world.tell('audit');
    const byName = await world.tell('audit travel');
    const byMention = await world.tell(`audit <@${KIM}|kim>`);

    expect(all).toContain('*Agent limit* · *Travel Planner* in Contoso Production');
    expect(all).toContain(':white_check_mark: *verified*');
    expect(all).toContain('Monthly limit: none → *2,500 credits*');
    expect(all).toMatch(/@kim · \d+ \w+ \d{4}/i);
    expect(byName).toContain('entries matching “travel”');
    expect(byMention).toContain('Monthly limit: none → *2,500 credits*');
    expect(await world.tell('audit nothing like it')).toContain('*Audit log*: nothing matching');
  });

  it.each<[AdminFault, string]>([
    ['403', 'does not allow this to your account'],
    ['429-seconds', 'has too much to do. Try again in 30 seconds.'],
    ['html', 'does not answer at the moment'],
    ['not-json', 'in a way this app cannot read'],
  ])('turn %s into a sentence', async (fault, sentence) => {
    world.admin.faults.always(fault, { retryAfterS: 30 });

    for (const command of ['agents', 'environments', 'usage', 'agents env:lab harness']) {
      expect(await world.tell(command)).toContain(sentence);
    }
  });

  it('show the audit log while the service fails, or does not let the account look: ids instead of names', async () => {
    world.admin.faults.always('html', { on: 'query' });
    const failing = await world.tell('audit');
    world.admin.faults.clear();
    world.admin.faults.always('403', { on: 'query' });

    expect(failing).toContain('Names could not be read');
    expect(failing).toContain('*bot-2* in ');
    expect(await world.tell('audit')).toContain('Names could not be read');
  });

  it('say of an environment what is wrong where its usage cannot be read', async () => {
    world.admin.faults.always('404', { on: 'read-entitlements' });

    expect(await world.tell('usage contoso production')).toContain('does not know this agent or environment');
    expect(await world.tell('usage contoso')).toContain('Contoso Production | could not be read');
  });

  it('take quotes, words in any order, and say what no other list has', async () => {
    expect(await world.tell(`agents env:'Contoso Production'`)).toContain('2 agents in the environment “Contoso');
    expect(await world.tell('agents planner travel')).toContain('*Travel Planner*');
    expect(await world.tell('agents "harness"')).toContain('no agents matching “harness”');
    expect(await world.tell('usage ""')).toContain('3 environments');
    expect(await world.tell('usage harness:yes')).toContain('`harness:` is no filter of this list');
    expect(await world.tell('agents owner:<@U0BEN|ben>')).toContain('whose account that is in the directory');
  });

  it('are not hidden by one 404 in the list of limits', async () => {
    expect(await world.tell('limits spec')).toContain('*100* credits a month');
    world.admin.faults.always('404', { on: 'list-thresholds' });
    const failing = await world.tell('limits spec');
    world.admin.faults.clear();

    expect(failing).toContain('The limits could not be read from the service');
    expect(await world.tell('limits spec')).toContain('*100* credits a month');
  });

  it('are nothing for somebody else who clicks their buttons', async () => {
    await giveAdminCommand(world, 'U0BEN', 'help');
    const given = world.slack.ledger.deliveries({ type: '/assistant-admin' }).at(-1)?.payload as Json;
    world.admin.ledger.clear();
    const actions = [
      { action_id: 'admin_agents_harness_yes', type: 'button', value: '{"query":"","page":0,"harness":"yes"}' },
      { action_id: 'admin_audit_older', type: 'button', value: '{"query":"","page":1,"before":9}' },
      { action_id: 'admin_usage_open', type: 'button', value: '{"environmentId":"e","name":"E"}' },
      { action_id: 'admin_agents_open', type: 'button', value: '{"environmentId":"e","name":"E"}' },
    ];

    for (const action of actions) {
      const count = readPrivate(world, 'U0BEN').length;
      await world.slack.deliver(
        {
          ...{ type: 'block_actions', team: { id: 'T0001', domain: 'acme' }, trigger_id: '1.1.forged' },
          user: { id: 'U0BEN', username: 'ben', team_id: 'T0001' },
          channel: { id: 'C0GENERAL' },
          response_url: given.response_url,
          actions: [{ ...action, block_id: 'b', action_ts: '1.1' }],
        },
        { kind: 'interaction' },
      );
      const refusal = world.slack.render(await nextPrivate(world, 'U0BEN', count));
      expect(refusal).toContain('Only administrators of this app may use');
    }
    expect(world.admin.ledger.count()).toBe(0);
  });

  it('say of a button that is too old which command to give', async () => {
    const message = await list('agents env:lab');
    const button = message.blocks.flatMap(({ elements }) => (elements as Json[] | undefined) ?? []);
    for (const element of button) if ('value' in element) element.value = 'of another release';

    expect(await open(world, message, 'All (3)')).toContain('Give the command again: `/assistant-admin agents`.');
  });
});

describe('the lists of thousands', () => {
  it('are shown a page at a time, in time', async () => {
    const world = await startAdminWorld({ admin: generateInventory({ environments: 2_000, agents: 20_000 }) });
    try {
      const agents = await giveAdminCommand(world, KIM, 'agents harness:no');
      const shown = world.slack.render(await settle(world, agents));
      const environments = await settle(world, await giveAdminCommand(world, KIM, 'environments'));
      world.admin.ledger.clear();
      const second = await turn(world, environments, 'Next');
      const requests = world.admin.ledger.count();
      world.admin.ledger.clear();
      const usage = await world.tell('usage');

      expect(shown).toContain('13,333 agents that no harness made, page 1 of 1,334');
      expect(second).toContain('2,000 environments, page 2 of 200');
      expect(second).toMatch(/\n10 agents \(\d+ by a harness, \d+ not\)/);
      expect(requests).toBe(0);
      expect(shown).toContain('type part of its name: `/assistant-admin agents part of the name`');
      expect(usage).toContain('2,000 environments, page 1 of 100');
      expect(world.admin.ledger.count('/entitlements')).toBe(20);
    } finally {
      await world.stop();
    }
  });
});

/** The list itself, where a word came first that it takes a while. */
async function settle(world: AdminWorld, message: Message): Promise<Message> {
  return message.text === 'Still looking that up…' ? nextPrivate(world, KIM, readPrivate(world, KIM).length) : message;
}
