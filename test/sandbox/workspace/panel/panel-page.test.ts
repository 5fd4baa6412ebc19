import AxeBuilder from '@axe-core/playwright';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ask, create } from '../../assistant/asking.ts';
import { launchChromium } from '../../chromium.ts';
import { type Sandbox, startSandbox } from '../../sandbox.ts';
import { startWorkspace, type Workspace } from '../start-workspace.ts';
import { createPanel } from './create-panel.ts';

let world: Sandbox;
let workspace: Workspace;
let browser: Browser;

beforeAll(async () => {
  const name = (token: string) => ({ subject: token, name: token, scope: 'api://assistant.sandbox/Agent.Ask' });
  world = await startSandbox({ assistant: { verifyToken: name } });
  const nothing = async () => undefined;
  const panel = createPanel(world, { state: 'running', pid: 7, kill: nothing, start: nothing });
  workspace = await startWorkspace(world, { panel });
  browser = await launchChromium();
});
afterAll(async () => {
  await Promise.all([browser?.close(), workspace?.close(), world?.close()]);
});

it.each([
  ['light', 1280],
  ['dark', 400],
] as const)('shows requests with their bodies, and presses buttons, %s at %i', async (colorScheme, width) => {
  const id = await create(world.assistant);
  await ask(world.assistant, id, 'What is new?');
  const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(workspace.url);
  if (width === 400) await page.getByRole('button', { name: 'Conversations' }).click();
  await page.getByRole('button', { name: 'Control panel', exact: true }).click();

  await page.getByRole('button', { name: 'Requests' }).click();
  await page.getByText(`POST /rest/conversations/${id}/chat`).click();
  await page.getByLabel('Sent').getByText('"text": "What is new?"').waitFor();
  await page.getByLabel('Answered').getByText('"turnCount": 1').waitFor();
  await page.getByLabel('Show').selectOption('Admin');
  await page.getByText('Nothing yet.').waitFor();

  await page.getByRole('button', { name: 'Controls' }).click();
  await page.getByRole('button', { name: 'Refuse Ben' }).click();
  await page.getByText('The service refuses Ben from now on.').waitFor();
  expect(world.assistant.access.unlicensed.has('ben')).toBe(true);
  await page.getByRole('button', { name: 'Refuse Ben', pressed: true }).click();
  await page.getByText('Ben may ask again.').waitFor();

  const seeded = [...world.admin.state.allocations];
  for (const [before, after] of [
    ['25,000', '60,000'],
    ['60,000', '95,000'],
  ]) {
    await page.getByRole('button', { name: 'Plant drift' }).click();
    await page.getByText(`gets ${after} credits instead of ${before}`).waitFor();
  }
  // Nothing lies over what was pressed.
  const pressed = await page.getByRole('listitem').filter({ hasText: 'Plant drift' }).boundingBox();
  const told = await page.getByRole('status').filter({ hasText: 'credits instead of' }).boundingBox();
  expect((pressed?.y ?? Number.NaN) + (pressed?.height ?? 0)).toBeLessThanOrEqual(told?.y ?? 0);
  for (const [environment, allocation] of seeded) world.admin.state.allocations.set(environment, allocation);
  expect(await page.getByRole('button', { name: 'Start the app' }).isDisabled()).toBe(true);
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  expect(complaints).toEqual([]);
  await context.close();
});
