import sinon from 'sinon';
import { describe, expect, it } from 'vitest';
import type { AdminSession } from '../../src/admin-api/admin-session.ts';
import { createHttpClient } from '../../src/http/http-client.ts';
import { findClosedUrl } from '../http/loopback.ts';
import { type Answer, startScriptedAdmin, TOKEN } from './scripted-admin.ts';

const CHANGE = {
  environmentId: 'env-1',
  agentResourceId: 'bot-1',
  limit: 1000,
  notifyIfOverCapacity: true,
  notificationThreshold: 80,
  stopIfOverCapacity: false,
  stopResource: false,
};

const API_VERSION = 'api-version=2024-10-01';

/** Of a search, as the contract shows it. */
const toQuery = (type: string, ...fields: string[]) => ({
  TableName: 'PlatformResources',
  Clauses: [
    { $type: 'where', FieldName: 'type', Operator: '==', Values: [`'vendor.${type}'`] },
    { $type: 'project', FieldList: ['name', ...fields.map((field) => `properties.${field}`)] },
  ],
});

describe('a search', () => {
  it('asks exactly what the contract shows: for agents and for environments', async () => {
    const { session, seen } = await startScriptedAdmin(() => ({ body: { data: [] } }));

    await session.findAgents();
    await session.findEnvironments();

    const request = { method: 'POST', url: `/resourcequery/resources/query?${API_VERSION}` };
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
    for (const one of seen) expect(one).toMatchObject({ ...request, headers });
    expect(seen.map(({ body }) => body)).toEqual([
      toQuery('agentstudio/agents', 'displayName', 'environmentId', 'ownerId', 'isCLIAgent'),
      toQuery('platform/environments', 'displayName', 'environmentId', 'ownerId'),
    ]);
  });

  it('is narrowed by environment, with quotes kept inside its literal', async () => {
    const { session, seen } = await startScriptedAdmin(() => ({ body: [] }));

    await session.findAgents({ environmentId: "' or 1 == 1 or '" });

    const where = { $type: 'where', Operator: '==' };
    expect(seen[0]?.body).toMatchObject({
      Clauses: [
        { ...where, FieldName: 'type', Values: ["'vendor.agentstudio/agents'"] },
        { ...where, FieldName: 'properties.environmentId', Values: ["''' or 1 == 1 or '''"] },
        { $type: 'project' },
      ],
    });
  });

  const A = { name: 'a', displayName: 'A', environmentId: 'e', ownerId: undefined, agentResourceId: 'a' };
  it.each([
    [
      { data: [{ name: 'a', properties: { displayName: 'A', environmentId: 'e', isCLIAgent: true, botId: 'b' } }] },
      { ...A, agentResourceId: 'b', isHarness: true },
    ],
    [
      {
        value: [
          { name: 'a', properties_displayName: 'A', properties_environmentId: 'e', properties_isCLIAgent: 'false' },
        ],
      },
      { ...A, isHarness: false },
    ],
    [[{ name: 'a', 'properties.displayName': 'A', 'properties.environmentId': 'e' }], { ...A, isHarness: 'unknown' }],
  ])('reads nested and flat rows, in all three wrappings: %j', async (body, row) => {
    const { session } = await startScriptedAdmin(() => ({ body }), { agentIdProperty: 'botId' });

    expect(await session.findAgents()).toEqual({ rows: [row], truncated: false });
  });

  it('takes the id that thresholds go by from where that is configured, whatever else comes', async () => {
    const body = [{ name: 'a', properties: { botId: 'bot', resourceKey: 'key', ownerId: 'o' } }];
    const { session, seen } = await startScriptedAdmin(() => ({ body }), { agentIdProperty: 'resourceKey' });

    const { rows } = await session.findAgents();

    expect(JSON.stringify(seen[0]?.body)).toContain('"properties.resourceKey"');
    expect(rows).toMatchObject([{ agentResourceId: 'key', ownerId: 'o' }]);
  });

  it('leaves out a row whose id cannot be used, and says that something is missing', async () => {
    const body = [{ name: 'fine' }, { name: '..' }, { name: 'a\u0000b' }, {}];
    const { session } = await startScriptedAdmin(() => ({ body }));

    expect(await session.findAgents()).toMatchObject({ rows: [{ name: 'fine' }], truncated: true });
  });

  it('names environments', async () => {
    const body = { value: [{ name: 'env-1', properties: { displayName: "Ana's", ownerId: 'owner-1' } }] };
    const { session } = await startScriptedAdmin(() => ({ body }));

    const environment = { name: 'env-1', displayName: "Ana's", ownerId: 'owner-1' };
    expect(await session.findEnvironments()).toEqual({ rows: [environment], truncated: false });
  });
});

describe('entitlements', () => {
  it('reads consumption, capacity and time as far as they are told', async () => {
    const entitlement = {
      capacity: {
        allocated: { value: 500 },
        consumed: { value: '42.5', consumptionType: 'MonthToDate', lastUpdatedOn: '2026-03-04T05:06:07Z' },
      },
      payGo: { consumed: { value: 7 } },
    };
    const body = [{ entitlementId: 'ServiceMessages', entitlement }, { entitlementId: 'Other' }];
    const { session, seen } = await startScriptedAdmin(() => ({ body }));

    const found = await session.readEntitlements("a/b'c");

    expect(seen[0]?.url).toBe('/licensing/environments/a%2Fb%27c/entitlements?api-version=2024-10-01');
    const asOf = Date.parse('2026-03-04T05:06:07Z');
    expect(found[0]).toEqual({
      entitlementId: 'ServiceMessages',
      consumed: 42.5,
      consumptionType: 'MonthToDate',
      capacity: 500,
      payGoConsumed: 7,
      asOf,
    });
    expect(found[1]).toMatchObject({ entitlementId: 'Other', consumed: undefined, asOf: undefined });
  });

  it('reads 204 as none', async () => {
    const { session } = await startScriptedAdmin(() => ({ status: 204 }));

    await expect(session.readEntitlements('env-1')).resolves.toEqual([]);
  });
});

describe('thresholds', () => {
  const IDS = { environmentId: 'E', resourceId: 'R' };
  const CLEARED = { notifyIfOverCapacity: false, notificationThreshold: 0, stopIfOverCapacity: false };

  it('are read where the deployment offers it', async () => {
    const body = [
      { ...IDS, limit: 10.5, stopResource: true, resourceConsumption: 3 },
      { environmentId: 'no agent', limit: 1 },
    ];
    const { session, seen } = await startScriptedAdmin(() => ({ body }));

    expect(await session.readThresholds()).toEqual([
      { ...IDS, ...CLEARED, limit: 10.5, stopResource: true, consumption: 3 },
    ]);
    expect(seen[0]?.url).toBe(`/licensing/entitlements/ServiceMessages/resourceThresholds?${API_VERSION}`);
  });

  it.each([
    [
      { limit: 'a lot', stopResource: true },
      { limit: undefined, stopResource: true },
    ],
    [
      { limit: -1, notificationThreshold: 'most', stopIfOverCapacity: 'Enabled', notifyIfOverCapacity: null },
      {
        ...{ limit: undefined, notifyIfOverCapacity: false, notificationThreshold: 'unknown' },
        ...{ stopIfOverCapacity: 'unknown', stopResource: 'unknown' },
      },
    ],
  ])('are unknown where they do not tell, cleared where they are not there: %j', async (row, threshold) => {
    const { session } = await startScriptedAdmin(() => ({ body: [{ ...IDS, ...row }] }));

    expect(await session.readThresholds()).toMatchObject([{ resourceId: 'R', ...threshold }]);
  });

  it.each([
    { value: [{ resourceId: 'no environment', limit: 1 }] },
    { totalRecords: 1 },
    { nextLink: 'https://x' },
    { '@odata.nextLink': 'https://x' },
    { skipToken: 't' },
    { resultTruncated: 1 },
  ])('are unreadable where only a part of them came: %o', async (rest) => {
    const { session } = await startScriptedAdmin(() => ({ body: { value: [], ...rest } }));

    await expect(session.readThresholds()).rejects.toMatchObject({ code: 'admin_unreadable' });
  });

  it.each([404, 405, 501])(
    'are not offered where the deployment answers %i, which is remembered for five minutes',
    async (status) => {
      let now = 1_000_000;
      const { session, seen } = await startScriptedAdmin(() => ({ status }), { now: () => now });

      const first = await session.readThresholds();
      now += 4 * 60_000;
      const second = await session.readThresholds();
      const seenMeanwhile = seen.length;
      now += 2 * 60_000;
      await session.readThresholds();

      expect([first, second]).toEqual(['not_offered', 'not_offered']);
      expect(seenMeanwhile).toBe(1);
      expect(seen).toHaveLength(2);
    },
  );

  it('were offered a moment ago: a 404 after that is a trouble of the service, not the end of limits', async () => {
    let status = 200;
    const { session, seen } = await startScriptedAdmin(() => ({ status, body: [] }));

    await session.readThresholds();
    status = 404;
    const missing = session.readThresholds();
    await expect(missing).rejects.toMatchObject({ code: 'admin_unreachable', trace: { status: 404 } });
    status = 200;

    expect(await session.readThresholds()).toEqual([]);
    expect(seen).toHaveLength(3);
  });

  it('of another currency are asked for by its name, and do not count for those of the configured one', async () => {
    const { session, seen } = await startScriptedAdmin(({ method, url }) =>
      method === 'GET' && url.includes('/A%2FI/') ? { status: 404 } : { body: [] },
    );

    const other = await session.readThresholds('A/I');
    const usual = await session.readThresholds();
    await session.putThreshold({ ...CHANGE, currencyType: 'A/I' });

    expect([other, usual]).toEqual(['not_offered', []]);
    expect(seen.map(({ url }) => url.split('?')[0])).toEqual([
      '/licensing/entitlements/A%2FI/resourceThresholds',
      '/licensing/entitlements/ServiceMessages/resourceThresholds',
      '/licensing/environments/env-1/entitlements/A%2FI/resources/bot-1/threshold',
    ]);
    expect(seen[2]?.body).not.toHaveProperty('currencyType');
  });

  it('are not taken for missing where the account may not read them', async () => {
    const { session } = await startScriptedAdmin(() => ({ status: 403 }));

    await expect(session.readThresholds()).rejects.toMatchObject({ code: 'admin_forbidden' });
  });
});

describe('setting a threshold', () => {
  it('sends exactly the five fields to the encoded path', async () => {
    const { session, seen } = await startScriptedAdmin(() => ({ status: 204 }));
    const surplus = { ...CHANGE, environmentId: "Default-'x'", agentResourceId: 'a/../b?c', extra: 'not sent' };

    await session.putThreshold(surplus);

    expect(seen).toHaveLength(1);
    expect(seen[0]?.method).toBe('PUT');
    expect(seen[0]?.url).toBe(
      '/licensing/environments/Default-%27x%27/entitlements/ServiceMessages/resources/a%2F..%2Fb%3Fc/threshold?api-version=2024-10-01',
    );
    expect(seen[0]?.body).toEqual({
      stopResource: false,
      limit: 1000,
      stopIfOverCapacity: false,
      notifyIfOverCapacity: true,
      notificationThreshold: 80,
    });
  });

  it.each(['', '.', '..'])('sends nothing for the id "%s", which would be another address', async (agentResourceId) => {
    const { session, seen } = await startScriptedAdmin(() => ({}));

    const setting = session.putThreshold({ ...CHANGE, agentResourceId });

    await expect(setting).rejects.toMatchObject({ code: 'admin_rejected' });
    expect(seen).toHaveLength(0);
  });

  it('is tried again where it was provably not sent, then given up as not sent', async () => {
    const real = createHttpClient();
    const send = sinon.spy(real.send);
    const { session } = await startScriptedAdmin(() => ({}), {
      http: { ...real, send },
      baseUrl: await findClosedUrl(),
    });

    const setting = session.putThreshold(CHANGE);

    await expect(setting).rejects.toMatchObject({ code: 'admin_unreachable' });
    expect(send.callCount).toBe(3);
    await real.close();
  });
});

const WRITES: [string, (session: AdminSession) => Promise<unknown>][] = [
  ['a threshold', (session) => session.putThreshold(CHANGE)],
  ['an allocation', (session) => session.updateAllocation({ environmentId: 'env-1', currencyAllocations: [] })],
];

describe.each(WRITES)('a write of %s', (_name, write) => {
  it.each<[string, string, Answer]>([
    ['500', 'admin_outcome_unknown', { status: 500 }],
    ['502', 'admin_outcome_unknown', { status: 502, text: '<html>' }],
    ['503', 'admin_outcome_unknown', { status: 503, headers: { 'retry-after': '1' } }],
    ['504', 'admin_outcome_unknown', { status: 504 }],
    ['408', 'admin_outcome_unknown', { status: 408 }],
    ['a reset', 'admin_outcome_unknown', 'reset'],
    ['silence', 'admin_outcome_unknown', 'silence'],
    ['429', 'admin_throttled', { status: 429, headers: { 'retry-after': '1' } }],
    ['401', 'admin_unauthorized', { status: 401 }],
    ['403', 'admin_forbidden', { status: 403 }],
    ['404', 'admin_not_found', { status: 404 }],
    ['405', 'admin_not_offered', { status: 405 }],
    ['a policy', 'admin_locked_by_policy', { status: 400, body: { error: { code: 'TenantPoolLockedByPolicy' } } }],
    ['400', 'admin_rejected', { status: 400 }],
    ['a redirect', 'admin_rejected', { status: 302, headers: { location: '/elsewhere' } }],
  ])('is sent once and ends with %s as %s', async (_, code, answer) => {
    const timeoutMs = answer === 'silence' ? 300 : 30_000;
    const { session, seen } = await startScriptedAdmin(() => answer, { timeoutMs });

    const trace = typeof answer === 'object' ? { status: answer.status } : undefined;
    await expect(write(session)).rejects.toMatchObject({ code, trace });
    expect(seen).toHaveLength(1);
  });
});
