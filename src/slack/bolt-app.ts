import { App, type Logger, LogLevel } from '@slack/bolt';
import { WebClient } from '@slack/web-api';
import { PermanentError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { FindInstallation, Installation } from './installation.ts';
import type { SlackReceiver } from './receiver.ts';

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
  const client = new WebClient(botToken, { ...CLIENT_OPTIONS, slackApiUrl: apiUrl });
  try {
    const { team_id = '', enterprise_id, bot_id = '', user_id = '' } = await client.auth.test();
    return { workspace: team_id, team: enterprise_id ?? team_id, botToken, botId: bot_id, botUserId: user_id };
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'no answer';
    throw new PermanentError(
      'slack_sign_in',
      `Slack does not accept SLACK_BOT_TOKEN, or cannot be reached: ${reason}`,
      {
        cause: error,
      },
    );
  }
}

/** What Bolt has to say goes into our log, without the bodies that it would print at debug. */
function toBoltLogger(log: Log): Logger {
  const child = log.child({ from: 'bolt' });
  return {
    debug: () => undefined,
    info: () => undefined,
    warn: (...words) => child.warn(words.join(' ')),
    error: (...words) => child.error(words.join(' ')),
    setLevel: () => undefined,
    getLevel: () => LogLevel.INFO,
    setName: () => undefined,
  };
}
