import { type LoopbackServer, startLoopbackServer } from '@assistant-bridge/sandbox/loopback/loopback-server.ts';
import type { AppControl } from '@assistant-bridge/sandbox/workspace/panel/controls.ts';
import { createPanel } from '@assistant-bridge/sandbox/workspace/panel/create-panel.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startAppControl } from '../app/app-control.ts';
import { signIn } from '../app/sign-in.ts';
import { startWorld, type World } from '../app/world.ts';

let world: World;
let app: AppControl;
let server: LoopbackServer;

beforeEach(async () => {
  world = await startWorld();
  app = await startAppControl(world.environment);
  const panel = createPanel(world, app);
  server = await startLoopbackServer(panel.handle);
});
afterEach(async () => {
  await app.kill();
  await Promise.all([server.close(), world.close()]);
});

async function press(control: string): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ control });
  const { status } = await fetch(`${server.url}/panel/press`, { method: 'POST', headers, body });
  expect(status).toBe(200);
}

it('kills the real app in the middle of an answer, and the app that is started again ends it visibly', async () => {
  const { slack, assistant } = world;
  const ana = slack.as('U0ANA');
  await press('kill-answering');
  const question = await ana.say('C0GENERAL', `${slack.mention} What is new?`);
  await signIn(world, 'U0ANA');
  await slack.until(() => app.state === 'stopped', { what: 'the end of the app' });
  const before = app.pid;

  await press('start');

  const reply = await slack.until(() => ana.sees('C0GENERAL', question.ts).find(({ botId }) => botId), {
    what: 'a reply that says that it was interrupted',
  });
  expect(before).toBeUndefined();
  expect(app.pid).toBeGreaterThan(0);
  expect(slack.render(reply)).toContain('Ask again');
  expect(assistant.ledger.chats()).toHaveLength(1);
});
