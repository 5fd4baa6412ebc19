import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { isCurrent, isSignedBySlack } from '../../src/slack/slack-request.ts';

const BODY = Buffer.from('{"type":"event_callback"}');

function sign(secret = 'secret', timestamp = '100') {
  const digest = createHmac('sha256', secret).update(`v0:${timestamp}:${BODY}`).digest('hex');
  return { 'x-slack-request-timestamp': timestamp, 'x-slack-signature': `v0=${digest}` };
}

const signature = sign()['x-slack-signature'];

it.each<[string, object, boolean, Buffer?]>([
  ['its body, its time and its secret', {}, true],
  ['another body', {}, false, Buffer.from('{}')],
  ['another time', { 'x-slack-request-timestamp': '101' }, false],
  ['another secret', sign('other'), false],
  ['no signature', { 'x-slack-signature': undefined }, false],
  ['an empty one', { 'x-slack-signature': 'v0=' }, false],
  ['half of one', { 'x-slack-signature': signature.slice(0, 40) }, false],
  ['another version', { 'x-slack-signature': signature.replace('v0', 'v1') }, false],
  ['no hexadecimal', { 'x-slack-signature': `v0=${'ä'.repeat(64)}` }, false],
])('a signature is good with %s: %s', (_, change, isGood, body = BODY) => {
  expect(isSignedBySlack('secret', { ...sign(), ...change }, body)).toBe(isGood);
});

it.each<[number | string | undefined, boolean]>([
  [0, true],
  [-299, true],
  [299, true],
  [-301, false],
  [302, false],
  ['', false],
  ['soon', false],
  ['1.5', false],
  [undefined, false],
])('the time of a request (or seconds from now) %j is current: %s', (time, isNow) => {
  const timestamp = typeof time === 'number' ? String(Math.floor(Date.now() / 1000) + time) : time;

  expect(isCurrent({ 'x-slack-request-timestamp': timestamp })).toBe(isNow);
});
