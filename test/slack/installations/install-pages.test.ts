import { launchChromium } from '@assistant-bridge/sandbox/chromium.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type InstallWorld, startInstallWorld } from './install-world.ts';

/** Where to put photographs of the pages, for a person to look at. */
const PHOTOGRAPHS = process.env.PHOTOGRAPHS;

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

async function openPage(team = 'T0001') {
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
  await page.goto(`${world.slack.url}/sandbox/login?user=U0KIM&team=${team}`);
  complaints.length = 0;
  return { page, complaints, close: () => context.close() };
}

async function photograph(page: Page, name: string): Promise<void> {
  if (PHOTOGRAPHS) await page.screenshot({ path: `${PHOTOGRAPHS}/${name}.png`, fullPage: true });
}

async function install(page: Page, words = 'Allow'): Promise<void> {
  await page.goto(world.installUrl);
  await page.getByRole('button', { name: 'Continue to Slack' }).click();
  await page.waitForURL(`${world.slack.url}/oauth/**`);
  if (words === 'Allow all') await page.getByRole('radio', { name: /all of/ }).check();
  await page.getByRole('button', { name: words.split(' ')[0] ?? '' }).click();
  await page.waitForURL(`${world.redirectUrl}**`);
}

describe('the install pages in a real browser', () => {
  it('lead to Slack and back by keyboard alone, and nothing is blocked on the way', async () => {
    const { page, complaints, close } = await openPage();
    await page.goto(world.installUrl);
    await photograph(page, 'install');
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);

    await page.getByRole('button', { name: 'Continue to Slack' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(`${world.slack.url}/oauth/**`);
    await page.getByRole('button', { name: 'Allow' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(`${world.redirectUrl}**`);

    await photograph(page, 'installed');
    expect(await page.textContent('h1')).toBe('The assistant is installed');
    expect(complaints).toEqual([]);
    await close();
  });

  it('tell an organisation what is left to do', async () => {
    world.allowed.push('E0001');
    const enterprise = { id: 'E0001', name: 'Acme <b>Group</b>' };
    world.slack.addTeam({ id: 'T0011', enterprise }).workspace.changeUser('U0KIM', { isOrgOwner: true });
    const { page, close } = await openPage('T0011');

    await install(page, 'Allow all');

    await photograph(page, 'organisation');
    expect(await page.textContent('main')).toContain('Acme <b>Group</b> (E0001)');
    await close();
  });

  it.each([
    ['not-allowed', 'The assistant may not be added there', async () => undefined],
    [
      'not-removed',
      'The assistant may not be added there',
      async () => world.slack.faults.next('apps.uninstall', { kind: 'slackError', error: 'is_bot' }),
    ],
  ])('say where the app may not be added: %s', async (name, heading, prepare) => {
    world.slack.addTeam({ id: 'T0002', name: 'Other' });
    await prepare();
    const { page, close } = await openPage('T0002');

    await install(page);

    await photograph(page, name);
    expect(await page.textContent('h1')).toBe(heading);
    await close();
  });

  it('say that it was cancelled, and that a step is over, with the way to start again', async () => {
    const { page, close } = await openPage();
    await install(page, 'Cancel');
    await photograph(page, 'cancelled');
    expect(await page.textContent('h1')).toBe('The installation was cancelled');

    await page.getByRole('button', { name: 'Start again' }).click();
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.waitForURL(`${world.redirectUrl}**`);
    expect(await page.textContent('h1')).toBe('The assistant is installed');

    await page.reload();
    await photograph(page, 'over');
    expect(await page.textContent('h1')).toBe('This step is over');
    await close();
  });

  it('lead those who begin at Slack to where it begins', async () => {
    const { page, close } = await openPage();
    await page.goto(`${world.redirectUrl}?code=from-the-app-page`);
    await photograph(page, 'not-begun');

    await page.getByRole('button', { name: 'Continue to Slack' }).click();

    await page.waitForURL(`${world.slack.url}/oauth/**`);
    await close();
  });

  it.each([
    ['refused', { kind: 'slackError', error: 'bad_client_secret' }, 'Slack refused the installation'],
    ['unavailable', { kind: 'resetBeforeProcessing' }, 'The assistant cannot be installed right now'],
  ] as const)('say that it is not about the person: %s', async (name, fault, heading) => {
    world.slack.faults.next('oauth.v2.access', fault);
    const { page, close } = await openPage();

    await install(page);

    await photograph(page, name);
    expect(await page.textContent('h1')).toBe(heading);
    await close();
  });
});
