import { afterEach, describe, expect, it } from 'vitest';
import type { AdminClientOptions } from '../../src/admin-api/admin-client.ts';
import { type Answer, type ScriptedAdmin, startScriptedAdmin } from './scripted-admin.ts';

let admin: ScriptedAdmin | undefined;

async function start(answer: () => Answer, options?: Partial<AdminClientOptions>) {
  admin = await startScriptedAdmin(answer, options);
  return admin;
}

afterEach(async () => {
  await admin?.close();
  admin = undefined;
});

describe('finding agents', () => {
  it.each(['botId', 'resourceKey'])(
    'takes the id that thresholds go by from %s where that is configured',
    async (name) => {
      const body = [{ name: 'a', properties: { botId: 'bot', resourceKey: 'key', [name]: 'configured' } }];
      const { session, seen } = await start(() => ({ body }), { agentIdProperty: name });

      const { rows } = await session.findAgents();

      expect(JSON.stringify(seen[0]?.body)).toContain(`"properties.${name}"`);
      expect(rows[0]?.agentResourceId).toBe('configured');
    },
  );

  it('takes the name for the id that thresholds go by, whatever else comes, where nothing is configured', async () => {
    const { session, seen } = await start(() => ({ body: [{ name: 'a', properties: { botId: 'bot' } }] }));

    const { rows } = await session.findAgents();

    expect(JSON.stringify(seen[0]?.body)).not.toContain('botId');
    expect(rows[0]?.agentResourceId).toBe('a');
  });
});
