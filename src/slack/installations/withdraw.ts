import { WebClient } from '@slack/web-api';
import type { Log } from '../../log.ts';
import { readSlackError } from '../web-client-error.ts';
import { CLIENT_OPTIONS, SILENT } from '../web-client-options.ts';

type WithdrawOptions = { apiUrl: string; clientId: string; clientSecret: string; log: Log };

/**
 * Takes back what was installed a moment ago: uninstalls the app where that token is of, else revokes the token, which
 * leaves the app on the list but unable to do anything. Returns whether the app is gone. Never throws.
 */
export async function withdraw(botToken: string, options: WithdrawOptions): Promise<boolean> {
  const { apiUrl, clientId, clientSecret, log } = options;
  const client = new WebClient(botToken, { ...CLIENT_OPTIONS, slackApiUrl: apiUrl, logger: SILENT });
  try {
    await client.apps.uninstall({ client_id: clientId, client_secret: clientSecret });
    return true;
  } catch (error) {
    log.warn({ slackError: readSlackError(error) }, 'not uninstalled, revoking the token instead');
  }
  try {
    await client.auth.revoke();
  } catch (error) {
    log.error({ slackError: readSlackError(error) }, 'a token that is not used could not be revoked');
  }
  return false;
}
