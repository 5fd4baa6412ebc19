import { SLACK_FAULTS } from '../../src/slack/web/slack-errors.ts';
import { compareScopes, type ScopeDifference } from './describe-scopes.ts';

const TIMEOUT_MS = 5_000;

/**
 * What Slack says of a bot token. `fault`: it has one of its own or asks us to wait, which says nothing of the token.
 * `unreachable`: no answer, or none that Slack would give.
 */
export type TokenAnswer =
  | { kind: 'accepted'; team: string; teamId: string; scopes: ScopeDifference | undefined; date: string | null }
  | { kind: 'refused'; code: string }
  | { kind: 'fault'; code: string; retryAfterSeconds: number | undefined }
  | { kind: 'unreachable' };

/** Asks auth.test, which changes nothing. `limit`: the end of all patience, where many are asked. */
export async function askSlack(apiUrl: string, botToken: string, limit?: AbortSignal): Promise<TokenAnswer> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await fetch(`${apiUrl}/auth.test`, {
      method: 'POST',
      headers: { authorization: `Bearer ${botToken}` },
      signal: limit ? AbortSignal.any([limit, timeout]) : timeout,
    });
    return toAnswer(response, parseBody(await response.text()));
  } catch {
    return { kind: 'unreachable' };
  }
}

/** What of https://docs.slack.dev/reference/methods/auth.test we go by. */
type Body = { ok?: unknown; error?: unknown; team?: unknown; team_id?: unknown };

/** Undefined: a page of whoever stands in between, or of Slack in trouble. */
function parseBody(text: string): Body | undefined {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? body : undefined;
  } catch {
    return undefined;
  }
}

function toAnswer({ status, headers }: Response, body: Body | undefined): TokenAnswer {
  const code = typeof body?.error === 'string' ? body.error : `status ${status}`;
  if (status === 429 || status >= 500 || SLACK_FAULTS.has(code)) {
    return { kind: 'fault', code, retryAfterSeconds: Number(headers.get('retry-after')) || undefined };
  }
  if (!body || typeof body.ok !== 'boolean') return { kind: 'unreachable' };
  if (!body.ok) return { kind: 'refused', code };
  return {
    kind: 'accepted',
    team: typeof body.team === 'string' ? body.team : 'a workspace',
    teamId: typeof body.team_id === 'string' ? body.team_id : 'no id',
    scopes: compareScopes(headers.get('x-oauth-scopes')),
    date: headers.get('date'),
  };
}
