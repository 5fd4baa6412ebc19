import { describe, expect, it } from 'vitest';
import { ADMIN_SCOPE, ASSISTANT_SCOPE } from '../loopback/scopes.ts';
import { ALLOCATIONS, call, start } from './calling.ts';
import { SEED_ENVIRONMENTS } from './seeds.ts';

const [PRODUCTION = '', MAKERS = ''] = SEED_ENVIRONMENTS.map(({ name }) => name);
const PATH = `${ALLOCATIONS}/${PRODUCTION}`;

describe('the front door', () => {
  it('demands the api version, the exact path and method; each answer has an id', async () => {
    const admin = await start();

    const told = [
      await call(admin, PATH, { version: '' }),
      await call(admin, PATH, { version: '?api-version=2022-03-01' }),
      await call(admin, '/licensing/allocationsByEnvironments'),
      await call(admin, PATH, { method: 'PUT', body: {} }),
      await call(admin, PATH),
    ];

    expect(told.map(({ status }) => status)).toEqual([400, 400, 404, 405, 200]);
    const ids = told.map(({ headers }) => headers.get('request-id'));
    expect(new Set(ids).size).toBe(5);
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
      ['nobody', 'audience', 'person', 'app', 'admin'].map((token) => call(admin, PATH, { token })),
    );

    expect(told.map(({ status }) => status)).toEqual([401, 401, 403, 403, 200]);
    expect(told[0]?.headers.get('www-authenticate')).toContain('invalid_token');
  });
});

describe('its faults', () => {
  it('come once each, and say when to come again in seconds or as a date', async () => {
    const admin = await start();
    admin.faults.next('429-seconds', { retryAfterS: 2 });
    admin.faults.next('429-date', { retryAfterS: 2 });

    const before = Date.now();
    const told = [await call(admin, PATH), await call(admin, PATH), await call(admin, PATH)];

    expect(told.map(({ status }) => status)).toEqual([429, 429, 200]);
    expect(told[0]?.headers.get('retry-after')).toBe('2');
    const date = told[1]?.headers.get('retry-after') ?? '';
    expect(date).toMatch(/ GMT$/);
    expect(Date.parse(date)).toBeGreaterThan(before + 1000);
    expect(Date.parse(date)).toBeLessThanOrEqual(Date.now() + 3000);
  });

  it('meet every operation about an environment that fails, until it is mended, and no other', async () => {
    const admin = await start();
    const before = structuredClone(admin.state.allocations.get(PRODUCTION));
    admin.failing.set(PRODUCTION, '500');

    const statuses = [
      (await call(admin, PATH)).status,
      (await call(admin, `/licensing/environments/${PRODUCTION}/entitlements`)).status,
      (await call(admin, ALLOCATIONS, { method: 'PATCH', body: before })).status,
      (await call(admin, `${ALLOCATIONS}/${MAKERS}`)).status,
    ];
    admin.failing.delete(PRODUCTION);

    expect(statuses).toEqual([500, 500, 500, 200]);
    expect((await call(admin, PATH)).status).toBe(200);
    expect(admin.state.allocations.get(PRODUCTION)).toEqual(before);
  });
});
