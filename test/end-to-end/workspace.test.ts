import { toThresholdKey } from '@assistant-bridge/sandbox/admin/model.ts';
import { SEED_ENVIRONMENTS } from '@assistant-bridge/sandbox/admin/seeds.ts';
import { WITH_PEOPLE } from '@assistant-bridge/sandbox/workspace/start-workspace.ts';
import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { giveAdminCommand, openForm } from '../app/administer.ts';
import { KIM, WHY } from './admin-world.ts';
import { type LiveWorld, shareWorld, startLiveWorld } from './live-world.ts';
import { shareWorkspacePages } from './workspace-pages.ts';

const world = shareWorld<LiveWorld>((started) =>
  startLiveWorld({ ...WITH_PEOPLE, admin: { thresholdList: true } }, started),
);
const pages = shareWorkspacePages(world);
const { complaints, openAs } = pages;

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).first().click();

async function say(page: Page, where: string, text: string): Promise<void> {
  const field = page.getByRole('textbox', { name: where });
  await field.fill(text);
  await field.press('Enter');
}

/** From the prompt to the page of the identity provider that asks who one is. */
async function beginSignIn(page: Page, button = 'Sign in'): Promise<Page> {
  await press(page, button);
  const [tab] = await Promise.all([pages.context.waitForEvent('page'), pressLink(page)]);
  await press(tab, 'Continue');
  await press(tab, 'Allow');
  return tab;
}

const pressLink = (page: Page) => page.getByText('Open the sign-in page', { exact: true }).click();

async function signIn(page: Page, name: string, begin?: string): Promise<void> {
  const tab = await beginSignIn(page, begin);
  for (const button of [name, 'Accept', 'Connect']) await press(tab, button);
  await tab.getByText('Your accounts are connected').waitFor();
  await tab.close();
  await press(page, 'Close');
}

/** What makes a page hard to use for some. */
async function findViolations(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

describe('the workspace', () => {
  it('leads from the question through the sign-in to the answer, and nothing is complained about', async () => {
    const page = await openAs('U0ANA', 'C0GENERAL');
    const other = await openAs('U0BEN', 'C0GENERAL');
    await page.getByRole('textbox').pressSequentially('@assi');
    await page.getByRole('option', { name: /@Assistant Bridge/ }).click();
    await page.getByRole('textbox').pressSequentially('what is new?');
    await page.keyboard.press('Enter');

    await page.getByText('Only visible to you').waitFor();
    await other.getByRole('article').waitFor();
    const shownToOthers = await other.getByText('Only visible to you').count();
    await signIn(page, 'Ana Alvarez');
    await press(page, /^1 reply/);
    const answer = page.getByRole('region', { name: 'Thread' }).getByRole('article').nth(1);

    await answer.getByText('here is what I found about').waitFor();
    expect(shownToOthers).toBe(0);
    expect(world.assistant.ledger.chats().map(({ subject }) => subject)).toEqual(['ana']);
    expect(complaints).toEqual([]);
  });

  it('asks with web search off, from the menu of a message', async () => {
    world.assistant.ledger.clear();
    const page = await openAs('U0ANA', 'C0PROJECT');
    await say(page, 'Message #project', 'Our notes on the launch');
    await page.getByRole('article').hover();
    await page.getByLabel('More actions').click();
    await press(page, 'Ask without web search');
    await page.getByText(/^1 reply/).waitFor();

    expect(world.assistant.ledger.chats().map(({ isWebEnabled }) => isWebEnabled)).toEqual([false]);
  });

  it('stops an answer that grows', async () => {
    const page = await openAs('U0ANA', world.slack.as('U0ANA').dm);
    await say(page, 'Message Assistant Bridge', 'what about the travel policy?');
    const thread = page.getByRole('region', { name: 'Thread' });
    await thread.getByText('here is what I found').waitFor();
    await press(page, 'Stop');

    await thread.getByText('Stopped.').waitFor();
    await thread.getByRole('button', { name: 'Stop', exact: true }).waitFor({ state: 'detached' });
  });

  it('offers what can be asked until somebody has asked', async () => {
    const page = await openAs('U0GUEST', world.slack.as('U0GUEST').dm);
    const offers = page.locator('.prompts button');
    await offers.first().waitFor();
    await offers.first().click();

    await page.getByRole('region', { name: 'Thread' }).getByRole('article').first().waitFor();
    expect(await offers.count()).toBe(0);
  });

  it('takes the sign-in back where it is refused, and shows a second account for what it is', async () => {
    const page = await openAs('U0BEN', world.slack.as('U0BEN').dm);
    await say(page, 'Message Assistant Bridge', 'what is new?');
    const refused = await beginSignIn(page);
    await press(refused, 'Ben Brandt');
    await press(refused, 'Cancel');
    await refused.getByRole('heading', { name: /not connected|cancelled/i }).waitFor();
    await press(page, 'Close');

    const second = await beginSignIn(page);
    await press(second, 'Lee Larsen');
    await press(second, 'Accept');
    await second.getByText('Lee Larsen (lee@example.com)').waitFor();
    await press(second, 'Cancel');
    await second.getByRole('heading', { name: /not connected|cancelled/i }).waitFor();

    expect(world.assistant.ledger.chats().filter(({ subject }) => subject !== 'ana')).toEqual([]);
  });

  it('gives nothing to somebody else who opens the link', async () => {
    const page = await openAs('U0KIM', world.slack.as('U0KIM').dm);
    await say(page, 'Message Assistant Bridge', 'what is new?');
    await press(page, 'Sign in');
    const [tab] = await Promise.all([pages.context.waitForEvent('page'), pressLink(page)]);
    await tab.getByRole('heading', { name: 'Connect your account' }).waitFor();
    const other = await pages.context.newPage();
    await other.goto(`${pages.url}/open?${new URLSearchParams({ person: 'U0ANA', to: tab.url() })}`);
    await press(other, 'Continue');
    await press(other, 'Allow');

    await other.getByRole('heading', { name: 'This link belongs to somebody else' }).waitFor();
  });

  it('changes who somebody is, and keeps what they had not sent yet', async () => {
    const page = await openAs('U0GUEST', world.slack.as('U0GUEST').dm);
    await page.getByRole('textbox', { name: 'Message Assistant Bridge' }).fill('half a question');
    await press(page, 'Kim Kato, Administrator');
    await page.waitForURL(`**/#U0KIM/${world.slack.as('U0KIM').dm}`);
    await page.getByRole('textbox', { name: 'Message Assistant Bridge' }).waitFor();
    const typedByKim = await page.getByRole('textbox', { name: 'Message Assistant Bridge' }).inputValue();
    await press(page, 'Gus Guest, Guest');
    await page.waitForURL(`**/#U0GUEST/${world.slack.as('U0GUEST').dm}`);
    await page.locator('.whoami', { hasText: 'Gus Guest' }).waitFor();

    expect(typedByKim).toBe('');
    expect(await page.getByRole('textbox', { name: 'Message Assistant Bridge' }).inputValue()).toBe('half a question');
  });

  it('changes and deletes what somebody wrote, from its menu', async () => {
    const page = await openAs('U0KIM', 'C0SECRET');
    const choose = async (action: string) => {
      await page.getByRole('article').hover();
      await page.getByLabel('More actions').click();
      await press(page, action);
    };
    await say(page, 'Message secret', 'Tell @Ana Alvarez');
    await choose('Edit the message');
    const field = page.getByRole('textbox', { name: 'Edit the message' });
    expect(await field.inputValue()).toBe('Tell @Ana Alvarez');
    await field.fill('Tell @Ben Brandt');
    await field.press('Enter');
    await page.getByText('(edited)').waitFor();
    const [edited] = world.slack.as('U0KIM').sees('C0SECRET');
    await choose('Delete the message');
    await press(page, 'Delete');
    await page.getByRole('article').waitFor({ state: 'detached' });

    expect(edited?.text).toBe('Tell <@U0BEN>');
    expect(world.slack.as('U0KIM').sees('C0SECRET')).toEqual([]);
  });

  it('is accessible, in a wide window that is light, and in a narrow one that is dark', async () => {
    const root = await world.slack.as('U0ANA').say('C0GENERAL', 'A thread', { await: 'none' });
    const page = await openAs('U0ANA', `C0GENERAL/${root.ts}`);
    await page.emulateMedia({ colorScheme: 'light' });
    await page.getByRole('textbox', { name: 'Reply in the thread' }).fill('@');
    const wide = await findViolations(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize({ width: 400, height: 760 });
    await press(page, 'Close the thread');
    await press(page, 'Conversations');

    expect([...wide, ...(await findViolations(page))]).toEqual([]);
  });
});

// What else they do there is in tour.test.ts.
describe('an administrator in the workspace', () => {
  it('sets a limit in one window: what is wrong is said at the field, and the rest stays', async () => {
    await giveAdminCommand(world, KIM, 'sign-in');
    const page = await openAs(KIM, 'C0GENERAL');
    await signIn(page, 'Kim Kato', 'Sign in for administration');
    await openForm(world, KIM, 'limit "Travel Planner"');
    const dialog = page.getByRole('dialog');
    const limit = dialog.locator('[name^="limit/"]');
    const reason = dialog.locator('[name^="reason/"]');
    await limit.fill('a lot');
    await reason.fill(WHY);
    const violations = await findViolations(page);
    await dialog.locator('button.primary').click();
    await dialog.getByRole('alert').waitFor();
    const kept = [await limit.inputValue(), await reason.inputValue()];
    await limit.fill('1234');
    await dialog.locator('button.primary').click();
    const key = toThresholdKey(SEED_ENVIRONMENTS[0]?.name ?? '', 'bot-2');
    await world.slack.until(() => world.admin.state.thresholds.get(key)?.limit === 1234);

    expect([kept, violations]).toEqual([['a lot', WHY], []]);
  });

  it('reads all of the help without scrolling, and a home that is accessible', async () => {
    await giveAdminCommand(world, KIM, 'help');
    const page = await openAs(KIM, 'C0GENERAL');
    const help = page.locator('.message', { hasText: 'list what there is' }).last();
    await help.waitFor();
    const room = await help.evaluate((message) => message.closest('main')?.querySelector('.messages')?.clientHeight);
    const { height } = (await help.boundingBox()) ?? {};
    const home = await openAs(KIM, 'home');
    await home.locator('.home .blocks').waitFor();

    expect(height).toBeLessThan(room ?? 0);
    expect(await findViolations(home)).toEqual([]);
  });
});
