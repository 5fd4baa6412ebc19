import { afterEach, describe, expect, it } from 'vitest';
import { call, closeAll, start } from './calling.ts';
import { CURRENCY, toThresholdKey } from './model.ts';
import { SEED_ENVIRONMENTS } from './seeds.ts';
import type { AdminSandbox } from './start-admin.ts';

const [PRODUCTION = '', MAKERS = '', DEFAULT = ''] = SEED_ENVIRONMENTS.map(({ name }) => name);

afterEach(closeAll);

describe('allocations', () => {
  const path = '/licensing/allocationsByEnvironment';
  const rules = (...enabled: string[]) =>
    ['Alert', 'TenantPool', 'PayGo', 'Deny'].map((ruleType) => ({ ruleType, enabled: enabled.includes(ruleType) }));
  const write = (admin: AdminSandbox, environmentId: string, allocation: object) => {
    const body = { environmentId, currencyAllocations: [{ currencyType: CURRENCY, ...allocation }] };
    return call(admin, path, { method: 'PATCH', body });
  };

  it('are read with unknown rules, a second currency and what is read only; 404 where there is none', async () => {
    const admin = await start();

    const production = await call(admin, `${path}/${PRODUCTION}`);
    const none = await call(admin, `${path}/${DEFAULT}`);

    expect(production.json.currencyAllocations?.map(({ currencyType }) => currencyType)).toEqual([CURRENCY, 'AI']);
    expect(production.json.currencyAllocations?.[0]).toMatchObject({ allocated: 25_000, autoAllocated: 500 });
    expect(production.text).toContain('Throttle');
    expect(production.text).toContain('CC-4711');
    expect(none.status).toBe(404);
  });

  it('are replaced as a whole: a currency, a rule or a field that the update leaves out is gone', async () => {
    const admin = await start();

    const written = await write(admin, PRODUCTION, { allocated: 30_000, enforcementRules: rules('Alert', 'Deny') });
    const read = await call(admin, `${path}/${PRODUCTION}`);

    expect(written.status).toBe(200);
    expect(read.json).toEqual(written.json);
    expect(read.json.currencyAllocations?.[0]).toMatchObject({ allocated: 30_000, autoAllocated: 500 });
    expect(read.json.currencyAllocations).toHaveLength(1);
    expect(read.text).not.toContain('Throttle');
    expect(read.text).not.toContain('CC-4711');
  });

  it('take back what the contract does not name, as it was', async () => {
    const admin = await start();
    const read = await call(admin, `${path}/${PRODUCTION}`);
    const body: unknown = JSON.parse(read.text, (name, value: unknown) =>
      name === 'autoAllocated' ? undefined : value,
    );

    const written = await call(admin, path, { method: 'PATCH', body });

    expect(written.json).toEqual(read.json);
  });

  const bad: [string, string, object][] = [
    ['a fraction', PRODUCTION, { allocated: 1.5, enforcementRules: rules() }],
    ['a negative amount', PRODUCTION, { allocated: -1, enforcementRules: rules() }],
    ['more than the tenant has', PRODUCTION, { allocated: 2 ** 31, enforcementRules: rules() }],
    ['a missing rule', PRODUCTION, { allocated: 1, enforcementRules: rules().slice(1) }],
    [
      'an unknown rule',
      MAKERS,
      { allocated: 1, enforcementRules: [...rules('TenantPool'), { ruleType: 'Throttle', enabled: true }] },
    ],
    ['a rule twice', PRODUCTION, { allocated: 1, enforcementRules: [...rules(), { ruleType: 'Deny', enabled: true }] }],
    ['a read-only field', PRODUCTION, { allocated: 1, autoAllocated: 5, enforcementRules: rules() }],
    ['a field that is not known', MAKERS, { allocated: 1, costCentre: 'CC-1', enforcementRules: rules('TenantPool') }],
    ['a currency that is not known', PRODUCTION, { currencyType: 'Coins', allocated: 1, enforcementRules: rules() }],
    ['more than the tenant has', PRODUCTION, { allocated: 99_500, enforcementRules: rules() }],
  ];

  it.each(bad)('refuse %s', async (_name, environment, allocation) => {
    const admin = await start();

    const { status } = await write(admin, environment, allocation);

    expect(status).toBe(400);
  });

  it('keep TenantPool where a group policy governs it', async () => {
    const admin = await start();

    const off = await write(admin, MAKERS, { allocated: 900, enforcementRules: rules('Alert') });
    const on = await write(admin, MAKERS, { allocated: 900, enforcementRules: rules('Alert', 'TenantPool') });

    expect([off.status, off.json.error?.code, on.status]).toEqual([400, 'TenantPoolLockedByPolicy', 200]);
  });

  it('can be changed by somebody else between a write and its answer', async () => {
    const admin = await start();
    admin.onWritten(() => {
      const current = admin.state.allocations.get(PRODUCTION);
      if (current) admin.state.allocations.set(PRODUCTION, { ...current, currencyAllocations: [] });
    });

    const written = await write(admin, PRODUCTION, { allocated: 30_000, enforcementRules: rules('Alert') });
    const read = await call(admin, `${path}/${PRODUCTION}`);

    expect(written.json.currencyAllocations?.[0]?.allocated).toBe(30_000);
    expect(read.json.currencyAllocations).toEqual([]);
  });
});

describe('entitlements and thresholds', () => {
  const body = {
    stopResource: false,
    limit: 700,
    stopIfOverCapacity: true,
    notifyIfOverCapacity: true,
    notificationThreshold: 75,
  };
  const put = (admin: AdminSandbox, environment: string, resource: string, change: object = {}) =>
    call(admin, `/licensing/environments/${environment}/entitlements/${CURRENCY}/resources/${resource}/threshold`, {
      method: 'PUT',
      body: { ...body, ...change },
    });

  it('tell consumption, or 204 where there is none', async () => {
    const admin = await start();

    const full = await call(admin, `/licensing/environments/${PRODUCTION}/entitlements`);
    const empty = await call(admin, `/licensing/environments/${MAKERS}/entitlements`);
    const unknown = await call(admin, '/licensing/environments/nowhere/entitlements');

    expect(full.json[0]?.entitlement?.capacity?.consumed).toMatchObject({
      value: 18_250,
      consumptionType: 'MonthToDate',
    });
    expect([empty.status, empty.text, unknown.status]).toEqual([204, '', 400]);
  });

  it('replace the whole threshold: what is left out is cleared', async () => {
    const admin = await start();

    const first = await put(admin, PRODUCTION, 'bot-1');
    const second = await put(admin, PRODUCTION, 'agent-1', { notificationThreshold: undefined });

    expect(first.json).toMatchObject({ limit: 700, notificationThreshold: 75, resourceConsumption: 1234.5 });
    expect(second.json.notificationThreshold).toBe(0);
    expect(admin.state.thresholds.get(toThresholdKey(MAKERS, 'bot-1'))?.limit).toBe(200);
  });

  it.each([
    ['a negative limit', { limit: -1 }],
    ['a negative percentage', { notificationThreshold: -1 }],
    ['a string', { stopResource: 'false' }],
    ['a field that is read only', { resourceConsumption: 1 }],
  ])('refuse %s', async (_name, change) => {
    const admin = await start();

    const { status } = await put(admin, PRODUCTION, 'bot-1', change);

    expect(status).toBe(400);
  });

  it.each([{ limit: 82.5, notificationThreshold: 12.5 }, { limit: 3e9 }, { notificationThreshold: 0 }])(
    'take any number, as the contract names no bounds: %j',
    async (change) => {
      const admin = await start();

      const { json } = await put(admin, PRODUCTION, 'bot-1', change);

      expect(json).toMatchObject(change);
    },
  );

  it('refuse an agent of another environment', async () => {
    const admin = await start();

    const { status } = await put(admin, PRODUCTION, 'bot-4');

    expect(status).toBe(400);
  });

  it('list limits only where the deployment can', async () => {
    const [plain, capable] = [await start(), await start({ thresholdList: true })];
    const path = `/licensing/entitlements/${CURRENCY}/resourceThresholds`;

    const absent = await call(plain, path);
    const listed = await call(capable, path);

    expect(absent.status).toBe(404);
    expect(listed.json.map(({ resourceId, stopResource }) => [resourceId, stopResource])).toEqual([
      ['bot-1', false],
      ['bot-1', false],
      ['bot-4', true],
    ]);
  });
});
