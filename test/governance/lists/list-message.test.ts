// What the commands of lists say. For pages see governance-table.test.ts, for files admin-commands.test.ts.
import { beforeEach, describe, expect, it } from 'vitest';
import { parseAgent } from '../../../src/governance/forms/target-buttons.ts';
import { listCommand } from '../../../src/governance/lists/list-listeners.ts';
import type { ListName } from '../../../src/governance/lists/list-reader.ts';
import { setEdit } from '../../../src/policy/edit.ts';
import type { Content } from '../../../src/slack/views/content.ts';
import { anAgent, anEnvironment, aThreshold } from '../samples.ts';
import { aListWorld, anAllocation, anEntitlement, KIM, type ListWorld } from './list-world.ts';

let world: ListWorld;
let said: Content[];

beforeEach(() => {
  world = aListWorld();
  said = [];
});

const services = () =>
  ({
    ...world.services,
    lists: world.reader,
    inventories: { toSession: (session: object) => session },
    timeZone: async () => 'Europe/Berlin',
  }) as never;

const asking = (role: 'admin' | 'auditor' = 'admin') => ({
  ...{ caller: KIM, role, openSession: async () => world.session },
  say: async (content: Content) => said.push(content) > 0,
});

async function list(name: ListName, typed = '', role: 'admin' | 'auditor' = 'admin'): Promise<Content> {
  const work = listCommand(name, typed, services());
  if (!('run' in work)) throw new Error('it opens a window');
  await work.run(asking(role) as never);
  return said.at(-1) ?? { text: '', blocks: [] };
}

function listButtons({ blocks }: Content): { text: string; id: string; value: string }[] {
  const elements = blocks.flatMap((block) => ('elements' in block ? (block.elements as object[]) : [])) as {
    type: string;
    action_id: string;
    value: string;
    text: { text: string };
  }[];
  return elements
    .filter(({ type }) => type === 'button')
    .map((one) => ({ text: one.text.text, id: one.action_id, value: one.value }));
}

const labels = (content: Content) => listButtons(content).map(({ text }) => text);

function textOf({ blocks }: Content): string {
  return blocks
    .flatMap((block) =>
      'text' in block && typeof block.text === 'object' ? [(block.text as { text: string }).text] : [],
    )
    .join('\n');
}

describe('the list of agents', () => {
  it('has a row for each, with what can be done', async () => {
    await world.approve(
      setEdit('limit', { environmentId: 'env-1', agentId: 'a1', currency: 'ServiceMessages' }, 'none'),
    );

    const content = await list('agents');

    expect(textOf(content)).toBe(
      [
        '*1 agent*',
        '*Travel Planner* in Contoso Production',
        'limit 1,000 · policy: no limit · used 190 (19 %) · about 693 by the end of the month',
        'no class · <@U0ANA> (owner-ana)',
      ].join('\n'),
    );
    expect(listButtons(content).map(({ text, id }) => [text, id])).toEqual([
      ['Limit…', 'form_limit'],
      ['Stop…', 'form_stop'],
      ['Log', 'admin_go_on_0'],
      ['CSV', 'admin_agents_export_csv'],
    ]);
    expect(parseAgent(listButtons(content)[0]?.value ?? '')).toMatchObject({ environmentId: 'env-1', agentId: 'a1' });
  });

  it('offers to run what is stopped, and to change all that a filter leaves', async () => {
    world.agents = [anAgent(), anAgent({ name: 'a2' })];
    world.thresholds = [aThreshold({ stopResource: true })];

    expect(labels(await list('agents', 'travel'))).toEqual([
      ...['Limit…', 'Run…', 'Log', 'Limit…', 'Stop…', 'Log'],
      ...['Set one limit for all 2…', 'Stop 2…', 'CSV'],
    ]);
    expect(labels(await list('agents'))).not.toContain('Stop 2…');
  });

  it('shows an auditor nothing that changes anything', async () => {
    world.agents = [anAgent(), anAgent({ name: 'a2' })];

    expect(labels(await list('agents', 'travel', 'auditor'))).toEqual(['Log', 'Log', 'CSV']);
  });

  it('says how to see more where the account may see none', async () => {
    world.agents = [];

    expect((await list('agents')).text).toContain('lists no agents for your account. If it should, sign in');
  });

  it.each([
    ['nothing', '*No agents fit* “nothing”. `/assistant-admin agents` lists all.'],
    ['colour:red', '`colour` is no filter here. This list has'],
    ['over:x', 'After `over:` comes a percentage'],
  ])('says so where nothing fits, or what is wrong: %s', async (typed, sentence) => {
    expect((await list('agents', typed)).text).toContain(sentence);
  });
});

describe('the list of environments', () => {
  it('says who draws on the pool or is billed', async () => {
    world.allocations.set(
      'env-1',
      anAllocation('env-1', 5_000, { Alert: true, TenantPool: true, PayGo: true, Deny: false }),
    );
    world.entitlements.set('env-1', [anEntitlement({ payGoConsumed: 12 })]);

    const text = textOf(await list('environments'));

    expect(text).toContain('no class · 5,000 credits · alert, draws on the pool, billed as you go\n');
    expect(text).toContain(
      'used 800 (80 %) · 12 billed as you go · used up on 11 Mar at this rate\nowner owner-kim · 1 agent',
    );
  });

  it('offers each class for all that a filter leaves', async () => {
    world.environments = [anEnvironment(), anEnvironment({ name: 'env-2' })];
    await world.approve(
      setEdit('standard', { className: 'maker' }, { credits: {} }),
      setEdit('standard', { className: 'production' }, { credits: {} }),
    );

    expect(labels(await list('environments', 'class:none')).slice(-3)).toEqual([
      'Maker all 2…',
      'Production all 2…',
      'CSV',
    ]);
    expect(labels(await list('environments', 'class:none', 'auditor'))).toEqual([
      'Agents',
      'Log',
      'Agents',
      'Log',
      'CSV',
    ]);
  });
});
