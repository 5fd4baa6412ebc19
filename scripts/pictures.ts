// `npm run pictures`: the pictures of the README, from the pages that `npm run demo` shows.
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { startAppProcess } from '../test/sandbox/app-process.ts';
import { createSimulatedAnswer } from '../test/sandbox/assistant/simulated-answer.ts';
import { launchChromium } from '../test/sandbox/chromium.ts';
import { signIn } from '../test/sandbox/sign-in.ts';
import { startWorkspace } from '../test/sandbox/workspace/start-workspace.ts';
import { startWorld, type World } from '../test/sandbox/world.ts';
import { prepareWorkspace } from './demo/run-workspace.ts';
import { installSystemPackages } from './install-system-packages.ts';
import { CHROMIUM } from './system-programs.ts';

const FOLDER = fileURLToPath(new URL('../docs/pictures/', import.meta.url));

const CHANNEL = 'C0GENERAL';

await installSystemPackages(CHROMIUM);
mkdirSync(FOLDER, { recursive: true });
const world = await startWorld({ assistant: { answer: createSimulatedAnswer() } });
prepareWorkspace(world);
const app = await startAppProcess(world.environment);
const workspace = await startWorkspace(world);
const browser = await launchChromium();
try {
  const thread = await ask(world, 'show me the budget table');
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 770 }, colorScheme });
    await page.goto(`${workspace.url}/#U0ANA/${CHANNEL}/${thread}`);
    await photograph(page, `thread-${colorScheme}.png`);
  }
} finally {
  await browser.close();
  await workspace.close();
  await app.kill('SIGTERM');
  await world.close();
}

/** Resolves with the thread once its question is answered. */
async function ask(world: World, question: string): Promise<string> {
  const ana = world.slack.as('U0ANA');
  const { ts } = await ana.say(CHANNEL, `${world.slack.mention} ${question}`);
  await signIn(world, 'U0ANA');
  for (let view = ana.openView(); view; view = ana.openView()) await ana.closeView(view);
  await world.slack.until(() => ana.sees(CHANNEL, ts)[1], { what: 'the answer' });
  return ts;
}

async function photograph(page: Page, name: string): Promise<void> {
  await page.getByText('Written by AI').first().waitFor();
  await page.screenshot({ path: `${FOLDER}${name}` });
  console.log(`docs/pictures/${name}`);
}
