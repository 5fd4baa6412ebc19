import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchChromium } from '../chromium.ts';
import { type Sandbox, startSandbox } from '../sandbox.ts';
import { callMethod, openModal as openInSlack, openTestApp, type TestApp } from '../slack/open-test-app.ts';
import type { Json } from '../slack/records.ts';
import { startWorkspace, type Workspace } from './start-workspace.ts';

let world: Sandbox;
let app: TestApp;
let workspace: Workspace;
let browser: Browser;
/** One for all: a new one is a process of its own, and takes three times as long. */
let page: Page;

beforeAll(async () => {
  [world, app, browser] = await Promise.all([startSandbox(), openTestApp(), launchChromium()]);
  world.slack.connectApp(app.url);
  workspace = await startWorkspace(world);
  page = await browser.newPage({ timezoneId: 'Asia/Tokyo' });
});
afterAll(async () => {
  await browser.close();
  await workspace.close();
  await Promise.all([app.close(), world.close()]);
});

const words = (text: string) => ({ type: 'plain_text', text });
const option = (value: string) => ({ text: words(value), value });
const input = (element: Json) => ({
  type: 'input',
  block_id: element.type,
  label: words(String(element.type)),
  element: { action_id: 'a', ...element },
});

async function call(method: string, given: Json): Promise<Json> {
  const answer = await callMethod(world.slack, method, given);
  expect(answer).toEqual(expect.objectContaining({ ok: true }));
  return answer;
}

const openAs = async (place: string): Promise<void> => {
  // Another place in the workspace would not load it again.
  await page.goto('about:blank');
  await page.goto(`${workspace.url}/#U0KIM/${place}`);
};

/** Returns its id. */
const openModal = async (blocks: Json[]) =>
  (await openInSlack(world.slack, { type: 'modal', title: words('All'), submit: words('Save'), blocks })).id;

const lastPayload = () => app.lastInteraction();

it.each([
  ['in it stays in it', 'Look again', true],
  ['elsewhere stays there', 'Ana Alvarez, Employee', false],
])('where a modal updates itself, the focus %s, though what had it is gone', async (_, focused, isInside) => {
  const button = { type: 'button', action_id: 'b', text: words('Look again') };
  const view_id = await openModal([{ type: 'actions', elements: [button] }]);
  await openAs('C0GENERAL');
  await page.getByRole('dialog').waitFor();
  await page.getByRole('button', { name: focused, exact: true }).focus();
  const done = { type: 'modal', title: words('All'), blocks: [{ type: 'section', text: words('Done') }] };
  await call('views.update', { view_id, view: done });
  await page.getByText('Done').waitFor();

  const readFocus = `[document.activeElement !== document.body, document.querySelector('dialog').contains(document.activeElement)]`;
  await expect.poll(() => page.evaluate(readFocus)).toEqual([true, isInside]);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

it('a modal that is being sent keeps the focus on its button', async () => {
  const release = Promise.withResolvers<void>();
  await openModal([{ type: 'section', text: words('Sure?') }]);
  await openAs('C0GENERAL');
  const save = page.getByRole('button', { name: 'Save' });
  await save.focus();
  await page.route('**/do', async (route) => {
    await release.promise;
    await route.continue();
  });
  await page.keyboard.press('Enter');
  await page.locator('slack-modal [aria-busy=true]').waitFor();
  const focused = await page.locator('button:focus').allTextContents();
  release.resolve();
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  expect(focused).toEqual(['Save']);
  await page.unroute('**/do');
});

it('what is entered stays while somebody else is chosen, and Escape closes the modal wherever the focus is', async () => {
  await openModal([input({ type: 'plain_text_input' })]);
  await openAs('C0GENERAL');
  const field = page.getByRole('textbox', { name: 'plain_text_input' });
  await field.fill('half');
  await page.getByRole('button', { name: /^Ben/ }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: /^Kim/ }).click();
  await field.waitFor();
  const kept = await field.inputValue();
  await page.getByRole('button', { name: /^Gus/ }).focus();
  await page.keyboard.press('Escape');

  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(kept).toBe('half');
});

it('what is entered in a modal is sent in the form that Slack documents', async () => {
  const blocks = [
    input({ type: 'timepicker', timezone: 'Europe/Berlin', initial_time: '09:30' }),
    input({ type: 'datepicker', initial_date: '2026-11-25' }),
    input({ type: 'plain_text_input', multiline: true, focus_on_load: true }),
    input({ type: 'checkboxes', options: ['x', 'y', 'z'].map(option) }),
    input({ type: 'users_select', initial_user: 'U0ANA' }),
  ];
  await openModal(blocks);
  await openAs('C0GENERAL');
  const area = page.getByRole('textbox', { name: 'plain_text_input' });

  await expect.poll(() => page.locator('textarea:focus').count()).toBe(1);
  await area.fill('Hello');
  await page.getByLabel('x', { exact: true }).check();
  await page.getByLabel('z', { exact: true }).check();
  await page.getByRole('button', { name: 'Save' }).click();

  await expect.poll(() => lastPayload().type).toBe('view_submission');
  expect(lastPayload().view.state.values).toMatchObject({
    timepicker: { a: { type: 'timepicker', selected_time: '09:30', timezone: 'Europe/Berlin' } },
    datepicker: { a: { type: 'datepicker', selected_date: '2026-11-25' } },
    plain_text_input: { a: { value: 'Hello' } },
    checkboxes: { a: { selected_options: [{ value: 'x' }, { value: 'z' }] } },
    users_select: { a: { selected_user: 'U0ANA' } },
  });
});

it('a file that is chosen in a modal is uploaded, stays in an update, and is sent as Slack documents it', async () => {
  const files = input({ type: 'file_input', filetypes: ['yaml', 'yml'], max_files: 1 });
  const view_id = await openModal([files]);
  await openAs('C0GENERAL');
  const chooser = page.getByLabel('file_input', { exact: true });
  const choose = (name: string, content: string) =>
    chooser.setInputFiles({ name, mimeType: 'text/yaml', buffer: Buffer.from(content) });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('This field is required.').waitFor();
  expect(await chooser.getAttribute('accept')).toBe('.yaml,.yml');
  await choose('old.yaml', 'a: 1');
  await page.getByRole('button', { name: 'Remove old.yaml' }).click();
  await choose('other.yaml', 'a: 2');
  await page.getByText('other.yaml').waitFor();
  await choose('policy.yaml', 'a: 3');
  await page.getByText('policy.yaml').waitFor();
  expect(await page.getByRole('list', { name: 'Chosen files' }).getByRole('listitem').count()).toBe(1);
  const note = { type: 'section', text: words('Almost done') };
  await call('views.update', {
    view_id,
    view: { type: 'modal', title: words('All'), submit: words('Save'), blocks: [note, files] },
  });
  await page.getByText('Almost done').waitFor();
  await page.getByRole('button', { name: 'Save' }).click();

  await expect.poll(() => lastPayload().type).toBe('view_submission');
  const { values } = lastPayload().view.state;
  const [id] = [...world.slack.workspace.files].findLast(([, { content }]) => String(content) === 'a: 3') ?? [];
  expect(values.file_input).toEqual({
    a: {
      type: 'file_input',
      files: [expect.objectContaining({ id, name: 'policy.yaml', filetype: 'yaml', size: 4, user: 'U0KIM' })],
    },
  });
});

it('the field for a message has its height where a thread covered it at first', async () => {
  const { ts } = await world.slack.as('U0KIM').say('C0GENERAL', 'Hello', { await: 'none' });
  await page.setViewportSize({ width: 400, height: 800 });
  await openAs(`C0GENERAL/${ts}`);
  await page.getByRole('region', { name: 'Thread' }).getByRole('button', { name: 'Close' }).click();
  const field = page.getByRole('textbox', { name: 'Message #general' });
  const readHeight = () => field.evaluate((element) => element.getBoundingClientRect().height);
  const empty = await readHeight();
  await field.fill('one\ntwo\nthree');

  expect(empty).toBeGreaterThan(30);
  expect(await readHeight()).toBeGreaterThan(empty + 30);
  await page.setViewportSize({ width: 1280, height: 720 });
});

it('blocks say what they are, and a choice in a thread leaves the same message beside it alone', async () => {
  const radio = { type: 'radio_buttons', action_id: 'r', options: ['one', 'two'].map(option) };
  const go = { type: 'button', action_id: 'b', text: words('Go') };
  const cell = (text: string) => ({ type: 'raw_text', text });
  const rich = (...elements: Json[]) => ({ type: 'rich_text_section', elements });
  const third = rich({ type: 'text', text: 'third' });
  const blocks = [
    { type: 'actions', block_id: 'pick', elements: [radio, go] },
    { type: 'plan', title: 'The plan' },
    { type: 'table', rows: [[cell('Item')], [cell('Travel')]] },
    {
      type: 'rich_text',
      elements: [
        { type: 'rich_text_list', style: 'ordered', indent: 1, offset: 2, elements: [third] },
        rich({ type: 'emoji', name: 'wave', unicode: '1f44b' }, { type: 'hologram' }),
      ],
    },
  ];
  const { ts } = await call('chat.postMessage', { channel: 'C0GENERAL', text: 'x', blocks });
  await openAs(`C0GENERAL/${ts}`);
  const [main, thread] = [
    page.getByRole('region', { name: 'general', exact: true }),
    page.getByRole('region', { name: 'Thread' }),
  ];

  await thread.getByLabel('one').check();
  await main.getByLabel('two').check();
  expect(await thread.getByLabel('one').isChecked()).toBe(true);
  await expect
    .poll(() => thread.textContent())
    .toMatch(/the type plan, which this client cannot draw[\s\S]*Item[\s\S]*Travel[\s\S]*third[\s\S]*👋\[hologram\]/);
  await thread.getByRole('button', { name: 'Go' }).click();
  await expect.poll(() => lastPayload()).toMatchObject({ type: 'block_actions', actions: [{ action_id: 'b' }] });
});
