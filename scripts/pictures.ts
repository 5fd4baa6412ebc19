// `npm run pictures`: the pictures of the README, from the pages that `npm run demo` shows.
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { closeModals, giveAdminCommand, signInAsAdmin } from '../test/sandbox/administer.ts';
import { startAppProcess } from '../test/sandbox/app-process.ts';
import { createSimulatedAnswer } from '../test/sandbox/assistant/simulated-answer.ts';
import { launchChromium } from '../test/sandbox/chromium.ts';
import { signIn } from '../test/sandbox/sign-in.ts';
import { startWorkspace } from '../test/sandbox/workspace/start-workspace.ts';
import { startWorld, type World } from '../test/sandbox/world.ts';
import { plantDrift } from './demo/plant-drift.ts';
import { prepareWorkspace } from './demo/run-workspace.ts';
import { installSystemPackages } from './install-system-packages.ts';
import { CHROMIUM, EMOJI } from './system-programs.ts';

const FOLDER = fileURLToPath(new URL('../docs/pictures/', import.meta.url));

const GENERAL = 'C0GENERAL';
const REGISTER = fileURLToPath(new URL('deploy/governance-register.yaml', import.meta.url));

await installSystemPackages(CHROMIUM, EMOJI);
mkdirSync(FOLDER, { recursive: true });
const world = await startWorld({ admin: { thresholdList: true }, assistant: { answer: createSimulatedAnswer() } });
prepareWorkspace(world);
const app = await startAppProcess({ ...world.environment, GOVERNANCE_REGISTER: REGISTER });
const workspace = await startWorkspace(world);
const browser = await launchChromium();
try {
  const thread = await ask(world, 'show me the budget');
  await photograph('thread', { place: `U0ANA/${GENERAL}/${thread}`, wanted: 'Written by AI', height: 820 });
  await review(world);
  await photograph('review', { place: `U0KIM/${world.slack.as('U0KIM').dm}`, wanted: 'Correct all…', height: 780 });
} finally {
  await browser.close();
  await workspace.close();
  await app.kill('SIGTERM');
  await world.close();
}

/** Ana has signed in before, so that the channel shows the question alone. Resolves with its thread once it is answered. */
async function ask(world: World, question: string): Promise<string> {
  const { slack } = world;
  const ana = slack.as('U0ANA');
  await ana.say(ana.dm, 'Hello');
  await signIn(world, 'U0ANA');
  await closeModals(world, 'U0ANA');
  const quietly = { await: 'none' } as const;
  await slack.as('U0BEN').say(GENERAL, 'Morning! Can we still book the train to Oslo this quarter?', quietly);
  await ana.say(GENERAL, 'Let me see what is left for travel.', quietly);
  const { ts } = await ana.say(GENERAL, `${slack.mention} ${question}`);
  await slack.until(() => ana.sees(GENERAL, ts)[1], { what: 'the answer' });
  return ts;
}

/** Kim finds what somebody has changed past the app. */
async function review(world: World): Promise<void> {
  await signInAsAdmin(world, 'U0KIM', await giveAdminCommand(world, 'U0KIM', 'sign-in'));
  await closeModals(world, 'U0KIM');
  plantDrift(world);
  await giveAdminCommand(world, 'U0KIM', 'review');
}

/** Light and dark. `wanted`: what the page shows last. */
async function photograph(name: string, { place, wanted, height }: Picture): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await browser.newPage({ viewport: { width: 1280, height }, colorScheme });
    await page.goto(`${workspace.url}/#${place}`);
    await page.getByText(wanted).first().waitFor();
    await page.screenshot({ path: `${FOLDER}${name}-${colorScheme}.png` });
    console.log(`docs/pictures/${name}-${colorScheme}.png`);
    await page.close();
  }
}

type Picture = { place: string; wanted: string; height: number };
