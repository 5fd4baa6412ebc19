import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ask, create } from '../../assistant/asking.ts';
import { launchChromium } from '../../chromium.ts';
import { type LoopbackServer, startLoopbackServer } from '../../loopback/loopback-server.ts';
import { startWorld, type World } from '../../world.ts';
import { createPanel } from './create-panel.ts';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const VENDOR = ['lit/', 'lit-html/', 'lit-element/', '@lit/reactive-element/'];
const IMPORTS = {
  lit: '/vendor/lit/index.js',
  'lit-html': '/vendor/lit-html/lit-html.js',
  'lit-element/lit-element.js': '/vendor/lit-element/lit-element.js',
  '@lit/reactive-element': '/vendor/@lit/reactive-element/reactive-element.js',
  ...Object.fromEntries(VENDOR.map((name) => [name, `/vendor/${name}`])),
};
const PAGE = `<!doctype html><html lang="en"><title>Panel</title><link rel="icon" href="data:,">
<meta name="viewport" content="width=device-width"><style>body { margin: 0 } html { color-scheme: light dark }</style>
<script type="importmap">${JSON.stringify({ imports: IMPORTS })}</script>
<script type="module" src="/page/panel.ts"></script><control-panel></control-panel>`;

let world: World;
let server: LoopbackServer;
let browser: Browser;

beforeAll(async () => {
  const name = (token: string) => ({ subject: token, name: token, scope: 'api://assistant.sandbox/Agent.Ask' });
  world = await startWorld({ assistant: { verifyToken: name } });
  const nothing = async () => undefined;
  const panel = createPanel(world, { state: 'running', pid: 7, kill: nothing, start: nothing });
  server = await startLoopbackServer(async (request, response) => {
    if (!(await panel.handle(request, response))) sendFile(request.url ?? '/', response);
  });
  browser = await launchChromium();
});
afterAll(async () => {
  await Promise.all([browser?.close(), server?.close(), world?.close()]);
});

function sendFile(path: string, response: ServerResponse): void {
  const script = { 'content-type': 'text/javascript' };
  if (path === '/') return void response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE);
  if (path.startsWith('/vendor/')) {
    const source = readFileSync(`${ROOT}/node_modules/${path.slice('/vendor/'.length)}`);
    return void response.writeHead(200, script).end(source);
  }
  const source = readFileSync(`${ROOT}/test/sandbox/workspace${path}`, 'utf8');
  response.writeHead(200, script).end(stripTypeScriptTypes(source));
}

it('shows requests with their bodies, and presses buttons, without a complaint of the browser', async () => {
  const id = await create(world.assistant);
  await ask(world.assistant, id, 'What is new?');
  const page = await browser.newPage({ viewport: { width: 400, height: 800 } });
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(server.url);

  await page.getByText(`POST /rest/conversations/${id}/chat`).click();
  await page.getByLabel('Sent').getByText('"text": "What is new?"').waitFor();

  await page.getByRole('button', { name: 'Refuse Ben' }).click();
  await page.getByText('The service refuses Ben from now on.').waitFor();
  expect(world.assistant.access.unlicensed.has('ben')).toBe(true);
  await page.getByRole('button', { name: 'Refuse Ben', pressed: true }).waitFor();

  await page.getByLabel('Show').selectOption('Slack');
  await page.getByText('Nothing yet.').waitFor();
  await page.getByLabel('Show').selectOption('everything');
  expect(await page.getByRole('button', { name: 'Start the app' }).isDisabled()).toBe(true);
  const width = await page.evaluate('document.documentElement.scrollWidth');
  expect(width).toBe(400);
  if (process.env.PANEL_PHOTO) await page.screenshot({ path: process.env.PANEL_PHOTO, fullPage: true });
  expect(complaints).toEqual([]);
  await page.close();
});
