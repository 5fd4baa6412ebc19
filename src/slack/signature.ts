import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether Slack signed this body: https://docs.slack.dev/authentication/verifying-requests-from-slack. Bolt's own check
 * does the same, but compares by way of two more signatures with new keys, which costs ten times as much.
 */
export function isSignedBySlack(signingSecret: string, headers: IncomingHttpHeaders, body: Buffer): boolean {
  const [version, digest = ''] = String(headers['x-slack-signature']).split('=');
  const given = Buffer.from(digest, 'hex');
  const expected = createHmac('sha256', signingSecret)
    .update(`v0:${headers['x-slack-request-timestamp']}:`)
    .update(body)
    .digest();
  return version === 'v0' && given.length === expected.length && timingSafeEqual(given, expected);
}

/** Whether it has what Slack sends with each request, be it right or wrong. */
export function claimsToBeSigned(headers: IncomingHttpHeaders): boolean {
  const isTime = /^\d{1,12}$/.test(String(headers['x-slack-request-timestamp']));
  return isTime && /^v0=[0-9a-f]{64}$/i.test(String(headers['x-slack-signature']));
}

/** Both ways: an old request may be a replay, and one from the future could be kept and replayed later. */
const REPLAY_WINDOW_S = 5 * 60;

export function isCurrent(headers: IncomingHttpHeaders): boolean {
  const seconds = Number(headers['x-slack-request-timestamp']);
  return Number.isInteger(seconds) && Math.abs(Date.now() / 1000 - seconds) <= REPLAY_WINDOW_S;
}
