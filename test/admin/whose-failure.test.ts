// Whose failure it is when the administrative interface answers with an error: an environment's, or the whole service's.
import { afterEach, describe, expect, it } from 'vitest';
import type { AdminClient } from '../../src/admin/admin-client.ts';
import { findClosedUrl } from '../http/loopback.ts';
import { type Answer, type ScriptedAdmin, startScriptedAdmin } from './scripted-admin.ts';

const TOKEN = 'token';

const FAILING = Array.from({ length: 20 }, (_, index) => `failing-${index}`);

let admin: ScriptedAdmin;

afterEach(() => admin.close());

async function start(failure: Answer): Promise<AdminClient> {
  admin = await startScriptedAdmin(({ url, body }) => {
    const isFailing = url.includes('failing-') || JSON.stringify(body ?? {}).includes('failing-');
    if (isFailing) return failure;
    if (url.includes('resourcequery')) return { body: { totalRecords: 0, data: [] } };
    return { body: url.includes('/entitlements') ? [] : { currencyAllocations: [] } };
  });
  return admin.client;
}

const toAllocation = (environmentId: string) => ({ environmentId, currencyAllocations: [], others: {} });

describe('environments that fail', () => {
  it.each<[string, (client: AdminClient, id: string) => Promise<unknown>, string]>([
    ['an allocation is read', (client, id) => client.readAllocation(TOKEN, id), 'admin_failed'],
    ['entitlements are read', (client, id) => client.readEntitlements(TOKEN, id), 'admin_failed'],
    [
      'an allocation is changed',
      (client, id) => client.updateAllocation(TOKEN, toAllocation(id)),
      'admin_outcome_unknown',
    ],
  ])('with 500 where %s stop none of the others', async (_, call, code) => {
    const client = await start({ status: 500 });

    const codes = await Promise.all(FAILING.map((id) => call(client, id).catch((error) => error.code)));

    expect(new Set(codes)).toEqual(new Set([code]));
    await expect(call(client, 'fine')).resolves.toBeDefined();
    expect(admin.seen).toHaveLength(FAILING.length + 1);
  });

  it.each<[string, Answer]>([
    ['502', { status: 502 }],
    ['a reset', 'reset'],
  ])('are a service that is down where they answer with %s, and most of what is asked does', async (_, failure) => {
    const client = await start(failure);
    for (const id of FAILING.slice(0, 12)) await client.readAllocation(TOKEN, id).catch(() => undefined);

    await expect(client.readAllocation(TOKEN, 'fine')).rejects.toMatchObject({
      code: 'admin_unreachable',
      retryAfterMs: expect.any(Number),
    });
  });

  it.each<[string, Answer]>([
    ['502', { status: 502, text: '<html>Bad Gateway</html>' }],
    ['503', { status: 503 }],
    ['a reset', 'reset'],
  ])('stop none of the others with %s where the whole tenant was served lately', async (_, failure) => {
    const client = await start(failure);
    await client.findEnvironments(TOKEN);

    const codes = await Promise.all(FAILING.map((id) => client.readAllocation(TOKEN, id).catch((error) => error.code)));

    expect(new Set(codes)).toEqual(new Set(['admin_unreachable']));
    await expect(client.readAllocation(TOKEN, 'fine')).resolves.toBeDefined();
  });

  it('are one where it is one environment alone, whatever it answers', async () => {
    const client = await start({ status: 502 });

    for (let count = 0; count < 20; count++) await client.readAllocation(TOKEN, 'failing-1').catch(() => undefined);

    await expect(client.readAllocation(TOKEN, 'fine')).resolves.toBeDefined();
  });
});

describe('an interface that is down for all is left in peace, and says so,', () => {
  const OPERATIONS: ((client: AdminClient, id: string) => Promise<unknown>)[] = [
    (client) => client.findEnvironments(TOKEN),
    (client) => client.readThresholds(TOKEN),
    (client, id) => client.readAllocation(TOKEN, id),
    (client, id) => client.readEntitlements(TOKEN, id),
  ];

  async function expectPeace(client: AdminClient): Promise<void> {
    for (const id of FAILING.slice(0, 2)) {
      for (const call of OPERATIONS) await call(client, id).catch(() => undefined);
    }
    for (const call of OPERATIONS) {
      await expect(call(client, 'fine')).rejects.toMatchObject({
        code: 'admin_unreachable',
        retryAfterMs: expect.any(Number),
      });
    }
  }

  it('where every operation answers with 503', async () => {
    let isDown = false;
    admin = await startScriptedAdmin(() => (isDown ? { status: 503 } : { body: { totalRecords: 0, data: [] } }));
    await admin.client.findEnvironments(TOKEN);
    isDown = true;

    await expectPeace(admin.client);
    const seenBefore = admin.seen.length;
    await OPERATIONS[0]?.(admin.client, 'fine').catch(() => undefined);

    expect(admin.seen).toHaveLength(seenBefore);
  });

  it('where it takes no connection', async () => {
    admin = await startScriptedAdmin(() => 'reset', { baseUrl: await findClosedUrl() });

    await expectPeace(admin.client);
  });
});
