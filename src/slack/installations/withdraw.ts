import type { Log } from '../../log.ts';
import type { CallSlack } from '../web/methods.ts';
import { readRefusal } from '../web/slack-errors.ts';

type WithdrawOptions = { call: CallSlack; clientId: string; clientSecret: string; log: Log };

/**
 * Takes back what was installed a moment ago: uninstalls the app where that token is of, else revokes the token, which
 * leaves the app on the list but unable to do anything. Returns whether the app is gone. Never throws.
 */
export async function withdraw(botToken: string, options: WithdrawOptions): Promise<boolean> {
  const { call, clientId, clientSecret, log } = options;
  try {
    await call('apps.uninstall', botToken, { client_id: clientId, client_secret: clientSecret });
    return true;
  } catch (error) {
    log.warn({ slackError: readRefusal(error) }, 'not uninstalled, revoking the token instead');
  }
  try {
    await call('auth.revoke', botToken, {});
  } catch (error) {
    log.error({ slackError: readRefusal(error) }, 'a token that is not used could not be revoked');
  }
  return false;
}
