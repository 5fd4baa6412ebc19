import { type ConnectionFault, readConnectionFault } from '../http/connection-fault.ts';
import { parseObject } from '../json.ts';
import { SLACK_FAULTS } from '../slack/web/slack-errors.ts';
import { type Sight, speak } from './check.ts';
import { describeConnectionFault } from './checks/services.ts';
import type { Finding } from './finding.ts';

const TIMEOUT_MS = 5_000;

/** What we go by of Slack's answers: https://docs.slack.dev/reference/methods/auth.test, …/conversations.info */
type Body = {
  ok?: boolean;
  error?: string;
  team?: string;
  team_id?: string;
  channel?: { is_member?: boolean; is_archived?: boolean; is_ext_shared?: boolean; is_pending_ext_shared?: boolean };
};

/**
 * `scopes`: of the token, where Slack tells them. `fault`: Slack has one of its own or asks us to wait, which says nothing
 * of the token. `unreachable`: no answer, or none that Slack would give.
 */
export type SlackAnswer =
  | { kind: 'accepted'; body: Body; scopes: string | undefined }
  | { kind: 'refused'; code: string }
  | { kind: 'fault'; code: string; retryAfter: string | undefined }
  | { kind: 'unreachable'; fault?: ConnectionFault | undefined };

/** `signal`: the end of all patience, where many are asked. */
type Asking = { token: string; method?: string; args?: Record<string, string>; signal?: AbortSignal };

/** Asks auth.test, if no other method is named. None that is named here changes anything. */
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
    // A page of whoever stands in between.
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
    '! Slack limits how often it may be asked ({code}). This says nothing of the token: keep it. Look again in {when}.',
  faulty:
    '✗ Slack has a fault of its own ({code}). This says nothing of the token: keep it. Look again in a few minutes; https://slack-status.com tells more.',
  unreachable: '✗ Slack cannot be asked at {url}{why}',
});

export const SILENCE_WORDS = words;

type Silence = Extract<SlackAnswer, { kind: 'fault' | 'unreachable' }>;

export function isSilent<Other extends { kind: string }>(answer: SlackAnswer | Other): answer is Silence {
  return answer.kind === 'fault' || answer.kind === 'unreachable';
}

/** Slack's trouble, which is easily taken for a bad token; the app waits it out in the same way. */
export function describeSilence(answer: Silence, { config }: Pick<Sight, 'config'>): Finding {
  if (answer.kind === 'unreachable') {
    const why = describeConnectionFault(answer.fault, 'SLACK_API_URL');
    return say('unreachable', { url: config.SLACK_API_URL, why });
  }
  const { code, retryAfter } = answer;
  if (code !== 'ratelimited' && code !== 'status 429') return say('faulty', { code });
  return say('limited', { code, when: retryAfter === undefined ? 'a minute' : `${retryAfter} s` });
}
