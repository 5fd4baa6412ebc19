import type { App } from '@slack/bolt';
import { installationOf } from '../installations/request-source.ts';
import { readMessage } from '../text-in/read-message.ts';
import { CALLBACKS } from '../views/content.ts';
import { answerClick } from './answer-click.ts';
import type { ListenerPorts } from './listener-ports.ts';

/** *Ask without web search* in the menu of any message: asks that message's text, as the person who chose it. */
export function registerWebOffShortcut(app: App, ports: ListenerPorts): void {
  app.shortcut({ type: 'message_action', callback_id: CALLBACKS.askWithoutWeb }, (click) =>
    answerClick(click, ports, async () => {
      const { message, channel, user, trigger_id: triggerId } = click.shortcut;
      const { team, workspace, botUserId } = await installationOf(click.shortcut, ports);
      const { text, links, unusable } = readMessage(message, { botUserId });
      const threadTs = typeof message.thread_ts === 'string' ? message.thread_ts : message.ts;
      await ports.accept(`shortcut:${team}:${triggerId}`, {
        asker: { team, user: user.id },
        workspace,
        channel: channel.id,
        origin: 'shortcut',
        audience: channel.id.startsWith('D') ? 'person' : 'channel',
        threadTs,
        messageTs: message.ts,
        startsThread: threadTs === message.ts,
        text,
        webSearch: false,
        links,
        unusable,
      });
      return undefined;
    }),
  );
}
