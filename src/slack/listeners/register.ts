import type { BoltApps } from '../bolt-app.ts';
import { registerAnswerButtons, registerCancelWaiting } from './answer-buttons.ts';
import { registerAssistantCommand } from './assistant-command.ts';
import { type ListenerPorts, registerMessage } from './message.ts';
import { registerSignIn } from './sign-in.ts';
import {
  type AppUninstalledPorts,
  registerAppUninstalled,
  registerMessageDeleted,
  registerSessionStopped,
  registerUserChange,
} from './slack-events.ts';
import { registerWebOffCommand, registerWebOffShortcut } from './web-off.ts';

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
