import type { CallSlack } from '../web/methods.ts';
import { readRefusal, SlackUnavailableError } from '../web/slack-errors.ts';

/** `revoked`: Slack says that it is over. `refused`: it does not work now, for whatever reason. */
export type TokenState = 'works' | 'revoked' | 'refused';

/** Slack waits three seconds for the acknowledgement of the event that this is asked for. */
const TIMEOUT_MS = 1_500;

/** https://docs.slack.dev/reference/methods/auth.test#errors */
const REVOKED = new Set(['account_inactive', 'token_revoked']);

/** Asks Slack whether a bot token still works. Throws SlackUnavailableError: nobody knows. */
export async function checkToken(botToken: string, call: CallSlack): Promise<TokenState> {
  try {
    await call('auth.test', botToken, {}, 'answer', AbortSignal.timeout(TIMEOUT_MS));
    return 'works';
  } catch (error) {
    const refusal = readRefusal(error);
    if (refusal === undefined) throw new SlackUnavailableError('auth.test', { cause: error });
    return REVOKED.has(refusal) ? 'revoked' : 'refused';
  }
}
