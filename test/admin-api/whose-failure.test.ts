// Whose failure it is when the administrative interface answers with an error: an environment's, or the whole service's.
import { describe, expect, it } from 'vitest';
import type { AdminSession } from '../../src/admin-api/admin-session.ts';
import { findClosedUrl } from '../http/loopback.ts';
import { type Answer, type ScriptedAdmin, startScriptedAdmin } from './scripted-admin.ts';

const FAILING = Array.from({ length: 20 }, (_, index) => `failing-${index}`);

let admin: ScriptedAdmin;

async function start(failure: Answer): Promise<AdminSession> {
  admin = await startScriptedAdmin(({ url, body }) => {
    const isFailing = url.includes('failing-') || JSON.stringify(body ?? {}).includes('failing-');
    if (isFailing) return failure;
    if (url.includes('resourcequery')) return { body: { totalRecords: 0, data: [] } };
    return { body: url.includes('/entitlements') ? [] : { currencyAllocations: [] } };
  });
  return admin.session;
}

const toAllocation = (environmentId: string) => ({ environmentId, currencyAllocations: [] });

describe('environments that fail', () => {
  it.each<[string, (session: AdminSession, id: string) => Promise<unknown>, string]>([
    ['an allocation is read', (session, id) => session.readAllocation(id), 'admin_failed'],
    ['entitlements are read', (session, id) => session.readEntitlements(id), 'admin_failed'],
    ['an allocation is changed', (session, id) => session.updateAllocation(toAllocation(id)), 'admin_outcome_unknown'],
  ])('with 500 where %s stop none of the others', async (_, call, code) => {
    const session = await start({ status: 500 });

    const codes = await Promise.all(FAILING.map((id) => call(session, id).catch((error) => error.code)));

    expect(new Set(codes)).toEqual(new Set([code]));
    await expect(call(session, 'fine')).resolves.toBeDefined();
    expect(admin.seen).toHaveLength(FAILING.length + 1);
  });

  it.each<[string, Answer]>([
    ['502', { status: 502 }],
    ['a reset', 'reset'],
  ])('are a service that is down where they answer with %s, and most of what is asked does', async (_, failure) => {
    const session = await start(failure);
    for (const id of FAILING.slice(0, 12)) await session.readAllocation(id).catch(() => undefined);

    await expect(session.readAllocation('fine')).rejects.toMatchObject({
      code: 'admin_unreachable',
      retryAfterMs: expect.any(Number),
    });
  });

  it.each<[string, Answer]>([
    ['502', { status: 502, text: '<html>Bad Gateway</html>' }],
    ['503', { status: 503 }],
    ['a reset', 'reset'],
  ])('stop none of the others with %s where the whole tenant was served lately', async (_, failure) => {
    const session = await start(failure);
    await session.findEnvironments();

    const codes = await Promise.all(FAILING.map((id) => session.readAllocation(id).catch((error) => error.code)));

    expect(new Set(codes)).toEqual(new Set(['admin_unreachable']));
    await expect(session.readAllocation('fine')).resolves.toBeDefined();
  });

  it('are one where it is one environment alone, whatever it answers', async () => {
    const session = await start({ status: 502 });

    for (let count = 0; count < 20; count++) await session.readAllocation('failing-1').catch(() => undefined);

    await expect(session.readAllocation('fine')).resolves.toBeDefined();
  });
});

describe('an interface that is down for all is left in peace, and says so,', () => {
  const OPERATIONS: ((session: AdminSession, id: string) => Promise<unknown>)[] = [
    (session) => session.findEnvironments(),
    (session) => session.readThresholds(),
    (session, id) => session.readAllocation(id),
    (session, id) => session.readEntitlements(id),
  ];

  async function expectPeace(session: AdminSession): Promise<void> {
    for (const id of FAILING.slice(0, 2)) {
      for (const call of OPERATIONS) await call(session, id).catch(() => undefined);
    }
    // Where a pause ends meanwhile, on a slow machine, one call asks the service again, and the next is told to wait.
    const isTold = (call: (typeof OPERATIONS)[number]) =>
      expect(call(session, 'fine')).rejects.toMatchObject({
        code: 'admin_unreachable',
        retryAfterMs: expect.any(Number),
      });
    for (const call of OPERATIONS) await isTold(call).catch(() => isTold(call));
  }

  it('where every operation answers with 503', async () => {
    let isDown = false;
    admin = await startScriptedAdmin(() => (isDown ? { status: 503 } : { body: { totalRecords: 0, data: [] } }));
    await admin.session.findEnvironments();
    isDown = true;

    await expectPeace(admin.session);
    const seenBefore = admin.seen.length;
    await OPERATIONS[0]?.(admin.session, 'fine').catch(() => undefined);

    expect(admin.seen).toHaveLength(seenBefore);
  });

  it('where it takes no connection', async () => {
    admin = await startScriptedAdmin(() => 'reset', { baseUrl: await findClosedUrl() });

    await expectPeace(admin.session);
  });
});
