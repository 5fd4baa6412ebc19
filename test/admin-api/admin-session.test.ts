import { describe, expect, it } from 'vitest';
import type { AdminSession } from '../../src/admin-api/admin-session.ts';
import { TransientError, UserError } from '../../src/errors.ts';
import { type Answer, type ScriptedAdmin, startScriptedAdmin } from './scripted-admin.ts';

class EndedError extends UserError {}
class DownError extends TransientError {}

const CHANGE = {
  ...{ environmentId: 'env-1', agentResourceId: 'bot-1', limit: 10, notificationThreshold: 80 },
  ...{ stopResource: false, stopIfOverCapacity: false, notifyIfOverCapacity: true },
};

const ALLOCATION = { environmentId: 'env-1', currencyAllocations: [] };

let admin: ScriptedAdmin;

/** An interface that takes one token alone. */
async function start(good: string, renew: (rejected: string) => Promise<string>) {
  const answer = ({ headers }: { headers: { authorization?: string } }): Answer =>
    headers.authorization === `Bearer ${good}` ? { body: [] } : { status: 401 };
  admin = await startScriptedAdmin(answer);
  return admin.client.openSession({ token: 'old', renew });
}

const tokens = () => admin.seen.map(({ headers }) => headers.authorization);

describe('a refused token', () => {
  it('is renewed once, and the new one used from then on', async () => {
    const rejected: string[] = [];
    const session = await start('new', async (token) => {
      rejected.push(token);
      return 'new';
    });

    await session.putThreshold(CHANGE);
    await session.readThresholds();

    expect(rejected).toEqual(['old']);
    expect(tokens()).toEqual(['Bearer old', 'Bearer new', 'Bearer new']);
  });

  it.each<[string, (session: AdminSession) => Promise<unknown>]>([
    ['agents', (session) => session.findAgents()],
    ['environments', (session) => session.findEnvironments()],
    ['an allocation', (session) => session.readAllocation('env-1').catch(() => undefined)],
    ['an update', (session) => session.updateAllocation(ALLOCATION)],
    ['entitlements', (session) => session.readEntitlements('env-1')],
    ['thresholds', (session) => session.readThresholds()],
    ['a threshold', (session) => session.putThreshold(CHANGE)],
  ])('is renewed for every operation: %s', async (_, run) => {
    const session = await start('new', async () => 'new');

    await run(session);

    expect(tokens()).toEqual(['Bearer old', 'Bearer new']);
  });

  it('that is refused again after that is an end', async () => {
    const session = await start('none', async () => 'new');

    await expect(session.readEntitlements('env-1')).rejects.toMatchObject({ code: 'admin_unauthorized' });

    expect(tokens()).toEqual(['Bearer old', 'Bearer new']);
  });

  it.each([
    ['has ended', new EndedError('ended', 'ended'), 'admin_unauthorized'],
    ['cannot be renewed now', new DownError('down', 'down'), 'admin_unreachable'],
  ])('whose authorization %s leaves no write in doubt', async (_, error, code) => {
    const session = await start('none', () => Promise.reject(error));

    await expect(session.putThreshold(CHANGE)).rejects.toMatchObject({ code });

    expect(tokens()).toEqual(['Bearer old']);
  });
});
