import { afterEach, describe, expect, it } from 'vitest';
import { ADMIN_SCOPE, ASSISTANT_SCOPE } from '../loopback/scopes.ts';
import { agents, call, closeAll, query, start } from './calling.ts';
import type { AdminFault } from './faults.ts';
import { CURRENCY, toThresholdKey } from './model.ts';
import { SEED_ENVIRONMENTS } from './seeds.ts';

const PRODUCTION = SEED_ENVIRONMENTS[0]?.name ?? '';

afterEach(closeAll);

describe('the front door', () => {
  it('demands the api version, the exact path and method', async () => {
    const admin = await start();
    const path = `/licensing/allocationsByEnvironment/${PRODUCTION}`;

    const statuses = [
      (await call(admin, path, { version: '' })).status,
      (await call(admin, path, { version: '?api-version=2022-03-01' })).status,
      (await call(admin, '/licensing/allocationsByEnvironments')).status,
      (await call(admin, path, { method: 'PUT', body: {} })).status,
      (await call(admin, path)).status,
    ];

    expect(statuses).toEqual([400, 400, 404, 405, 200]);
  });

  it('gives each request an id, that of a refusal included', async () => {
    const admin = await start();
    const paths = [`/licensing/allocationsByEnvironment/${PRODUCTION}`, '/licensing/allocationsByEnvironment/nowhere'];

    const told = await Promise.all(paths.map((path) => call(admin, path)));

    const ids = told.map(({ headers }) => headers.get('request-id'));
    expect(told.map(({ status }) => status)).toEqual([200, 404]);
    expect(new Set(ids).size).toBe(2);
    expect(ids).not.toContain(null);
  });

  it('lets in a signed-in administrator only', async () => {
    const holders: Record<string, { scope: string; roles?: string[]; isAppOnly?: boolean }> = {
      audience: { scope: ASSISTANT_SCOPE, roles: ['admin'] },
      person: { scope: ADMIN_SCOPE },
      app: { scope: ADMIN_SCOPE, roles: ['admin'], isAppOnly: true },
      admin: { scope: ADMIN_SCOPE, roles: ['admin'] },
    };
    const admin = await start({
      verifyToken: (token) => (holders[token] ? { subject: token, name: token, ...holders[token] } : undefined),
    });

    const told = await Promise.all(
      ['nobody', 'audience', 'person', 'app', 'admin'].map((token) =>
        call(admin, `/licensing/allocationsByEnvironment/${PRODUCTION}`, { token }),
      ),
    );

    expect(told.map(({ status }) => status)).toEqual([401, 401, 403, 403, 200]);
    expect(told[0]?.headers.get('www-authenticate')).toContain('invalid_token');
  });
});

describe('its faults', () => {
  const path = `/licensing/allocationsByEnvironment/${PRODUCTION}`;

  it.each([
    ['400', 400],
    ['403', 403],
    ['404', 404],
    ['429-seconds', 429],
    ['429-date', 429],
    ['500', 500],
    ['503', 503],
    ['html', 502],
  ] as const)('%s comes once', async (fault, status) => {
    const admin = await start();
    admin.faults.next(fault, { retryAfterS: 2 });

    const told = await call(admin, path);
    const next = await call(admin, path);

    expect([told.status, next.status]).toEqual([status, 200]);
    if (status === 429) expect(told.headers.get('retry-after')).toMatch(fault === '429-date' ? / GMT$/ : /^2$/);
  });

  it('break the answer or the connection', async () => {
    const admin = await start();
    const told: unknown[] = [];
    for (const fault of ['not-json', 'reset'] satisfies AdminFault[]) {
      admin.faults.next(fault);
      told.push(
        await call(admin, path).then(
          ({ json }) => json,
          () => 'reset',
        ),
      );
    }

    expect(told).toEqual([{}, 'reset']);
  });

  it('lose the answer of a write that was carried out', async () => {
    const admin = await start();
    admin.faults.next('lost-500', { on: 'write-threshold' });
    const target = `/licensing/environments/${PRODUCTION}/entitlements/${CURRENCY}/resources/bot-1/threshold`;

    const told = await call(admin, target, { method: 'PUT', body: { limit: 9 } });

    expect(told.status).toBe(500);
    expect(admin.state.thresholds.get(toThresholdKey(PRODUCTION, 'bot-1'))?.limit).toBe(9);
  });

  it('break an inventory off half-way', async () => {
    const admin = await start();
    admin.faults.next('truncated', { times: 2 });

    const first = await query(admin, [agents]);
    const second = await query(admin, [agents], { Skip: 3 });

    expect(first.json).toMatchObject({ totalRecords: 6, count: 3, resultTruncated: 1 });
    expect(second.json).toMatchObject({ count: 0, resultTruncated: 1, data: [] });
  });
});

describe('an environment that fails', () => {
  it('fails in every operation about it, until it is mended, and the others do not', async () => {
    const admin = await start();
    const [production = '', makers = ''] = SEED_ENVIRONMENTS.map(({ name }) => name);
    const before = structuredClone(admin.state.allocations.get(production));
    const read = (id: string) => call(admin, `/licensing/allocationsByEnvironment/${id}`);
    admin.failing.set(production, '500');

    const statuses = [
      (await read(production)).status,
      (await call(admin, `/licensing/environments/${production}/entitlements`)).status,
      (await call(admin, '/licensing/allocationsByEnvironment', { method: 'PATCH', body: before })).status,
      (await read(makers)).status,
      (await query(admin, [agents])).status,
    ];
    admin.failing.delete(production);

    expect(statuses).toEqual([500, 500, 500, 200, 200]);
    expect((await read(production)).status).toBe(200);
    expect(admin.state.allocations.get(production)).toEqual(before);
  });
});
