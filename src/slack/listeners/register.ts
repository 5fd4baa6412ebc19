import type { SlackApp } from '../bolt-app.ts';
import type { Messenger } from '../messenger.ts';
import type { ThreadReader } from '../read-thread.ts';
import { registerAnswerButtons } from './answer-buttons.ts';
import { registerAskAbout } from './ask-about.ts';
import { registerAssistantCommand } from './assistant-command.ts';
import { registerAskEdited, registerChangedMessages } from './changed-messages.ts';
import { registerFeedback } from './feedback.ts';
import { type HomePorts, registerHome } from './home.ts';
import { registerMessage } from './message.ts';
import { registerMyData } from './my-data.ts';
import type { ListenerPorts } from './ports.ts';
import { registerSchedules } from './schedules.ts';
import { registerSignIn } from './sign-in.ts';
import {
  type AppUninstalledPorts,
  registerAppUninstalled,
  registerChannelMembers,
  registerChannelShared,
  registerSessionStopped,
  registerUserChange,
} from './slack-events.ts';
import { registerWebOff } from './web-off.ts';

/**
 * All listeners except those for administrators: see registerAdminListeners. The manifest subscribes to exactly these
 * events and commands.
 */
export function registerListeners(
  apps: SlackApp,
  ports: ListenerPorts &
    AppUninstalledPorts &
    HomePorts & { messenger: Messenger } & Pick<ThreadReader, 'readQuestion'>,
): void {
  const { events, interactions: app } = apps;
  registerMessage(events, ports);
  registerChangedMessages(events, ports);
  registerSessionStopped(events, ports);
  registerUserChange(events, ports);
  registerChannelShared(events, ports);
  registerChannelMembers(events, ports);
  registerAppUninstalled(events, ports);
  registerAssistantCommand(app, ports);
  registerWebOff(app, ports);
  registerAskAbout(app, ports);
  registerAnswerButtons(app, ports);
  registerAskEdited(app, ports);
  registerFeedback(app, ports);
  registerSignIn(app, ports);
  registerHome(apps, ports);
  registerSchedules(app, ports);
  registerMyData(app, ports);
}
