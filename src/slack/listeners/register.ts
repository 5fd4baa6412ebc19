import type { BoltApps } from '../bolt-app.ts';
import { registerAnswerButtons } from './answer-buttons.ts';
import { registerAssistantCommand } from './assistant-command.ts';
import { registerCancelWaiting } from './cancel-waiting.ts';
import type { ListenerPorts } from './listener-ports.ts';
import { registerMessage } from './message.ts';
import { registerMessageDeleted } from './message-deleted.ts';
import { registerSessionStopped } from './session-stopped.ts';
import { registerSignIn } from './sign-in.ts';
import { type AppUninstalledPorts, registerAppUninstalled } from './slack-events.ts';
import { registerUserChange } from './user-change.ts';
import { registerWebOffCommand } from './web-off.ts';
import { registerWebOffShortcut } from './web-off-shortcut.ts';

/**
 * Everything that Slack sends and we listen to, but for what administrators do: see registerAdminListeners. The manifest
 * asks Slack for exactly this.
 */
export function registerListeners(
  { events, interactions: app }: BoltApps,
  ports: ListenerPorts & AppUninstalledPorts,
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
}
