// An administrator at work in the browser: the forms and reports of the real app, drawn by the workspace.
import { type Allocation, type CurrencyAllocation, toThresholdKey } from '@assistant-bridge/sandbox/admin/model.ts';
import { SEED_ENVIRONMENTS } from '@assistant-bridge/sandbox/admin/seeds.ts';
import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { giveAdminCommand } from '../app/administer.ts';
import { KIM, WHY } from './admin-world.ts';
import { shareAdminWorld } from './live-admin.ts';
import { shareWorkspacePages } from './workspace-pages.ts';

const [PRODUCTION = ''] = SEED_ENVIRONMENTS.map(({ name }) => name);

const world = shareAdminWorld();
beforeAll(() => world.draft());
const { complaints, openAs } = shareWorkspacePages(world);
const openAsKim = (channel: string) => openAs(KIM, channel);

async function findSerious(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  return serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

it('sets a limit in one window: what is wrong is said at the field, and the rest stays', async () => {
  await world.open('limit "Travel Planner"');
  const page = await openAsKim(world.slack.as(KIM).dm);
  const dialog = page.getByRole('dialog');
  const limit = dialog.locator('[name^="limit/"]');
  await limit.fill('a lot');
  await dialog.locator('[name^="reason/"]').fill(WHY);
  const serious = await findSerious(page);
  await dialog.locator('button.primary').click();
  await dialog.getByRole('alert').waitFor();
  const kept = [await limit.inputValue(), await dialog.locator('[name^="reason/"]').inputValue()];
  await limit.fill('1234');
  await dialog.locator('button.primary').click();
  await world.slack.until(() => world.admin.state.thresholds.get(toThresholdKey(PRODUCTION, 'bot-2'))?.limit === 1234);

  expect([kept, serious, complaints]).toEqual([['a lot', WHY], [], []]);
});

it('shows all of the help without scrolling', async () => {
  await giveAdminCommand(world, KIM, 'help');
  const page = await openAsKim('C0GENERAL');
  const help = page.locator('.message', { hasText: 'list what there is' }).last();
  await help.waitFor();
  const room = await help.evaluate((message) => message.closest('main')?.querySelector('.messages')?.clientHeight);

  expect((await help.boundingBox())?.height).toBeLessThan(room ?? 0);
});

it('keeps the focus in a modal, until Escape closes it', async () => {
  await world.open('limit "Travel Planner"');
  const page = await openAsKim(world.slack.as(KIM).dm);
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  const isInside = await page.evaluate(`document.querySelector('dialog').contains(document.activeElement)`);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });

  expect(isInside).toBe(true);
  expect(world.slack.as(KIM).openView()).toBeUndefined();
});

it('sets back one finding of a review', async () => {
  const allocation = world.admin.state.allocations.get(PRODUCTION) as Allocation;
  const [first, ...rest] = allocation.currencyAllocations;
  const drifted = { ...first, allocated: 1 } as CurrencyAllocation;
  world.admin.state.allocations.set(PRODUCTION, { ...allocation, currencyAllocations: [drifted, ...rest] });
  const report = await world.review();
  const page = await openAsKim(report.threadTs ? `${report.channel}/${report.threadTs}` : report.channel);
  await page.getByRole('button', { name: 'Set back', exact: true }).last().click();
  const dialog = page.getByRole('dialog');
  await dialog.locator('[name^="reason/"]').fill(WHY);
  await dialog.locator('button.primary').click();
  const allocated = () => world.admin.state.allocations.get(PRODUCTION)?.currencyAllocations[0]?.allocated;
  // What the draft approved.
  await world.slack.until(() => allocated() === 25_000);

  expect(complaints).toEqual([]);
});

it('shows the home of the app, accessible', async () => {
  const page = await openAsKim('home');
  await page.locator('.home .blocks').waitFor();

  expect(await findSerious(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

it('says which block it does not know, and makes no markup of texts', async () => {
  const page = await openAsKim('home');
  const drawn = await page.evaluate(`(async () => {
    const { renderBlocks } = await import('/page/blocks/render-blocks.ts');
    const { render } = await import('lit');
    const text = { type: 'mrkdwn', text: '<img src=x> &lt;b&gt;' };
    const box = document.createElement('div');
    render(renderBlocks([{ type: 'hologram' }, { type: 'section', text }], { names: () => undefined }), box);
    return { words: box.innerText, markup: box.querySelectorAll('img, b').length };
  })()`);

  expect(drawn).toMatchObject({ markup: 0 });
  expect(JSON.stringify(drawn)).toContain('A block of the type hologram, which this client cannot draw.');
});
