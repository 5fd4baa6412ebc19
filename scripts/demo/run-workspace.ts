import { spawn } from 'node:child_process';
import type { AppControl } from '@assistant-bridge/sandbox/workspace/panel/controls.ts';
import { createPanel } from '@assistant-bridge/sandbox/workspace/panel/create-panel.ts';
import { startWorkspace } from '@assistant-bridge/sandbox/workspace/start-workspace.ts';
import type { World } from '../../test/app/world.ts';

/** Shows the world in the browser until the signal comes. */
export async function runWorkspace(world: World, app: AppControl): Promise<never> {
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
