import type { CustomFetch } from 'openid-client';
import type { ConfigurationFault } from './configuration-fault.ts';
import { toSafeCode } from './provider-errors.ts';

/** Slack's own word for why it refuses: https://docs.slack.dev/reference/methods/openid.connect.token#errors */
export class SlackAnswerError extends Error {
  readonly code: string;

  constructor(code: string) {
    super(`Sign in with Slack: ${code}`);
    this.code = code;
  }

  /** Slack's trouble, or too many requests. */
  get isTemporary(): boolean {
    return TEMPORARY.has(this.code);
  }
}

const TEMPORARY = new Set([
  'fatal_error',
  'internal_error',
  'ratelimited',
  'request_timeout',
  'service_unavailable',
  'team_added_to_org',
]);

const VARIABLES: Record<string, string> = {
  bad_client_secret: 'SLACK_CLIENT_SECRET',
  bad_redirect_uri: 'PUBLIC_URL',
  invalid_client_id: 'SLACK_CLIENT_ID',
};

export function toSlackFault({ code }: SlackAnswerError): ConfigurationFault | undefined {
  const variable = VARIABLES[code];
  return variable === undefined ? undefined : { variable, slackError: code };
}

/** Slack refuses with status 200 and `ok: false`, which openid-client would take for a token answer without a token. */
export function refuseSlackErrors(fetch: CustomFetch): CustomFetch {
  return async (url, request) => {
    const answer = await fetch(url, request);
    const code = readError(await answer.clone().text());
    if (code !== undefined) throw new SlackAnswerError(toSafeCode(code));
    return answer;
  };
}

function readError(text: string): string | undefined {
  try {
    const body: unknown = JSON.parse(text);
    const isRefusal = typeof body === 'object' && body !== null && 'ok' in body && body.ok === false;
    return isRefusal && 'error' in body && typeof body.error === 'string' ? body.error : undefined;
  } catch {
    return undefined;
  }
}
