// The tour of the README, click by click, in the workspace that `npm run demo` opens.
import { readFileSync } from 'node:fs';
import { launchChromium } from '@assistant-bridge/sandbox/chromium.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Demo, startDemo } from './start-demo.ts';

const README = new URL('../../README.md', import.meta.url);

let demo: Demo;
let browser: Browser;
let page: Page;
/** What was pressed, seen and written in this step. */
let walked: string[] = [];

beforeAll(async () => {
  demo = startDemo();
  browser = await launchChromium();
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  context.setDefaultTimeout(60_000);
  page = await context.newPage();
  await page.goto(await demo.address());
});
afterAll(async () => {
  await browser.close();
  demo.remove();
});

beforeEach(() => {
  walked = [];
});

/** What a step of the README tells people to press, to look for (`*…*`) and to write (in backticks), in its order. */
function readStep(number: number): string[] {
  const readme = readFileSync(README, 'utf8');
  const step = new RegExp(`^${number}\\. \\*\\*.*?\\*\\* (.*)$`, 'm').exec(readme)?.[1] ?? '';
  return [...step.matchAll(/\*([^*]+)\*|`([^`]+)`/g)].map(([, pressed, written]) => pressed ?? written ?? '');
}

function endStep(number: number): void {
  expect(walked).toEqual(readStep(number));
}

function note(words: string): string {
  walked.push(words);
  return words;
}

const thread = () => page.getByRole('region', { name: 'Thread' });

/** What is pressed next is pressed as them. */
async function become(words: string): Promise<void> {
  await page
    .locator('.people')
    .getByRole('button', { name: note(words) })
    .click();
  await page.locator('.whoami', { hasText: words }).waitFor();
}

/** Buttons begin with what the tour calls them: *Ben* is “Ben Brandt, Employee” for screen readers. */
function press(words: string, where: Pick<Page, 'getByRole'> = page): Promise<void> {
  const name = new RegExp(`^${note(words)}(?!\\w)`);
  return where.getByRole('button', { name }).last().click();
}

function choose(words: string): Promise<void> {
  const name = new RegExp(`^${note(words)}(?! \\w+,)`);
  return page.locator('.side').getByRole('button', { name }).click();
}

/** `where`: the label of the field, which says whether the place is there yet. */
async function write(words: string, where: string): Promise<void> {
  const field = page.getByRole('textbox', { name: where });
  await field.fill(note(words));
  await field.press('Enter');
}

/** Follows the link in the window to the end, pressing these. */
async function signIn(...buttons: string[]): Promise<void> {
  const link = page.getByText(note('Open the sign-in page'), { exact: true });
  const [tab] = await Promise.all([page.context().waitForEvent('page'), link.click()]);
  for (const button of buttons) await press(button, tab);
  await tab.getByText('Your accounts are connected').waitFor();
  await tab.close();
}

describe('the tour of the README', () => {
  it('1: Ana asks, signs in, and gets an answer with its source', async () => {
    await choose('general');
    await write('@Assistant what is left of the launch budget?', 'Message #general');
    await press('Sign in');
    await signIn('Continue', 'Allow', 'Ana Alvarez', 'Accept', 'Connect');
    await press('Close');
    await page.getByRole('button', { name: /^1 reply/ }).click();
    await thread()
      .getByRole('link', { name: note('Launch budget.xlsx') })
      .waitFor();

    endStep(1);
  });

  it('2: Ben gets less, and Lena reads German', async () => {
    await become('Ben');
    await choose('Assistant');
    await write('what is left of the launch budget?', 'Message Assistant');
    await thread().getByRole('button', { name: 'Sign in' }).click();
    const before = [...walked];
    await signIn('Continue', 'Allow', 'Ben Brandt', 'Accept', 'Connect');
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
    walked = [...before, 'Ben Brandt'];
    await thread().getByText('I found no figures').waitFor();
    const told = await thread().textContent();
    await become('Lena');
    await write('Wann ist der Launch?', 'Message Assistant');
    await page.getByText('Bitte melden Sie sich an').first().waitFor();

    expect(told).not.toMatch(/15,000|Launch budget\.xlsx/);
    endStep(2);
  });

  it('3: the conversation goes on, with the asker’s time zone and a file', async () => {
    await become('Ana');
    await choose('general');
    walked.pop();
    await page.getByRole('button', { name: /^1 reply/ }).click();
    await write('what day is tomorrow?', 'Reply in the thread');
    await thread()
      .getByText(/so tomorrow is/)
      .waitFor();
    await thread().getByLabel('Attach a file').click();
    note('+');
    await press('Launch plan.docx');
    await write('what does it say?', 'Reply in the thread');
    await thread().getByText('Ben Brandt owns it.').waitFor();
    await press('Details');
    await page.getByRole('dialog').getByText('Europe/Berlin').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();

    endStep(3);
  });

  it('4: the app is killed, and says so when it runs again', async () => {
    await press('Control panel');
    await press('Kill amid an answer');
    await write('who owns the launch?', 'Reply in the thread');
    await page.getByText('App stopped').waitFor();
    await press('Start the app');
    await thread().getByText('I was interrupted').waitFor();
    await press('Requests');
    await page
      .getByText(/\/rest\/conversations\/.*\/chat/)
      .first()
      .waitFor();

    endStep(4);
  });

  it('5: Kim drafts a policy, and sets back what somebody changed past the app', async () => {
    const dialog = page.getByRole('dialog');
    /** Windows are filled in: what they are about is confirmed with the button at their end. */
    const confirm = async (name: RegExp) => {
      const button = dialog.getByRole('button', { name });
      await button.waitFor();
      const reason = dialog.getByRole('textbox').last();
      if ((await reason.inputValue()) === '') await reason.fill('Back to what is approved.');
      await button.click();
    };
    /** The window says how it ended. */
    const endWindow = async () => {
      await dialog.getByRole('heading', { name: 'Done' }).waitFor();
      await dialog.getByRole('button', { name: 'Close' }).last().click();
    };
    await become('Kim');
    await choose('Assistant');
    await write('/assistant-admin review', 'Message Assistant');
    await press('Sign in for administration');
    const before = [...walked];
    await signIn('Continue', 'Allow', 'Kim Kato', 'Accept', 'Connect');
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    walked = before;
    await press('Draft a policy…');
    await confirm(/^Look at it/);
    await confirm(/^Save/);
    await page
      .getByText(/Policy 1\b/)
      .first()
      .waitFor();
    await endWindow();
    await press('Controls');
    await press('Plant drift');
    await write('/assistant-admin review', 'Message Assistant');
    await press('Set back');
    await confirm(/^Set back/);
    await page
      .getByText(/Read back\. Policy 1\b/)
      .first()
      .waitFor();
    await endWindow();

    endStep(5);
  });

  it('ends with everything that it has started on SIGTERM', () => demo.stopsOn('SIGTERM', 143));
});
