// `npm run pictures`: the pictures of the README, from the pages that `npm run demo` shows.
import { plantDrift } from '@assistant-bridge/sandbox/admin/plant-drift.ts';
import { createSimulatedAnswer } from '@assistant-bridge/sandbox/assistant/simulated-answer.ts';
import { launchChromium } from '@assistant-bridge/sandbox/chromium.ts';
import type { SandboxUser } from '@assistant-bridge/sandbox/sandbox.ts';
import { CHROMIUM } from '@assistant-bridge/sandbox/system-programs.ts';
import { createPanel } from '@assistant-bridge/sandbox/workspace/panel/create-panel.ts';
import { prepareWorkspace } from '@assistant-bridge/sandbox/workspace/prepare-workspace.ts';
import { startWorkspace } from '@assistant-bridge/sandbox/workspace/start-workspace.ts';
import type { Page } from 'playwright-core';
import { giveAdminCommand, signInAsAdmin } from '../test/app/administer.ts';
import { startAppControl } from '../test/app/app-control.ts';
import { awaitModal, closeModals } from '../test/app/open-window.ts';
import { signIn } from '../test/app/sign-in.ts';
import { startWorld } from '../test/app/world.ts';
import { installSystemPackages } from './install-system-packages.ts';
import { createCamera } from './pictures/camera.ts';

const GENERAL = 'C0GENERAL';
const QUESTION = 'What is left of the launch budget?';
/** Under every answer, once it is complete. */
const WHOLE = 'Good answer';
const STEP_MS = 700;

await installSystemPackages(CHROMIUM);
const world = await startWorld({
  admin: { thresholdList: true },
  assistant: { answer: createSimulatedAnswer(), stepMs: (text) => (text.includes('report') ? STEP_MS : 2) },
});
prepareWorkspace(world);
const { slack, assistant } = world;
const app = await startAppControl(world.environment);
const workspace = await startWorkspace(world, { panel: createPanel(world, app) });
const browser = await launchChromium();
const camera = createCamera(browser);
try {
  await showRights();
  await showStream();
  await showKill();
  await showThread();
  await showReview();
} finally {
  await browser.close();
  await workspace.close();
  await app.stop();
  await world.close();
}

/** Two people ask the same question. */
async function showRights(): Promise<void> {
  const row = await camera.startRow('ask');
  const asked = await say('U0ANA', GENERAL, `${slack.mention} ${QUESTION}`);
  await row.still(
    'Ana asks. Only she sees that she has to sign in, once.',
    see(`U0ANA/${GENERAL}`, 'Only visible to you'),
  );
  await signInOnce('U0ANA');
  await row.still(
    'Her answer comes from what she may read, the budget included.',
    see(`U0ANA/${GENERAL}/${asked}`, WHOLE),
  );
  const { dm } = slack.as('U0BEN');
  const askedByBen = await say('U0BEN', dm, QUESTION);
  await signInOnce('U0BEN');
  await row.still(
    'Ben asks the same. He may not read the budget, so he gets no figures.',
    see(`U0BEN/${dm}/${askedByBen}`, WHOLE),
  );
  await row.save();
}

async function showStream(): Promise<void> {
  const row = await camera.startRow('stream');
  const { dm } = slack.as('U0ANA');
  const asked = await say('U0ANA', dm, 'Write a report on the launch, please');
  await row.still('In a direct message the answer grows …', see(`U0ANA/${dm}/${asked}`, 'What changed'));
  await row.still('… as the service writes it. Stop ends it.', (page) => page.getByText('Next steps').waitFor());
  await row.still('In the end it has its sources.', (page) => page.getByText(WHOLE).waitFor());
  await row.save();
}

async function showKill(): Promise<void> {
  const row = await camera.startRow('recover');
  assistant.hold();
  const asked = await say('U0ANA', GENERAL, `${slack.mention} Who owns the launch?`);
  await slack.until(() => assistant.held > 0, { what: 'the question at the service' });
  const thread = `U0ANA/${GENERAL}/${asked}`;
  await row.still('The service is working on an answer.', see(thread, 'Stop'));
  const release = assistant.onAnswered(() => app.kill());
  assistant.release();
  await slack.until(() => app.state === 'stopped', { what: 'the end of the app' });
  release();
  await row.still('The app is killed before it has the answer.', async (page) => {
    await see(`U0ANA/${GENERAL}`, 'Who owns')(page);
    await page.getByRole('button', { name: 'Conversations' }).click();
    await page.getByRole('button', { name: 'Control panel' }).click();
    await page.getByText('App stopped').waitFor();
  });
  await app.start();
  await row.still('Started again, it says what happened, and asks nothing twice.', see(thread, 'Ask again'));
  await row.save();
}

async function showThread(): Promise<void> {
  const channel = 'C0FINANCE';
  await slack.as('U0KIM').say(channel, 'Morning! Can we still book the train to Oslo this month?', { await: 'none' });
  await slack.as('U0ANA').say(channel, 'Let me see what is left for travel.', { await: 'none' });
  const asked = await say('U0ANA', channel, `${slack.mention} ${QUESTION}`);
  await camera.photograph('thread', 640, see(`U0ANA/${channel}/${asked}`, WHOLE));
}

/** Kim finds what somebody has changed without the app. */
async function showReview(): Promise<void> {
  await signInAsAdmin(world, 'U0KIM', await giveAdminCommand(world, 'U0KIM', 'sign-in'));
  const reason = { reason: 'The first policy, as it is set now' };
  await slack.as('U0KIM').click(await giveAdminCommand(world, 'U0KIM', 'review'), 'Draft a policy…');
  await slack.as('U0KIM').submit(await awaitModal(world, 'U0KIM', 'policy_draft_form'), reason);
  await slack.as('U0KIM').submit(await awaitModal(world, 'U0KIM', 'plan_confirm'), reason);
  await closeModals(world, 'U0KIM');
  plantDrift(world);
  await giveAdminCommand(world, 'U0KIM', 'review');
  await camera.photograph('review', 780, see(`U0KIM/${slack.as('U0KIM').dm}`, 'Set back'));
}

async function say(user: SandboxUser, channel: string, text: string): Promise<string> {
  return (await slack.as(user).say(channel, text)).ts;
}

async function signInOnce(user: SandboxUser): Promise<void> {
  await signIn(world, user);
  await closeModals(world, user);
}

/** `wanted`: the text that the page shows last. */
function see(place: string, wanted: string): (page: Page) => Promise<unknown> {
  return async (page) => {
    // Else only the part after # would change, and the page would not load.
    await page.goto('about:blank');
    await page.goto(`${workspace.url}/#${place}`);
    await page.getByText(wanted).last().waitFor();
  };
}
