import { beforeEach, describe, expect, it } from 'vitest';
import { AdminFailedError, AdminThrottledError } from '../../../src/admin-api/admin-errors.ts';
import { readPage } from '../../../src/governance/lists/list-reader.ts';
import { setEdit } from '../../../src/policy/edit.ts';
import { toDay } from '../../../src/usage/usage.ts';
import { anAgent, anAllocation, anEntitlement, anEnvironment, CURRENCY } from '../samples.ts';
import { aListWorld, type ListWorld, NOW } from './list-world.ts';

let world: ListWorld;

beforeEach(() => {
  world = aListWorld();
  world.service.environments = [
    anEnvironment(),
    anEnvironment({ name: 'env-2', displayName: 'Lab' }),
    anEnvironment({ name: 'env-3', displayName: 'Odd' }),
  ];
  world.service.agents = [
    anAgent({ isHarness: true }),
    anAgent({ name: 'a2', environmentId: 'ENV-2', isHarness: 'unknown' }),
  ];
  world.service.allocations.set(
    'env-1',
    anAllocation('env-1', 5_000, { Alert: true, TenantPool: true, PayGo: false, Deny: false }),
  );
  world.service.allocations.set('env-2', anAllocation('env-2', 100, { PayGo: true }));
  world.service.allocations.set('env-3', new AdminFailedError('read allocation'));
  world.service.entitlements.set('env-1', [anEntitlement({ asOf: NOW })]);
  world.service.entitlements.set('env-2', [anEntitlement({ consumed: 50, payGoConsumed: 7, capacity: 100 })]);
  world.service.entitlements.set('env-3', new AdminFailedError('read entitlements'));
});

describe('the environments', () => {
  it('have their class, credits, rules, use, and agents', async () => {
    await world.approve(
      setEdit('credits', { environmentId: 'env-1', currency: CURRENCY }, { allocated: 4_000, rules: {} }),
    );
    await world.services.history.save(toDay(NOW) - 28, new Map([['environment:env-1', 1_000]]));
    await world.services.history.save(toDay(NOW), new Map([['environment:env-1', 800]]));

    const { rows, totals } = await world.rows('environments');

    expect(rows[0]).toMatchObject({
      ...{ environment_id: 'env-1', class: undefined, allocated: 5_000, policy_allocated: 4_000 },
      ...{ alert: true, draws_on_pool: true, is_billed: false, deny: false },
      ...{ used: 800, capacity: 1_000, share: 0.8, used_last_month: 1_000, forecast: 'reaches' },
      ...{ owner_id: 'owner-kim', agents: 1, harness_agents: 1 },
    });
    expect(rows[2]).toMatchObject({ allocated: undefined, draws_on_pool: undefined, used: undefined });
    expect(totals).toEqual([
      ...[
        '5,100 credits',
        'used 850',
        '3 without a class',
        '1 draws on the pool',
        '1 billed as you go',
        '1 unreadable',
      ],
    ]);
  });

  it.each([
    ['harness', ['env-1'], 1],
    ['pool', ['env-1'], 2],
    ['payg', ['env-2'], 1],
    ['over:80', ['env-1'], 1],
    ['over:10', ['env-1', 'env-2'], 1],
    ['lab', ['env-2'], 0],
    ['class:none', ['env-1', 'env-2', 'env-3'], 0],
  ])('are filtered, and what nobody can tell is counted: %s', async (typed, ids, unsure) => {
    const found = await world.rows('environments', typed);

    expect(found.rows.map(({ environment_id }) => environment_id)).toEqual(ids);
    expect(found.unsure).toBe(unsure);
  });

  it('are read a page at a time where there are very many, and all of them for a filter or a file', async () => {
    world.service.environments = Array.from({ length: 300 }, (_, index) => anEnvironment({ name: `env-${index}` }));
    const countReads = async (typed: string) => {
      world.service.calls.length = 0;
      const found = await world.read('environments', typed);
      const rows = 'problem' in found ? found : (await readPage(found, 1)).rows;
      const ofEach = world.service.calls.filter((call) => call === 'allocation' || call === 'entitlements');
      return [Array.isArray(rows) && rows.length, ofEach.length];
    };

    expect(await countReads('')).toEqual([10, 20]);
    expect(await countReads('csv')).toEqual([10, 600]);
    expect(await countReads('payg')).toEqual([1, 600]);
  });

  it('are all filtered where the service asks to wait meanwhile', async () => {
    world.service.environments = Array.from({ length: 20 }, (_, index) => anEnvironment({ name: `env-${index}` }));
    const pool = (id: string) => anAllocation(id, 1_000, { TenantPool: true });
    for (const { name } of world.service.environments) world.service.allocations.set(name, pool(name));
    const { session } = world;
    let isBusy = true;
    const busy = async (id: string) => {
      if (!isBusy || id !== 'env-7') return session.readAllocation(id);
      isBusy = false;
      throw new AdminThrottledError('read allocation', 1);
    };

    const found = await world.read('environments', 'pool', true, { ...session, readAllocation: busy });

    expect(found).toMatchObject({ result: { rows: { length: 20 }, unsure: 0 } });
  });
});

describe('a month', () => {
  const march = toDay(Date.parse('2026-02-01'));

  beforeEach(async () => {
    await world.services.history.save(
      march + 3,
      new Map([
        ['environment:env-1', 10],
        ['environment:gone', 5],
      ]),
    );
    await world.services.history.save(
      march + 27,
      new Map([
        ['environment:env-1', 2_500],
        ['missing', 1],
      ]),
    );
    await world.services.history.save(
      march + 27,
      new Map([
        ['agent:["env-1","a1"]', 70],
        ['agents', march + 26],
      ]),
    );
  });

  it('has what each environment used, also of what is gone', async () => {
    const { rows, notes, totals } = await world.rows('environments', '2026-02 csv');

    expect(rows).toMatchObject([
      {
        month: '2026-02',
        environment_id: 'env-1',
        environment_name: 'Contoso Production',
        used: 2_500,
        counted_until: '2026-02-28',
      },
      { environment_id: 'gone', environment_name: undefined, used: 5, counted_until: '2026-02-04' },
    ]);
    expect(notes).toEqual([
      ':warning: Some were last counted before the month ended.',
      ':warning: Not all environments could be read when that was recorded last.',
    ]);
    expect(totals).toEqual(['used 2,505']);
  });

  it('has what each agent used', async () => {
    const { rows } = await world.rows('agents', '2026-02');

    expect(rows).toMatchObject([
      { agent_id: 'a1', agent_name: 'Travel Planner', environment_id: 'env-1', used: 70, counted_until: '2026-02-27' },
    ]);
    expect((await world.rows('agents', '2026-02 env:lab')).rows).toEqual([]);
  });

  it('of which nothing is recorded says so', async () => {
    expect((await world.rows('environments', '2025-10')).notes[0]).toContain('Nothing is recorded of that month');
  });

  it('refuses filters that are about now', async () => {
    await expect(world.rows('agents', '2026-02 stopped')).rejects.toThrow('`stopped` does not go with a month.');
  });
});
