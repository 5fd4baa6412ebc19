import type { App, SlashCommand } from '@slack/bolt';
import type { WebClient } from '@slack/web-api';
import type { Caller } from '../../../governance/is-admin.ts';
import { escapeMrkdwn } from '../../text-out/escape-mrkdwn.ts';
import { ADMIN_USAGE, buildAdminSignIn, buildAdminText, NOT_SET_UP } from '../../views/admin/admin-messages.ts';
import { requireAdmin, toCaller } from './access.ts';
import type { AdminPorts } from './admin-ports.ts';
import { parseAdminCommand } from './command-text.ts';
import { openLimitOf } from './limit-open.ts';
import { sayLimits } from './limits.ts';
import { createSay, type Say, startSaying } from './say.ts';

const WHICH_AGENT =
  'Say which agent: `/assistant-admin limit <agent>`. Part of its name is enough, and `/assistant-admin limits` lists all of them.';

/**
 * `/assistant-admin limits [agent] | limit <agent> | sign-in | help`, for admins alone. It is acknowledged without a
 * word: Slack offers no way to replace or remove what a command is acknowledged with.
 */
export function registerAdminCommand(app: App, ports: AdminPorts | undefined): void {
  app.command('/assistant-admin', async ({ command, ack, client }) => {
    if (!ports) return ack({ response_type: 'ephemeral', text: NOT_SET_UP });
    await ack();
    const say = createSay(command.response_url, ports);
    startSaying(say, ports, async () => {
      const caller = await toCaller({ body: command, user: command.user_id }, ports);
      await requireAdmin(caller, ports);
      await obey({ command, caller, client, say }, ports);
    });
  });
}

type Given = { command: SlashCommand; caller: Caller; client: WebClient; say: Say };

async function obey({ command, caller, client, say }: Given, ports: AdminPorts): Promise<void> {
  const { word, rest } = parseAdminCommand(command.text);
  switch (word) {
    case 'limits':
      return sayLimits({ query: rest, page: 0 }, { caller, say, isAwaited: true }, ports);
    case 'limit': {
      if (rest === '') return void (await say(buildAdminText(escapeMrkdwn(WHICH_AGENT))));
      const { trigger_id: triggerId, response_url: responseUrl } = command;
      return openLimitOf(rest, { caller, client, say, responseUrl, place: { triggerId } }, ports);
    }
    case 'sign-in':
      return void (await say(buildAdminSignIn(ports.signInVariant)));
    case '':
    case 'help':
      return void (await say(buildAdminText(escapeMrkdwn(ADMIN_USAGE))));
    default: {
      const unknown = `I do not know \`${word.slice(0, 50).replaceAll('`', '')}\`.`;
      await say(buildAdminText(escapeMrkdwn(`${unknown}\n${ADMIN_USAGE}`)));
    }
  }
}
