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
import { runCommand } from './run-command.ts';

await runCommand({
  usage: 'Usage: `npm run demo` for the browser, or `npm run demo -- --script` to watch the main jobs in the terminal.',
  options: { script: { type: 'boolean', default: false } },
  run: ({ script }) => show(!script),
});
// Needed after a signal, because the demo is still running then.
process.exit();

/** Returns the exit code; for a signal, as in shells. */
async function show(isInBrowser: boolean): Promise<number> {
  const interrupted = new Promise<number>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => resolve(128 + constants.signals[signal]));
    }
  });
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
  const starting = startAppControl({ ...world.environment, SLACK_BUDGETS: 'documented' });
  const exitCode = await Promise.race([interrupted, play(world, starting, isInBrowser ? runWorkspace : playScript)]);
  const app = await starting.catch(() => undefined);
  await app?.stop();
  await world.close();
  return exitCode;
}

type Way = (world: World, app: RealApp) => Promise<void>;

async function play(world: World, starting: Promise<RealApp>, way: Way): Promise<number> {
  let app: RealApp | undefined;
  try {
    app = await starting;
    await way(world, app);
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
