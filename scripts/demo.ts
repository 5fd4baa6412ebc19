// `npm run demo`: the local world and the real app in it, in the browser. With `--script` it plays the main jobs in the
// terminal, and exits 0, or says what failed.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { createSimulatedAnswer } from '@assistant-bridge/sandbox/assistant/simulated-answer.ts';
import type { AppControl } from '@assistant-bridge/sandbox/workspace/panel/controls.ts';
import { createPanel } from '@assistant-bridge/sandbox/workspace/panel/create-panel.ts';
import { prepareWorkspace } from '@assistant-bridge/sandbox/workspace/prepare-workspace.ts';
import { startWorkspace, WITH_PEOPLE } from '@assistant-bridge/sandbox/workspace/start-workspace.ts';
import { type RealApp, startAppControl } from '../test/app/app-control.ts';
import { startWorld, type World } from '../test/app/world.ts';
import { playScript } from './demo/play-script.ts';
import { readOrExit } from './read-options.ts';

const USAGE =
  'Usage: `npm run demo` for the browser, or `npm run demo -- --script` to watch the main jobs in the terminal.';

const WAYS = { '--script': playScript, '--browser': runWorkspace };

const way = readOrExit(([first = '--browser', second]) => {
  const unknown = second ?? (Object.hasOwn(WAYS, first) ? undefined : first);
  if (unknown !== undefined) throw new Error(`The demo knows no “${unknown}”.`);
  return first as keyof typeof WAYS;
}, USAGE);

/** The exit code for a signal, as in shells. */
const interrupted = new Promise<number>((resolve) => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => resolve(128 + constants.signals[signal]));
  }
});

const isInBrowser = way === '--browser';
if (isInBrowser) console.log('Starting a Slack, the services and the app on this machine …');
const world = await startWorld({
  slack: { ...(isInBrowser && WITH_PEOPLE.slack), retry: 'documented' },
  ...(isInBrowser && { identityProvider: WITH_PEOPLE.identityProvider }),
  hasSlackbotDoor: true,
  admin: { thresholdList: true },
  // Slow enough that people see the answer grow.
  assistant: { answer: createSimulatedAnswer(), ...(isInBrowser ? WITH_PEOPLE.assistant : { stepMs: 100 }) },
});
prepareWorkspace(world);
const starting = startAppControl({
  ...world.environment,
  SLACK_BUDGETS: 'documented',
});
const exitCode = await Promise.race([interrupted, play(world, starting)]);
const app = await starting.catch(() => undefined);
await app?.stop();
await world.close();
// Needed after a signal, because the demo is still running then.
process.exit(exitCode);

async function play(world: World, starting: Promise<RealApp>): Promise<number> {
  let app: RealApp | undefined;
  try {
    app = await starting;
    await WAYS[way](world, app);
    return 0;
  } catch (error) {
    console.error(`\nThe demo failed: ${error instanceof Error ? error.message : String(error)}`);
    if (app) console.error(`\nThe app's last lines:\n${app.lines.slice(-10).join('\n')}`);
    return 1;
  }
}

/** Shows the world in the browser until the signal comes. */
async function runWorkspace(world: World, app: AppControl): Promise<never> {
  const { url } = await startWorkspace(world, { panel: createPanel(world, app) });
  console.log(`
Ready: ${url}

Ask “@Assistant what is left of the launch budget?” there, as Ana and as Ben: change who you are at the left. Nothing leaves this machine.
Ctrl-C ends everything.`);
  openBrowser(url);
  return new Promise(() => undefined);
}

/** Best effort: the address is printed. Without a screen there is no browser to open. */
function openBrowser(url: string): void {
  const hasScreen = process.env.DISPLAY !== undefined || process.env.WAYLAND_DISPLAY !== undefined;
  if (process.platform !== 'darwin' && !hasScreen) return;
  const program = process.platform === 'darwin' ? 'open' : 'xdg-open';
  spawn(program, [url], { stdio: 'ignore', detached: true })
    .on('error', () => undefined)
    .unref();
}
