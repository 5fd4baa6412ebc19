// What an environment is called, held against the register.
import { describe, expect, it } from 'vitest';
import { AdminRefusedError } from '../../../src/admin-api/admin-errors.ts';
import { drawsOnTenantPool } from '../../../src/governance/review/finding.ts';
import {
  aCurrency,
  anAgent,
  anAllocation,
  anEnvironment,
  aRegister,
  aRegisteredEnvironment,
  aWorld,
  CURRENCY,
  holdingOne,
  reviewWorld,
  told,
} from './review-world.ts';

async function reviewAllocation(...currencies: Parameters<typeof anAllocation>) {
  const world = aWorld({ allocations: new Map([['env-1', anAllocation(...currencies)]]) });
  return holdingOne(await reviewWorld(world)).environment;
}

describe('an environment', () => {
  it('is compliant where all is as approved, whatever else the deployment lists', async () => {
    const { enforcementRules, ...rest } = aCurrency();
    const throttle = { ruleType: 'Throttle', enabled: true, others: {} };

    const finding = await reviewAllocation(
      { ...rest, currencyType: 'servicemessages', enforcementRules: [throttle, ...enforcementRules.toReversed()] },
      aCurrency({ currencyType: 'Invoice', allocated: 0, rules: { TenantPool: 'absent', Alert: false } }),
    );

    expect(finding).toMatchObject({ status: 'compliant', differences: [], reason: undefined, owners: ['U7'] });
  });

  it('drifts with every setting that is found otherwise, and each has its way', async () => {
    const rules = { Alert: false, TenantPool: true, PayGo: true, Deny: false };

    const looser = await reviewAllocation(aCurrency({ allocated: 9, rules }));

    expect(looser.status).toBe('drift');
    expect(told(looser.differences)).toEqual([
      ['allocated', 0, 9, 'looser'],
      ['Alert', 'on', 'off', 'looser'],
      ['TenantPool', 'off', 'on', 'looser'],
      ['PayGo', 'off', 'on', 'looser'],
      ['Deny', 'on', 'off', 'looser'],
    ]);
  });

  it('drifts towards less as well', async () => {
    const approved = { Alert: 'off', TenantPool: 'on', PayGo: 'on', Deny: 'off' } as const;
    const allocations = [{ currencyType: CURRENCY, allocated: 5, rules: approved }];
    const register = aRegister({ environments: [aRegisteredEnvironment({ allocations })] });

    const { environment } = holdingOne(await reviewWorld(aWorld({ register })));

    expect(environment.differences.map(({ way }) => way)).toEqual(Array(5).fill('tighter'));
  });

  it('drifts where rules that are approved as off or on are left to the platform, which draws on the pool', async () => {
    const finding = await reviewAllocation(
      aCurrency({ rules: { Alert: 'absent', TenantPool: 'absent', PayGo: 'absent', Deny: 'absent' } }),
    );

    expect(told(finding.differences)).toEqual([
      ['Alert', 'on', 'platform-default', 'unclear'],
      ['TenantPool', 'off', 'platform-default', 'looser'],
      ['PayGo', 'off', 'platform-default', 'unclear'],
      ['Deny', 'on', 'platform-default', 'unclear'],
    ]);
  });

  it('has nothing allocated of a currency that is not listed', async () => {
    const finding = await reviewAllocation();

    expect(finding.differences.map(({ setting }) => setting)).toEqual(['Alert', 'TenantPool', 'PayGo', 'Deny']);
  });

  it('drifts with credits of a currency that the register does not name, unless it says to ignore those', async () => {
    const allocations = new Map([
      ['env-1', anAllocation(aCurrency(), aCurrency({ currencyType: 'AI', allocated: 10 }))],
    ]);

    const reported = holdingOne(await reviewWorld(aWorld({ allocations })));
    const register = aRegister({ otherCurrencies: 'ignore' });
    const ignored = holdingOne(await reviewWorld(aWorld({ allocations, register })));

    expect(reported.environment.differences).toMatchObject([
      { setting: 'allocated', currency: 'AI', approved: 'none', found: 10, way: 'looser' },
    ]);
    expect(ignored.environment.status).toBe('compliant');
  });

  it('is unreadable where a setting does not tell, and nothing else is wrong', async () => {
    const finding = await reviewAllocation(aCurrency({ allocated: undefined, rules: { Deny: 'unknown' } }));

    expect(finding).toMatchObject({ status: 'unreadable', reason: 'value_not_told' });
    expect(told(finding.differences)).toEqual([
      ['allocated', 0, 'unknown', 'unclear'],
      ['Deny', 'on', 'unknown', 'unclear'],
    ]);
  });

  it('drifts all the same where another setting is certain', async () => {
    const finding = await reviewAllocation(aCurrency({ allocated: 9, rules: { Deny: 'unknown' } }));

    expect(finding.status).toBe('drift');
  });

  it.each<[string, 'none' | Error, string]>([
    ['it has no allocation', 'none', 'no_allocation'],
    ['it may not be read', new AdminRefusedError('admin_forbidden', 'read allocation'), 'admin_forbidden'],
  ])('is unreadable where %s', async (_, found, reason) => {
    const { environment } = holdingOne(await reviewWorld(aWorld({ allocations: new Map([['env-1', found]]) })));

    expect(environment).toMatchObject({ status: 'unreadable', reason, tenantPool: 'unknown' });
  });

  it('is compliant without an allocation where just that is approved, and drifts once it has one', async () => {
    const register = aRegister({ environments: [aRegisteredEnvironment({ allocations: 'none' })] });
    const without = aWorld({ register, allocations: new Map([['env-1', 'none']]) });

    const one = holdingOne(await reviewWorld(without));
    const other = holdingOne(await reviewWorld(aWorld({ register })));

    expect(one.environment.status).toBe('compliant');
    expect(other.environment).toMatchObject({ status: 'drift', differences: [{ approved: 'none', found: 0 }] });
  });

  it.each([
    ['on', true, true],
    ['platform-default', 'absent', true],
    ['off', false, false],
    ['unknown', 'unknown', false],
  ] as const)(
    'is unclassified where the register does not name it, with its pool %s',
    async (tenantPool, rule, isFlagged) => {
      const allocations = new Map([['env-1', anAllocation(aCurrency({ rules: { TenantPool: rule } }))]]);

      const review = await reviewWorld(aWorld({ register: aRegister({ environments: [] }), allocations }));

      const { environment } = holdingOne(review);
      expect(environment).toMatchObject({ status: 'unclassified', tenantPool });
      expect(drawsOnTenantPool(environment)).toBe(isFlagged);
      expect(review.summary.newOnTenantPool).toBe(isFlagged ? 1 : 0);
    },
  );

  it('is unclassified also where it cannot be read', async () => {
    const allocations = new Map([['env-1', new AdminRefusedError('admin_forbidden', 'read allocation')]]);

    const review = await reviewWorld(aWorld({ register: aRegister({ environments: [] }), allocations }));

    expect(holdingOne(review).environment).toMatchObject({ status: 'unclassified', reason: 'admin_forbidden' });
    expect(review.summary.isComplete).toBe(false);
  });

  it('has vanished where a complete inventory does not list it, and its agents with it', async () => {
    const entry = aRegisteredEnvironment({
      agents: [{ id: 'b', name: 'B', owners: [], limit: { monthlyLimit: 'none' } }],
    });
    const other = aRegisteredEnvironment({ id: 'env-2' });
    const world = aWorld({
      register: aRegister({ environments: [entry, other] }),
      environments: [anEnvironment({ name: 'env-2' })],
      agents: [],
    });

    const { environments } = await reviewWorld(world);

    const { environment, agents } = holdingOne({ environments: environments.slice(0, 1) });
    expect([environment.status, ...agents.map(({ status, name }) => `${name}: ${status}`)]).toEqual([
      'vanished',
      'B: vanished',
    ]);
  });

  it('is unreadable, not vanished, where no environment is listed at all', async () => {
    const review = await reviewWorld(aWorld({ environments: [], agents: [] }));

    expect(holdingOne(review).environment).toMatchObject({ status: 'unreadable', reason: 'inventory_empty' });
    expect(review.gaps.environments).toBe('inventory_empty');
    expect(review.summary.isComplete).toBe(false);
  });

  it('is not missed where neither the inventory nor the register has one', async () => {
    const review = await reviewWorld(
      aWorld({ register: aRegister({ environments: [] }), environments: [], agents: [] }),
    );

    expect(review.summary.isCompliant).toBe(true);
  });

  it('drifts where credits that nobody stated are drawn or paid for, though none are allocated', async () => {
    const other = aCurrency({ currencyType: 'AI', allocated: 0, rules: { TenantPool: true, PayGo: true } });

    const finding = await reviewAllocation(aCurrency(), other);

    expect(finding.status).toBe('drift');
    expect(told(finding.differences)).toEqual([
      ['TenantPool', 'none', 'on', 'looser'],
      ['PayGo', 'none', 'on', 'looser'],
    ]);
  });

  it('drifts where no allocation is approved and that it has none is accepted, but it draws on the pool', async () => {
    const accepts = { setting: 'allocated', currency: CURRENCY, value: 0 } as const;
    const exception = { agent: undefined, accepts, reason: 'r', approver: 'a', expiresOn: '2026-12-31' };
    const entry = aRegisteredEnvironment({ allocations: 'none', exceptions: [exception] });
    const allocations = new Map([['env-1', anAllocation(aCurrency({ rules: { TenantPool: true } }))]]);

    const world = aWorld({ register: aRegister({ environments: [entry] }), allocations });
    const { environment } = holdingOne(await reviewWorld(world));

    expect(environment.status).toBe('drift');
    expect(told(environment.differences)).toEqual([
      ['allocated', 'none', 0, 'unclear'],
      ['TenantPool', 'none', 'on', 'looser'],
    ]);
  });

  it('is unreadable, not tighter, where less than nothing is allocated', async () => {
    const finding = await reviewAllocation(aCurrency({ allocated: -1 }));

    expect(finding).toMatchObject({ status: 'unreadable', reason: 'value_not_told' });
    expect(told(finding.differences)).toEqual([['allocated', 0, 'unknown', 'unclear']]);
  });

  it('is unreadable, not vanished, where the inventory is truncated', async () => {
    const world = aWorld({ environments: [], agents: [], truncated: { environments: true, agents: true } });

    const review = await reviewWorld(world);

    expect(holdingOne(review).environment).toMatchObject({ status: 'unreadable', reason: 'inventory_truncated' });
    expect(review.summary).toMatchObject({ isComplete: false, isCompliant: false });
  });

  it('is there where only its agents tell of it', async () => {
    const { environment, agents } = holdingOne(await reviewWorld(aWorld({ environments: [] })));

    expect([environment.status, agents[0]?.status]).toEqual(['compliant', 'compliant']);
  });

  it('is the same whatever the case of its id', async () => {
    const world = aWorld({
      environments: [anEnvironment({ name: 'ENV-1' })],
      agents: [anAgent({ environmentId: 'Env-1' })],
    });

    const { environment, agents } = holdingOne(await reviewWorld(world));

    expect(environment).toMatchObject({ key: 'env-1', environmentId: 'ENV-1', status: 'compliant' });
    expect(agents).toMatchObject([{ status: 'compliant', environmentId: 'ENV-1' }]);
  });
});
