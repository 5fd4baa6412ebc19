import { type ConnectionFault, readConnectionFault } from '../http/connection-fault.ts';
import { parseObject } from '../json.ts';
import { SLACK_FAULTS } from '../slack/web/slack-errors.ts';
import { type Finding, type Sight, speak } from './check.ts';
import { describeConnectionFault } from './checks/services.ts';

const TIMEOUT_MS = 5_000;

/** The fields that we use: https://docs.slack.dev/reference/methods/auth.test, …/conversations.info */
type Body = {
  ok?: boolean;
  error?: string;
  team?: string;
  team_id?: string;
  channel?: { is_member?: boolean; is_archived?: boolean; is_ext_shared?: boolean; is_pending_ext_shared?: boolean };
};

/**
 * `scopes`: of the token, if Slack sends them. `fault`: Slack itself has a problem or asks us to wait, which says
 * nothing about the token. `unreachable`: no answer, or one that is not Slack's.
 */
export type SlackAnswer =
  | { kind: 'accepted'; body: Body; scopes: string | undefined }
  | { kind: 'refused'; code: string }
  | { kind: 'fault'; code: string; retryAfter: string | undefined }
  | { kind: 'unreachable'; fault?: ConnectionFault | undefined };

/** `signal`: ends a long series of requests. */
type Asking = { token: string; method?: string; args?: Record<string, string>; signal?: AbortSignal };

/** Calls auth.test, or another method. No method that is used here changes anything. */
export async function askSlack(
  { config, http }: Pick<Sight, 'config' | 'http'>,
  { token, method = 'auth.test', args = {}, signal }: Asking,
): Promise<SlackAnswer> {
  try {
    const response = await http.send({
      method: 'POST',
      url: `${config.SLACK_API_URL}/${method}`,
      subject: 'doctor',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(args).toString(),
      totalTimeoutMs: TIMEOUT_MS,
      signal,
    });
    const { status, headers } = response;
    const body = parseObject(await response.text()) as Body;
    const code = body.error ?? `status ${status}`;
    if (status === 429 || status >= 500 || SLACK_FAULTS.has(code)) {
      return { kind: 'fault', code, retryAfter: [headers['retry-after']].flat()[0] };
    }
    // A page of a proxy or firewall in between.
    if (typeof body.ok !== 'boolean') return { kind: 'unreachable' };
    return body.ok
      ? { kind: 'accepted', body, scopes: [headers['x-oauth-scopes']].flat()[0] }
      : { kind: 'refused', code };
  } catch (cause) {
    return { kind: 'unreachable', fault: readConnectionFault(cause) };
  }
}

const { words, say } = speak({
  limited:
    '! Slack limits our requests ({code}). This says nothing about the token: keep it. Run the doctor again in {when}.',
  faulty:
    '✗ Slack itself has a problem ({code}). This says nothing about the token: keep it. Run the doctor again in a few minutes, and see https://slack-status.com.',
  unreachable: '✗ Slack cannot be reached at {url}{why}',
});

export const SILENCE_WORDS = words;

type Silence = Extract<SlackAnswer, { kind: 'fault' | 'unreachable' }>;

export function isSilent<Other extends { kind: string }>(answer: SlackAnswer | Other): answer is Silence {
  return answer.kind === 'fault' || answer.kind === 'unreachable';
}

/** Describes a problem of Slack, which is easily taken for a bad token. The app waits until it is over. */
export function describeSilence(answer: Silence, { config }: Pick<Sight, 'config'>): Finding {
  if (answer.kind === 'unreachable') {
    const why = describeConnectionFault(answer.fault, 'SLACK_API_URL');
    return say('unreachable', { url: config.SLACK_API_URL, why });
  }
  const { code, retryAfter } = answer;
  if (code !== 'ratelimited' && code !== 'status 429') return say('faulty', { code });
  return say('limited', { code, when: retryAfter === undefined ? 'a minute' : `${retryAfter} s` });
}
