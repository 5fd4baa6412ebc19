import type { WebClient } from '@slack/web-api';
import type { Content } from '../../views/content.ts';
import { readSlackError } from '../../web-client-error.ts';
import type { AdminPorts } from './admin-ports.ts';
import { createSay, type Say } from './say.ts';

/**
 * Where the command was given, as long as Slack lets us; a modal may stay open for longer than that, and then it is a
 * direct message: who changed something has to learn how it ended.
 */
export function sayOrWrite(
  { replyTo, client, user }: { replyTo: string | undefined; client: WebClient; user: string },
  ports: AdminPorts,
): Say {
  const say = createSay(replyTo ?? '', ports);
  return async (content: Content) => {
    if (await say(content)) return true;
    try {
      const { channel } = await client.conversations.open({ users: user });
      await client.chat.postMessage({ channel: channel?.id ?? '', ...content });
      return true;
    } catch (error) {
      ports.log.warn({ slackError: readSlackError(error) }, 'outcome not sent');
      return false;
    }
  };
}
