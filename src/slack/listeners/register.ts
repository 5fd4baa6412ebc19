import type { App } from '@slack/bolt';
import { registerAdminCommand } from './admin/admin-command.ts';
import type { AdminPorts } from './admin/admin-ports.ts';
import { registerLimitConfirm } from './admin/limit-confirm.ts';
import { registerLimitForm } from './admin/limit-form.ts';
import { registerSetLimit } from './admin/limit-open.ts';
import { registerLimitsPages } from './admin/limits.ts';
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
  app: App,
  ports: ListenerPorts & AppUninstalledPorts,
  admin: AdminPorts | undefined,
): void {
  registerMessage(app, ports);
  registerMessageDeleted(app, ports);
  registerSessionStopped(app, ports);
  registerUserChange(app, ports);
  registerAppUninstalled(app, ports);
  registerAssistantCommand(app, ports);
  registerWebOffCommand(app, ports);
  registerWebOffShortcut(app, ports);
  registerAnswerButtons(app, ports);
  registerCancelWaiting(app, ports);
  registerSignIn(app, ports);
  registerAdminCommand(app, admin);
  if (!admin) return;
  registerLimitsPages(app, admin);
  registerSetLimit(app, admin);
  registerLimitForm(app, admin);
  registerLimitConfirm(app, admin);
}
