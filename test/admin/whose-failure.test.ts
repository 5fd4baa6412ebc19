// Whose failure it is when the administrative interface answers with an error: an environment's, or the whole service's.
import { afterEach, describe, expect, it } from 'vitest';
import type { AdminClient } from '../../src/admin/admin-client.ts';
import { type Answer, type ScriptedAdmin, startScriptedAdmin } from './scripted-admin.ts';

const TOKEN = 'token';

const FAILING = Array.from({ length: 20 }, (_, index) => `failing-${index}`);

let admin: ScriptedAdmin;

afterEach(() => admin.close());

async function start(failure: Answer): Promise<AdminClient> {
  admin = await startScriptedAdmin(({ url, body }) => {
    const isFailing = url.includes('failing-') || JSON.stringify(body ?? {}).includes('failing-');
    return isFailing ? failure : { body: url.includes('/entitlements') ? [] : { currencyAllocations: [] } };
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

  it('are one where it is one environment alone, whatever it answers', async () => {
    const client = await start({ status: 502 });

    for (let count = 0; count < 20; count++) await client.readAllocation(TOKEN, 'failing-1').catch(() => undefined);

    await expect(client.readAllocation(TOKEN, 'fine')).resolves.toBeDefined();
  });
});
