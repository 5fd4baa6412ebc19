import { App, type Logger, LogLevel } from '@slack/bolt';
import { WebClient } from '@slack/web-api';
import { PermanentError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { FindInstallation, Installation } from './installation.ts';
import type { SlackReceiver } from './receiver.ts';
import { readSlackError } from './web-client-error.ts';

/**
 * For what is not on the way of a turn. WebClient would otherwise wait for ever, retry posts for half an hour, and send
 * the token to any address it is given. No `headers` here: Bolt would share one team's with all.
 */
const CLIENT_OPTIONS = {
  timeout: 10_000,
  retryConfig: { retries: 0 },
  rejectRateLimitedCalls: true,
  allowAbsoluteUrls: false,
};

export function createBoltApp(options: {
  receiver: SlackReceiver;
  findInstallation: FindInstallation;
  apiUrl: string;
  log: Log;
}): App {
  const { receiver, findInstallation, apiUrl, log } = options;
  const app = new App({
    receiver,
    convoStore: false,
    clientOptions: { ...CLIENT_OPTIONS, slackApiUrl: apiUrl },
    logger: toBoltLogger(log),
    authorize: async ({ teamId = '' }) => {
      const { botToken, botId, botUserId } = await findInstallation(teamId);
      return { botToken, botId, botUserId, teamId };
    },
  });
  // Swallowed here, a failure would be acknowledged, and Slack would not send the event again.
  app.error(async (error) => {
    throw 'original' in error && error.original instanceof Error ? error.original : error;
  });
  return app;
}

/** Asks Slack who we are. Throws a PermanentError with a sentence for the operator. */
export async function readInstallation(botToken: string, apiUrl: string): Promise<Installation> {
  const client = new WebClient(botToken, { ...CLIENT_OPTIONS, slackApiUrl: apiUrl, logger: SILENT });
  try {
    const { team_id = '', enterprise_id, bot_id = '', user_id = '' } = await client.auth.test();
    return { workspace: team_id, team: enterprise_id ?? team_id, botToken, botId: bot_id, botUserId: user_id };
  } catch (error) {
    const refusal = readSlackError(error);
    const sentence = refusal
      ? `Slack does not accept SLACK_BOT_TOKEN (${refusal}). Copy it anew from OAuth & Permissions.`
      : `Slack cannot be reached at ${apiUrl}. Check the network and SLACK_API_URL, then start again.`;
    throw new PermanentError('slack_sign_in', sentence, { cause: error });
  }
}

/** What it would print is in what it throws. */
const SILENT: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  setLevel: () => undefined,
  getLevel: () => LogLevel.INFO,
  setName: () => undefined,
};

/** What Bolt has to say goes into our log, without the bodies that it would print at debug. */
function toBoltLogger(log: Log): Logger {
  const child = log.child({ from: 'bolt' });
  return {
    ...SILENT,
    warn: (...words) => child.warn(words.join(' ')),
    error: (...words) => child.error(words.join(' ')),
  };
}
