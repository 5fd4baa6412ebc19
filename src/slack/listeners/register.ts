import type { BoltApps } from '../bolt-app.ts';
import { registerAnswerButtons } from './answer-buttons.ts';
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
import { registerWebOff } from './web-off.ts';

/**
 * All listeners except those for administrators: see registerAdminListeners. The manifest subscribes to exactly these
 * events and commands.
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
  registerWebOff(app, ports);
  registerAnswerButtons(app, ports);
  registerSignIn(app, ports);
}
