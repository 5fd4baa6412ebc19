import { launchChromium } from '@assistant-bridge/sandbox/chromium.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shareLiveWorld } from './live-world.ts';

const NARROW = { width: 400, height: 800 };

const world = shareLiveWorld({ signedIn: [] });
let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());

/** A browser of its own, signed in to both sides, that notes whatever the page complains about. */
async function openBrowser(user: string, account: string) {
  const context = await browser.newContext({ viewport: NARROW });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    // A browser asks for the icon of every site; there is none.
    if (!message.location().url.endsWith('/favicon.ico')) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(`${world.slack.url}/sandbox/login?user=${user}`);
  await page.goto(world.identityProvider.loginUrl(account));
  complaints.length = 0;
  return { context, page, complaints };
}

async function expectWithoutScrolling(page: Page, name: string): Promise<void> {
  const box = await page.getByRole('button', { name, exact: true }).boundingBox();
  expect((box?.y ?? Number.NaN) + (box?.height ?? 0)).toBeLessThanOrEqual(NARROW.height);
}

async function newLink(user: string): Promise<string> {
  await world.ask('a question that waits', { user, channel: world.slack.as(user).dm });
  return world.signInAddress(user);
}

describe('the sign-in pages in a real browser', () => {
  it('lead from the link to both names, by keyboard alone, and nothing is blocked on the way', async () => {
    const { context, page, complaints } = await openBrowser('U0ANA', 'ana');
    await page.goto(await newLink('U0ANA'));
    expect(await page.title()).toContain('Connect');
    await expectWithoutScrolling(page, 'Continue');
    expect(await page.getByRole('radio').count()).toBe(2);
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);

    await page.getByRole('radio', { name: /direct message/i }).focus();
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Continue' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/link\/confirm/);

    expect(await page.textContent('dl')).toMatch(/Ana Alvarez \(@ana\) in Acme[\s\S]*Ana Alvarez \(ana@example\.com\)/);
    await expectWithoutScrolling(page, 'Connect');
    await page.getByRole('button', { name: 'Connect' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Your accounts are connected' }).waitFor();
    expect(await page.textContent('body')).toContain('Ana Alvarez (ana@example.com)');
    expect(await page.textContent('body')).toContain('ana@example.com');

    await page.getByRole('button', { name: 'Undo' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'The connection is removed' }).waitFor();
    expect(complaints).toEqual([]);
    expect(await page.getAttribute('html', 'lang')).toBe('en');
    await page.getByRole('link', { name: 'Back to Slack' }).click();
    expect(await page.textContent('h1')).toBe('Back in Slack');
    await context.close();
  });
});
