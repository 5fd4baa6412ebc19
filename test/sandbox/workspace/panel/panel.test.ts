import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ask, create } from '../../assistant/asking.ts';
import { type LoopbackServer, startLoopbackServer } from '../../loopback/loopback-server.ts';
import { type Sandbox, startSandbox } from '../../sandbox.ts';
import type { AppControl } from './controls.ts';
import { createPanel, type PanelState } from './create-panel.ts';

/** Stands for the process of the app. */
function createApp(): AppControl {
  const app = {
    state: 'running' as AppControl['state'],
    pid: 7,
    async kill() {
      app.state = 'stopped';
    },
    async start() {
      app.state = 'running';
    },
  };
  return app;
}

describe('the control panel', () => {
  let world: Sandbox;
  let app: AppControl;
  let server: LoopbackServer;

  beforeEach(async () => {
    // The assistant is asked directly here, with the plain tokens of a stand-in that has no identity provider.
    world = await startSandbox({ assistant: { verifyToken: readPlainToken } });
    app = createApp();
    const panel = createPanel(world, app);
    server = await startLoopbackServer(panel.handle);
  });
  afterEach(async () => {
    await Promise.all([world.close(), server.close()]);
  });

  const read = async <T>(path: string) => (await (await fetch(`${server.url}/panel/${path}`)).json()) as T;
  const readState = () => read<PanelState>('state');
  const readControl = async (id: string) => (await readState()).controls.find((control) => control.id === id);
  const press = async (control: string, contentType = 'application/json') => {
    const headers = { 'content-type': contentType };
    const body = JSON.stringify({ control });
    const response = await fetch(`${server.url}/panel/press`, { method: 'POST', headers, body });
    return { status: response.status, ...((await response.json()) as { told?: string; error?: string }) };
  };

  it('lists what reached the four services, the newest first, with its body', async () => {
    const id = await create(world.assistant);
    await ask(world.assistant, id, 'What is new?');
    await fetch(`${world.slack.apiUrl}auth.test`, { headers: { authorization: `Bearer ${world.slack.botToken}` } });
    await fetch(`${world.admin.url}/nowhere?api-version=1`);

    const { traffic } = await readState();
    const shown = traffic.map(({ party, method, path, status }) => `${party} ${method} ${path} ${status}`);
    expect(shown.toSorted()).toEqual([
      'admin GET /nowhere?api-version=1 404',
      'assistant POST /rest/conversations 201',
      `assistant POST /rest/conversations/${id}/chat 200`,
      'slack POST /api/auth.test 200',
    ]);
    expect(traffic.map(({ at }) => at)).toEqual(traffic.map(({ at }) => at).toSorted((a, b) => b - a));
    const chat = traffic.find(({ path }) => path.endsWith('/chat'));
    expect(chat?.ms).toBeGreaterThanOrEqual(0);
    expect(await read(`exchanges/${chat?.id}`)).toMatchObject({
      request: { message: { text: 'What is new?' } },
      response: { messages: expect.anything(), turnCount: 1 },
    });
    expect(await read('exchanges/assistant-99')).toEqual({ error: 'There is no such exchange.' });
  });

  it('shows a token request with its status, and no secret of it', async () => {
    const { identityProvider } = world;
    const form = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'very-secret', scope: 'openid' });
    await fetch(`${identityProvider.url}/${identityProvider.tenant}/oauth2/v2.0/token`, { method: 'POST', body: form });

    const exchange = (await readState()).traffic.find(({ party }) => party === 'identity');
    expect(exchange).toMatchObject({ method: 'POST', status: 400, path: expect.stringMatching(/\/token$/) });
    const bodies = JSON.stringify(await read(`exchanges/${exchange?.id}`));
    expect(bodies).toContain('refresh_token');
    expect(bodies).not.toContain('very-secret');
  });

  it('throttles and fails questions, once each', async () => {
    const id = await create(world.assistant);
    await press('throttle');
    expect((await ask(world.assistant, id)).headers.get('retry-after')).toBe('10');
    await press('fail');
    expect((await ask(world.assistant, id)).status).toBe(500);
    expect((await ask(world.assistant, id)).status).toBe(200);
  });

  it('makes answers slow until it is pressed again', async () => {
    const id = await create(world.assistant);
    await press('slow');
    expect(await readControl('slow')).toMatchObject({ isOn: true });
    // Cut when the world is closed, long before it would be answered.
    void ask(world.assistant, id).catch(() => undefined);
    const readChat = async () => (await readState()).traffic.find(({ path }) => path.endsWith('/chat'));
    await expect.poll(readChat).toMatchObject({ path: expect.stringContaining(id) });
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect((await readChat())?.status).toBeUndefined();

    await press('slow');
    expect(await readControl('slow')).toMatchObject({ isOn: false });
    expect((await ask(world.assistant, await create(world.assistant))).status).toBe(200);
  });

  it('forgets the latest conversation', async () => {
    expect((await press('forget')).told).toContain('no conversation yet');
    const id = await create(world.assistant);
    await ask(world.assistant, id, 'What is new?');

    expect((await press('forget')).told).toBe('The service forgot “What is new?”.');
    expect((await ask(world.assistant, id)).status).toBe(404);
  });

  it('kills and starts the app, and offers only what is possible', async () => {
    expect((await press('start')).status).toBe(409);
    await press('kill');
    expect((await readState()).app?.state).toBe('stopped');
    expect((await press('kill')).error).toBe('“Kill the app” is not possible right now.');
    await press('start');
    expect((await readState()).app?.state).toBe('running');
  });

  it('takes presses as JSON only, which pages of other sites cannot send', async () => {
    expect(await press('kill', 'text/plain')).toEqual({ status: 400, error: 'The panel has no such control.' });
    expect((await press('unknown')).status).toBe(400);
    expect(app.state).toBe('running');
  });
});

function readPlainToken(token: string) {
  const subject = token.replace('sandbox-', '');
  return { subject, name: subject, scope: 'api://assistant.sandbox/Agent.Ask' };
}
