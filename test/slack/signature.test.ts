import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isCurrent, isSignedBySlack } from '../../src/slack/slack-request.ts';

const BODY = Buffer.from('{"type":"event_callback"}');
const now = () => Math.floor(Date.now() / 1000);

function sign(secret: string, timestamp: number, body = BODY) {
  const digest = createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex');
  return { 'x-slack-request-timestamp': String(timestamp), 'x-slack-signature': `v0=${digest}` };
}

describe('a signature', () => {
  it('is good for its body, its time and its secret', () => {
    expect(isSignedBySlack('secret', sign('secret', 100), BODY)).toBe(true);
  });

  it.each([
    ['another body', sign('secret', 100), Buffer.from('{}')],
    ['another time', { ...sign('secret', 100), 'x-slack-request-timestamp': '101' }, BODY],
    ['another secret', sign('other', 100), BODY],
    ['none', {}, BODY],
    ['an empty one', { ...sign('secret', 100), 'x-slack-signature': 'v0=' }, BODY],
    [
      'half of one',
      { ...sign('secret', 100), 'x-slack-signature': sign('secret', 100)['x-slack-signature'].slice(0, 40) },
      BODY,
    ],
    [
      'another version',
      { ...sign('secret', 100), 'x-slack-signature': sign('secret', 100)['x-slack-signature'].replace('v0', 'v1') },
      BODY,
    ],
    ['no hexadecimal', { ...sign('secret', 100), 'x-slack-signature': `v0=${'ä'.repeat(64)}` }, BODY],
  ])('is not good with %s', (_, headers, body) => {
    expect(isSignedBySlack('secret', headers, body)).toBe(false);
  });
});

describe('the time of a request', () => {
  it.each([
    [0, true],
    [-299, true],
    [299, true],
    [-301, false],
    [302, false],
  ])('%i s from now is current: %s', (offset, current) => {
    expect(isCurrent({ 'x-slack-request-timestamp': String(now() + offset) })).toBe(current);
  });

  it.each(['', 'soon', '1.5', undefined])('%j is not current', (timestamp) => {
    expect(isCurrent({ 'x-slack-request-timestamp': timestamp })).toBe(false);
  });
});
