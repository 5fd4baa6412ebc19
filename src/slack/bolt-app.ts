import { App, type Logger, type Receiver } from '@slack/bolt';
import { PermanentError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { FindInstallation, Installation } from './installation.ts';
import { readSource } from './installations/request-source.ts';
import { CLIENT_OPTIONS, SILENT } from './web/bolt-client.ts';
import type { CallSlack } from './web/methods.ts';
import { readRefusal } from './web/slack-errors.ts';

/**
 * Bolt lets every listener have a look at every payload. Most payloads are messages, and most listeners are for what
 * people press and type: with all of them in one app, a sixth of what a turn allocates went there (measured).
 */
export type BoltApps = { events: App; interactions: App };

type BoltOptions = { findInstallation: FindInstallation; apiUrl: string; log: Log };

export function createBoltApps(options: BoltOptions): BoltApps {
  return { events: createBoltApp(options), interactions: createBoltApp(options) };
}

function createBoltApp({ findInstallation, apiUrl, log }: BoltOptions): App {
  const app = new App({
    receiver: PASSIVE,
    convoStore: false,
    clientOptions: { ...CLIENT_OPTIONS, slackApiUrl: apiUrl },
    logger: toBoltLogger(log),
    // Not asked for `app_uninstalled` and `tokens_revoked`, which come when there is nothing to find any more.
    authorize: async (_source, body) => {
      const { workspace, enterprise } = readSource(body ?? {});
      const { botToken, botId, botUserId } = await findInstallation(workspace, enterprise);
      // The team, not the organisation: Bolt sends it along with every call, and a token of a whole organisation
      // needs it for some.
      return { botToken, botId, botUserId, teamId: workspace };
    },
  });
  // Swallowed here, a failure would be acknowledged, and Slack would not send the event again.
  app.error(async (error) => {
    throw 'original' in error && error.original instanceof Error ? error.original : error;
  });
  return app;
}

/** What comes from Slack is handed to the app: see SlackReceiver. */
const PASSIVE: Receiver = {
  init: () => undefined,
  start: async () => undefined,
  stop: async () => undefined,
};

/** Asks Slack who we are. Throws a PermanentError with a sentence for the operator. */
export async function readInstallation(
  botToken: string,
  { call, apiUrl }: { call: CallSlack; apiUrl: string },
): Promise<Installation> {
  try {
    const answer = await call('auth.test', botToken, {});
    const { team_id = '', enterprise_id = '', is_enterprise_install, bot_id = '', user_id = '' } = answer;
    const team = enterprise_id || team_id;
    return { workspace: is_enterprise_install ? team : team_id, team, botToken, botId: bot_id, botUserId: user_id };
  } catch (error) {
    const refusal = readRefusal(error);
    const sentence = refusal
      ? `Slack does not accept SLACK_BOT_TOKEN (${refusal}). Copy it anew from OAuth & Permissions → Bot User OAuth Token.`
      : `Slack cannot be reached at ${apiUrl}. Check the network and SLACK_API_URL, then start again.`;
    throw new PermanentError('slack_sign_in', sentence, { cause: error });
  }
}

/** What Bolt has to say goes into our log, without the bodies that it would print at debug. */
function toBoltLogger(log: Log): Logger {
  const child = log.child({ from: 'bolt' });
  return {
    ...SILENT,
    warn: (...words) => child.warn(words.join(' ')),
    error: (...words) => child.error(words.join(' ')),
  };
}
