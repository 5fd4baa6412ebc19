import { beforeEach, describe, expect, it } from 'vitest';
import { ALLOCATIONS, call, start } from './calling.ts';
import { CURRENCY, toThresholdKey } from './model.ts';
import { SEED_ENVIRONMENTS } from './seeds.ts';
import type { AdminSandbox } from './start-admin.ts';

const [PRODUCTION = '', MAKERS = '', DEFAULT = ''] = SEED_ENVIRONMENTS.map(({ name }) => name);

let admin: AdminSandbox;

beforeEach(async () => {
  admin = await start();
});

describe('allocations', () => {
  const rules = (...enabled: string[]) =>
    ['Alert', 'TenantPool', 'PayGo', 'Deny'].map((ruleType) => ({ ruleType, enabled: enabled.includes(ruleType) }));
  const read = (environmentId: string) => call(admin, `${ALLOCATIONS}/${environmentId}`);
  const patch = (body: unknown) => call(admin, ALLOCATIONS, { method: 'PATCH', body });
  const write = (environmentId: string, allocation: object) =>
    patch({ environmentId, currencyAllocations: [{ currencyType: CURRENCY, ...allocation }] });

  it('take back what the contract does not name, as it was; 404 where there is none', async () => {
    const before = await read(PRODUCTION);
    const body: unknown = JSON.parse(before.text, (name, value: unknown) =>
      name === 'autoAllocated' ? undefined : value,
    );

    const written = await patch(body);

    expect(before.text).toMatch(/CC-4711.*Throttle.*"AI"/);
    expect(written.json).toEqual(before.json);
    expect((await read(DEFAULT)).status).toBe(404);
  });

  it('are replaced as a whole: a currency, a rule or a field that the update leaves out is gone', async () => {
    const written = await write(PRODUCTION, { allocated: 30_000, enforcementRules: rules('Alert', 'Deny') });
    const after = await read(PRODUCTION);

    expect(after.json).toEqual(written.json);
    expect(after.json.currencyAllocations).toMatchObject([{ allocated: 30_000, autoAllocated: 500 }]);
    expect(after.text).not.toMatch(/Throttle|CC-4711/);
  });

  it.each<[string, string, object]>([
    ['a fraction', PRODUCTION, { allocated: 1.5, enforcementRules: rules() }],
    ['a negative amount', PRODUCTION, { allocated: -1, enforcementRules: rules() }],
    ['more than the tenant has', PRODUCTION, { allocated: 99_500, enforcementRules: rules() }],
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
  ])('refuse %s', async (_, environment, allocation) => {
    expect((await write(environment, allocation)).status).toBe(400);
  });

  it('keep TenantPool where a group policy governs it', async () => {
    const off = await write(MAKERS, { allocated: 900, enforcementRules: rules('Alert') });
    const on = await write(MAKERS, { allocated: 900, enforcementRules: rules('Alert', 'TenantPool') });

    expect([off.status, off.json.error?.code, on.status]).toEqual([400, 'TenantPoolLockedByPolicy', 200]);
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
  const put = (resource: string, change: object = {}) =>
    call(admin, `/licensing/environments/${PRODUCTION}/entitlements/${CURRENCY}/resources/${resource}/threshold`, {
      method: 'PUT',
      body: { ...body, ...change },
    });

  it('are 204 where nothing was consumed, and 400 where there is no such environment', async () => {
    const empty = await call(admin, `/licensing/environments/${MAKERS}/entitlements`);
    const unknown = await call(admin, '/licensing/environments/nowhere/entitlements');

    expect([empty.status, empty.text, unknown.status]).toEqual([204, '', 400]);
  });

  it('replace the whole threshold: what is left out is cleared', async () => {
    const first = await put('bot-1');
    const second = await put('agent-1', { notificationThreshold: undefined });

    expect(first.json).toMatchObject({ limit: 700, notificationThreshold: 75, resourceConsumption: 1234.5 });
    expect(second.json.notificationThreshold).toBe(0);
    expect(admin.state.thresholds.get(toThresholdKey(MAKERS, 'bot-1'))?.limit).toBe(200);
  });

  it.each<[string, object, string?]>([
    ['a negative limit', { limit: -1 }],
    ['a negative percentage', { notificationThreshold: -1 }],
    ['a string', { stopResource: 'false' }],
    ['a field that is read only', { resourceConsumption: 1 }],
    ['an agent of another environment', {}, 'bot-4'],
  ])('refuse %s', async (_, change, resource = 'bot-1') => {
    expect((await put(resource, change)).status).toBe(400);
  });

  it('take any number, as the contract names no bounds', async () => {
    const change = { limit: 3e9, notificationThreshold: 12.5 };

    expect((await put('bot-1', change)).json).toMatchObject(change);
  });

  it('list limits only where the deployment can', async () => {
    const path = `/licensing/entitlements/${CURRENCY}/resourceThresholds`;

    expect((await call(admin, path)).status).toBe(404);
    expect((await call(await start({ thresholdList: true }), path)).json).toHaveLength(3);
  });
});
