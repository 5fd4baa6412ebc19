import { launchChromium } from '@assistant-bridge/sandbox/chromium.ts';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type InstallWorld, startInstallWorld } from './install-world.ts';

let browser: Browser;
let world: InstallWorld;

beforeAll(async () => {
  browser = await launchChromium();
});
beforeEach(async () => {
  world = await startInstallWorld();
});
afterEach(() => world.close());
afterAll(() => browser.close());

async function openPage() {
  const context = await browser.newContext({ viewport: { width: 420, height: 760 } });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    // A browser asks for the icon of every site; there is none. A page that refuses something is reported, too.
    if (!/favicon\.ico/.test(message.location().url) && !/status of 4\d\d/.test(message.text())) {
      complaints.push(message.text());
    }
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(`${world.slack.url}/sandbox/login?user=U0KIM&team=T0001`);
  complaints.length = 0;
  return { page, complaints, close: () => context.close() };
}

it('the install pages in a real browser lead to Slack and back by keyboard alone, and nothing is blocked on the way', async () => {
  const { page, complaints, close } = await openPage();
  await page.goto(world.installUrl);
  expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);

  await page.getByRole('button', { name: 'Continue to Slack' }).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(`${world.slack.url}/oauth/**`);
  await page.getByRole('button', { name: 'Allow' }).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(`${world.redirectUrl}**`);

  expect(await page.textContent('h1')).toBe('The assistant is installed');
  expect(complaints).toEqual([]);
  await close();
});
