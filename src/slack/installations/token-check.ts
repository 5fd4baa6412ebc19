import { WebClient } from '@slack/web-api';
import { SLACK_FAULTS, SlackUnavailableError } from '../slack-errors.ts';
import { readSlackError } from '../web-client-error.ts';
import { CLIENT_OPTIONS, SILENT } from '../web-client-options.ts';

/** `revoked`: Slack says that it is over. `refused`: it does not work now, for whatever reason. */
export type TokenState = 'works' | 'revoked' | 'refused';

/** Slack waits three seconds for the acknowledgement of the event that this is asked for. */
const TIMEOUT_MS = 1_500;

/** https://docs.slack.dev/reference/methods/auth.test#errors */
const REVOKED = new Set(['account_inactive', 'token_revoked']);

/** Asks Slack whether a bot token still works. Throws SlackUnavailableError: nobody knows. */
export async function checkToken(botToken: string, apiUrl: string): Promise<TokenState> {
  const client = new WebClient(botToken, {
    ...CLIENT_OPTIONS,
    timeout: TIMEOUT_MS,
    slackApiUrl: apiUrl,
    logger: SILENT,
  });
  try {
    await client.auth.test();
    return 'works';
  } catch (error) {
    const slackError = readSlackError(error);
    if (slackError === undefined || SLACK_FAULTS.has(slackError))
      throw new SlackUnavailableError('auth.test', { cause: error });
    return REVOKED.has(slackError) ? 'revoked' : 'refused';
  }
}
