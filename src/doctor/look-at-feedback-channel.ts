import type { Config } from '../config.ts';
import type { HttpClient } from '../http/http-client.ts';
import { type Finding, ok, warning } from './finding.ts';

const TIMEOUT_MS = 5_000;

/** What of https://docs.slack.dev/reference/methods/conversations.info we go by. */
type Answer = {
  ok?: unknown;
  error?: unknown;
  channel?: { is_member?: unknown; is_archived?: unknown; is_ext_shared?: unknown; is_pending_ext_shared?: unknown };
};

/** Whether feedback can be posted to FEEDBACK_CHANNEL. Nothing if that is not set. `botToken`: of its workspace. */
export async function lookAtFeedbackChannel(
  { FEEDBACK_CHANNEL: place, SLACK_API_URL: apiUrl }: Config,
  http: HttpClient,
  botToken: string,
  limit?: AbortSignal,
): Promise<Finding[]> {
  if (!place) return [];
  try {
    const response = await http.send({
      method: 'POST',
      url: `${apiUrl}/conversations.info`,
      subject: 'doctor',
      headers: { authorization: `Bearer ${botToken}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ channel: place.id }).toString(),
      totalTimeoutMs: TIMEOUT_MS,
      signal: limit,
    });
    return [describe(place.id, JSON.parse(await response.text()) as Answer)];
  } catch {
    return [warning('Slack does not say whether the app can post to FEEDBACK_CHANNEL. Look again later.')];
  }
}

function describe(id: string, { ok: isOk, error: code, channel }: Answer): Finding {
  if (isOk !== true && code !== 'channel_not_found') {
    return warning(`Slack does not say whether the app can post to FEEDBACK_CHANNEL (${code}). Look again later.`);
  }
  if (isOk !== true || channel?.is_member === false) {
    return warning(
      `The app is not in FEEDBACK_CHANNEL (${id}): feedback is not posted. Invite it, or correct the value.`,
    );
  }
  if (channel?.is_archived === true) {
    return warning(`FEEDBACK_CHANNEL (${id}) is archived: feedback is not posted. Restore it, or name another one.`);
  }
  if (channel?.is_ext_shared === true || channel?.is_pending_ext_shared === true) {
    return warning(
      `FEEDBACK_CHANNEL (${id}) is shared with other organisations: feedback is not posted. Name another.`,
    );
  }
  return ok('The app can post to FEEDBACK_CHANNEL.');
}
