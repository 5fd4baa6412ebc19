/** What a bot token is of, and its end: https://docs.slack.dev/reference/methods/apps.uninstall */
import { endInstall, type Install } from '../installs.ts';
import type { Json } from '../records.ts';
import type { World } from '../world.ts';
import { flag, type Method, method, SlackApiError, text } from './method.ts';

export const INSTALLS: Record<string, Method> = {
  'auth.test': method([], {}, (_, world, install) => {
    const { app } = world.workspace;
    const bot = world.workspace.user(app.botUserId);
    return { url: `${world.url}/`, user: bot.name, user_id: bot.id, bot_id: app.botId, ...describe(world, install) };
  }),

  'auth.revoke': method([], { test: flag.optional() }, (given, world, install) => {
    if (!given.test) void endInstall(world, install, 'token_revoked');
    return { revoked: !given.test };
  }),

  'apps.uninstall': method([], { client_id: text, client_secret: text }, (given, world, install) => {
    if (given.client_id !== world.credentials.clientId) throw new SlackApiError('invalid_client_id');
    if (given.client_secret !== world.credentials.clientSecret) throw new SlackApiError('bad_client_secret');
    void endInstall(world, install, 'account_inactive');
    return {};
  }),
};

function describe({ workspace }: World, { isEnterprise }: Install): Json {
  const { id, name, enterprise } = workspace.team;
  const shown = isEnterprise && enterprise ? enterprise : { id, name };
  return {
    team: shown.name,
    team_id: shown.id,
    ...(enterprise && { enterprise_id: enterprise.id }),
    is_enterprise_install: isEnterprise,
  };
}
