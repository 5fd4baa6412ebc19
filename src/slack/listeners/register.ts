import type { BoltApps } from '../bolt-app.ts';
import { ADMIN_COMMAND } from './admin/admin-command.ts';
import { type AdminListenerPorts, registerAdminListeners } from './admin/admin-listeners.ts';
import { registerNotSetUp } from './admin/admin-shell.ts';
import { registerAnswerButtons } from './answer-buttons.ts';
import { type AppUninstalledPorts, registerAppUninstalled } from './app-uninstalled.ts';
import { registerAssistantCommand } from './assistant-command.ts';
import { registerCancelWaiting } from './cancel-waiting.ts';
import type { ListenerPorts } from './listener-ports.ts';
import { registerMessage } from './message.ts';
import { registerMessageDeleted } from './message-deleted.ts';
import { registerSessionStopped } from './session-stopped.ts';
import { registerSignIn } from './sign-in.ts';
import { registerUserChange } from './user-change.ts';
import { registerWebOffCommand } from './web-off-command.ts';
import { registerWebOffShortcut } from './web-off-shortcut.ts';

/**
 * Everything that Slack sends and we listen to. The manifest asks Slack for exactly this. Without `admin` the admin
 * command says that it is not set up.
 */
export function registerListeners(
  { events, interactions: app }: BoltApps,
  ports: ListenerPorts & AppUninstalledPorts,
  admin: AdminListenerPorts | undefined,
): void {
  registerMessage(events, ports);
  registerMessageDeleted(events, ports);
  registerSessionStopped(events, ports);
  registerUserChange(events, ports);
  registerAppUninstalled(events, ports);
  registerAssistantCommand(app, ports);
  registerWebOffCommand(app, ports);
  registerWebOffShortcut(app, ports);
  registerAnswerButtons(app, ports);
  registerCancelWaiting(app, ports);
  registerSignIn(app, ports);
  if (admin) registerAdminListeners(app, admin);
  else registerNotSetUp(app, ADMIN_COMMAND);
}
