import { afterEach, describe, expect, it } from 'vitest';
import { type Answer, type ScriptedAdmin, type SeenRequest, startScriptedAdmin } from './scripted-admin.ts';

const CHANGE = {
  environmentId: 'env-1',
  agentResourceId: 'bot-1',
  limit: 82.5,
  notifyIfOverCapacity: true,
  notificationThreshold: 12.5,
  stopIfOverCapacity: false,
  stopResource: false,
};

let admin: ScriptedAdmin | undefined;

async function start(answer: (request: SeenRequest) => Answer) {
  admin = await startScriptedAdmin(answer);
  return admin;
}

afterEach(async () => {
  await admin?.close();
  admin = undefined;
});

describe('the thresholds of another currency', () => {
  it('are asked for by its name, and do not count for those of the configured one', async () => {
    const { session, seen } = await start(({ method, url }) =>
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
});

describe('a write that failed', () => {
  it.each([500, 503])('carries the status of its answer (%i)', async (status) => {
    const { session } = await start(() => ({ status }));

    await expect(session.putThreshold(CHANGE)).rejects.toMatchObject({ trace: { status } });
  });
});
