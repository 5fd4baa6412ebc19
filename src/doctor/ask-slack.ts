import { type ConnectionFault, readConnectionFault } from '../http/connection-fault.ts';
import type { HttpClient, HttpResponse } from '../http/http-client.ts';
import { SLACK_FAULTS } from '../slack/web/slack-errors.ts';
import { compareScopes, type ScopeDifference } from './describe-scopes.ts';

const TIMEOUT_MS = 5_000;

/**
 * What Slack says of a bot token. `fault`: it has one of its own or asks us to wait, which says nothing of the token.
 * `unreachable`: no answer, or none that Slack would give.
 */
export type TokenAnswer =
  | { kind: 'accepted'; team: string; teamId: string; scopes: ScopeDifference | undefined }
  | { kind: 'refused'; code: string }
  | { kind: 'fault'; code: string; retryAfterSeconds: number | undefined }
  | { kind: 'unreachable'; fault: ConnectionFault | undefined };

/**
 * Asks auth.test, which changes nothing; or for an app-level token, which auth.test refuses, for the address of a
 * connection, which is not opened. `limit`: the end of all patience, where many are asked.
 */
export async function askSlack(
  http: HttpClient,
  { apiUrl, botToken, method = 'auth.test' }: { apiUrl: string; botToken: string; method?: string },
  limit?: AbortSignal,
): Promise<TokenAnswer> {
  try {
    const response = await http.send({
      method: 'POST',
      url: `${apiUrl}/${method}`,
      subject: 'doctor',
      headers: { authorization: `Bearer ${botToken}` },
      totalTimeoutMs: TIMEOUT_MS,
      signal: limit,
    });
    return toAnswer(response, parseBody(await response.text()));
  } catch (cause) {
    return { kind: 'unreachable', fault: readConnectionFault(cause) };
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

function toAnswer({ status, headers }: HttpResponse, body: Body | undefined): TokenAnswer {
  const code = typeof body?.error === 'string' ? body.error : `status ${status}`;
  if (status === 429 || status >= 500 || SLACK_FAULTS.has(code)) {
    return { kind: 'fault', code, retryAfterSeconds: Number(headers['retry-after']) || undefined };
  }
  if (!body || typeof body.ok !== 'boolean') return { kind: 'unreachable', fault: undefined };
  if (!body.ok) return { kind: 'refused', code };
  return {
    kind: 'accepted',
    team: typeof body.team === 'string' ? body.team : 'a workspace',
    teamId: typeof body.team_id === 'string' ? body.team_id : 'no id',
    scopes: compareScopes([headers['x-oauth-scopes']].flat()[0] ?? null),
  };
}
