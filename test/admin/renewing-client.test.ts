import { afterEach, describe, expect, it } from 'vitest';
import type { AdminClient } from '../../src/admin/admin-client.ts';
import { createRenewingClient } from '../../src/admin/renewing-client.ts';
import { TransientError, UserError } from '../../src/errors.ts';
import { type Answer, type ScriptedAdmin, startScriptedAdmin } from './scripted-admin.ts';

class EndedError extends UserError {}
class DownError extends TransientError {}

const CHANGE = {
  ...{ environmentId: 'env-1', agentResourceId: 'bot-1', limit: 10, notificationThreshold: 80 },
  ...{ stopResource: false, stopIfOverCapacity: false, notifyIfOverCapacity: true },
};

const ALLOCATION = { environmentId: 'env-1', currencyAllocations: [], others: {} };

let admin: ScriptedAdmin;

afterEach(() => admin.close());

/** An interface that takes one token alone. */
async function start(good: string, renew: (rejected: string) => Promise<string>) {
  const answer = ({ headers }: { headers: { authorization?: string } }): Answer =>
    headers.authorization === `Bearer ${good}` ? { body: [] } : { status: 401 };
  admin = await startScriptedAdmin(answer);
  return createRenewingClient(admin.client, renew);
}

const tokens = () => admin.seen.map(({ headers }) => headers.authorization);

describe('a refused token', () => {
  it('is renewed once, and the new one used from then on', async () => {
    const rejected: string[] = [];
    const client = await start('new', async (token) => {
      rejected.push(token);
      return 'new';
    });

    await client.putThreshold('old', CHANGE);
    await client.readThresholds('old');

    expect(rejected).toEqual(['old']);
    expect(tokens()).toEqual(['Bearer old', 'Bearer new', 'Bearer new']);
  });

  it.each<[string, (client: AdminClient) => Promise<unknown>]>([
    ['agents', (client) => client.findAgents('old')],
    ['environments', (client) => client.findEnvironments('old')],
    ['an allocation', (client) => client.readAllocation('old', 'env-1').catch(() => undefined)],
    ['an update', (client) => client.updateAllocation('old', ALLOCATION)],
    ['entitlements', (client) => client.readEntitlements('old', 'env-1')],
    ['thresholds', (client) => client.readThresholds('old')],
    ['a threshold', (client) => client.putThreshold('old', CHANGE)],
  ])('is renewed for every operation: %s', async (_, run) => {
    const client = await start('new', async () => 'new');

    await run(client);

    expect(tokens()).toEqual(['Bearer old', 'Bearer new']);
  });

  it('that is refused again after that is an end', async () => {
    const client = await start('none', async () => 'new');

    await expect(client.readEntitlements('old', 'env-1')).rejects.toMatchObject({ code: 'admin_unauthorized' });

    expect(tokens()).toEqual(['Bearer old', 'Bearer new']);
  });

  it.each([
    ['has ended', new EndedError('ended', 'ended'), 'admin_unauthorized'],
    ['cannot be renewed now', new DownError('down', 'down'), 'admin_unreachable'],
  ])('whose authorization %s leaves no write in doubt', async (_, error, code) => {
    const client = await start('none', () => Promise.reject(error));

    await expect(client.putThreshold('old', CHANGE)).rejects.toMatchObject({ code });

    expect(tokens()).toEqual(['Bearer old']);
  });
});
