import { spawn } from 'node:child_process';
import type { AppControl } from '../../test/sandbox/workspace/panel/controls.ts';
import { createPanel } from '../../test/sandbox/workspace/panel/create-panel.ts';
import { startWorkspace } from '../../test/sandbox/workspace/start-workspace.ts';
import type { World } from '../../test/sandbox/world.ts';

const TIME_ZONES = { U0ANA: 'Europe/Berlin', U0BEN: 'America/New_York', U0KIM: 'Asia/Tokyo' };
const LENA = {
  id: 'U0LENA',
  name: 'lena',
  realName: 'Lena Lindner',
  email: 'lena@acme.example',
  tz: 'Europe/Berlin',
  locale: 'de-DE',
};

/** People far apart, one of them German, and the app under the name that its manifest gives it. */
export function prepareWorkspace({ slack }: World): void {
  for (const [id, tz] of Object.entries(TIME_ZONES)) Object.assign(slack.workspace.user(id), { tz });
  slack.workspace.addUser(LENA);
  for (const channel of ['C0GENERAL', 'C0PROJECT']) slack.workspace.channel(channel).members.add(LENA.id);
  const realName = slack.registration.features.bot_user?.display_name;
  if (realName) Object.assign(slack.workspace.user(slack.botUserId), { realName, name: realName.toLowerCase() });
}

/** Shows the world in the browser until the signal comes. */
export async function runWorkspace(world: World, app: AppControl): Promise<never> {
  const { url } = await startWorkspace(world, { panel: createPanel(world, app) });
  console.log(`
Ready: ${url}

Ask “@Assistant what is left of the launch budget?” there, as Ana and as Ben: change who you are at the left. Nothing leaves this machine.
Ctrl-C ends everything. (\`npm run demo -- --terminal\` is the same in the terminal.)`);
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
