// What the commands of lists say. For pages see governance-table.test.ts, for files admin-commands.test.ts.
import { beforeEach, describe, expect, it } from 'vitest';
import { parseAgent } from '../../../src/governance/forms/target-buttons.ts';
import { listCommand } from '../../../src/governance/lists/list-listeners.ts';
import type { ListName } from '../../../src/governance/lists/list-reader.ts';
import { setEdit } from '../../../src/policy/edit.ts';
import type { Content } from '../../../src/slack/views/content.ts';
import { anAgent, anAllocation, anEntitlement, aThreshold } from '../samples.ts';
import { buttonsOf, sectionsOf } from '../world.ts';
import { aListWorld, type ListWorld, NOW } from './list-world.ts';

let world: ListWorld;

beforeEach(() => {
  world = aListWorld();
});

const list = (name: ListName, typed = '', role: 'admin' | 'auditor' = 'admin') =>
  world.run(listCommand(name, typed, world.services), role);

const labels = (content: Content | undefined) => buttonsOf(content).map(({ label }) => label);

describe('the list of agents', () => {
  it('has a row for each, with what can be done', async () => {
    await world.approve(
      setEdit('limit', { environmentId: 'env-1', agentId: 'a1', currency: 'ServiceMessages' }, 'none'),
    );

    const content = await list('agents');

    expect(sectionsOf(content)).toBe(
      [
        '*1 agent*',
        '*Travel Planner* in Contoso Production',
        'limit 1,000 · policy: no limit · used 190 (19 %) · about 693 by the end of the month',
        'no class · <@U0ANA> (owner-ana)',
      ].join('\n'),
    );
    expect(buttonsOf(content).map(({ label, id }) => [label, id])).toEqual([
      ['Limit…', 'form_limit'],
      ['Stop…', 'form_stop'],
      ['Log', 'admin_go_on_0'],
      ['CSV', 'admin_agents_export_csv'],
    ]);
    expect(parseAgent(buttonsOf(content)[0]?.value ?? '')).toMatchObject({ environmentId: 'env-1', agentId: 'a1' });
  });

  it('offers to run what is stopped, and to change all that a filter leaves', async () => {
    world.service.agents = [anAgent(), anAgent({ name: 'a2' })];
    world.service.thresholds = [aThreshold({ stopResource: true })];

    expect(labels(await list('agents', 'travel'))).toEqual([
      ...['Limit…', 'Run…', 'Log', 'Limit…', 'Stop…', 'Log'],
      ...['Set one limit for all 2…', 'Stop 2…', 'CSV'],
    ]);
    expect(labels(await list('agents'))).not.toContain('Stop 2…');
  });

  it('says how to see more where the account may see none', async () => {
    world.service.agents = [];

    expect((await list('agents'))?.text).toContain('lists no agents for your account. If it should, sign in');
  });

  it.each([
    ['nothing', '*No agents fit* “nothing”. `/assistant-admin agents` lists all.'],
    ['colour:red', '`colour` is no filter here. This list has'],
    ['over:x', 'After `over:` comes a percentage'],
  ])('says so where nothing fits, or what is wrong: %s', async (typed, sentence) => {
    expect((await list('agents', typed))?.text).toContain(sentence);
  });
});

describe('the list of environments', () => {
  it('says who draws on the pool or is billed', async () => {
    world.service.allocations.set(
      'env-1',
      anAllocation('env-1', 5_000, { Alert: true, TenantPool: true, PayGo: true, Deny: false }),
    );
    world.service.entitlements.set('env-1', [anEntitlement({ payGoConsumed: 12, asOf: NOW })]);

    const text = sectionsOf(await list('environments'));

    expect(text).toContain('no class · 5,000 credits · alert, draws on the pool, billed as you go\n');
    expect(text).toContain(
      'used 800 (80 %) · 12 billed as you go · used up on 11 Mar at this rate\nowner owner-kim · 1 agent',
    );
  });
});
