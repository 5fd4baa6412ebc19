import { describe, expect, it } from 'vitest';
import { ARRIVALS, judgeArrivals } from '../../src/doctor/checks/arrivals.ts';
import type { Finding } from '../../src/doctor/finding.ts';
import type { Sightings } from '../../src/slack/intake-watch.ts';
import { startLooking } from './look.ts';

const { note, findUnseen } = startLooking();

const NOW = 1_000_000_000;
const MINUTE_MS = 60_000;
const ago = (minutes: number) => ({ at: NOW - minutes * MINUTE_MS });
const host = (name: string) => ({ ...ago(3), host: name });

const PUBLIC_URL = 'https://bridge.example.com';
type View = { isAppReady?: boolean; stage?: 'before start'; SLACK_APP_TOKEN?: string };

function look(seen: Sightings, { isAppReady = false, stage, SLACK_APP_TOKEN }: View = {}): Finding[] {
  const config = { PUBLIC_URL, ...(SLACK_APP_TOKEN && { SLACK_APP_TOKEN }) };
  return note(judgeArrivals(config, seen, { now: NOW, isAppReady, ...(stage && { stage }) }));
}

describe('the doctor and what Slack has sent', () => {
  it.each<[string, Sightings, string, RegExp]>([
    ['nothing', {}, 'warning', /^No event was ever received .* Event Subscriptions .* press Retry .*PUBLIC_URL/],
    ['clicks alone', { signed: ago(3) }, 'warning', /came 3 min ago, but no event was ever received/],
    [
      'the verification alone',
      { signed: ago(3), url_verification: ago(3) },
      'ok',
      /^Slack verified the Request URL 3 min ago\. No event came yet: mention the app/,
    ],
    ['events', { signed: ago(3), event: ago(4) }, 'ok', /^The last event of Slack came 4 min ago\.$/],
    [
      'what a wrong secret refuses',
      { signature: ago(2) },
      'error',
      /the last 2 min ago\): SLACK_SIGNING_SECRET is wrong/,
    ],
    [
      'what a changed secret refuses',
      { signed: ago(1_500), event: ago(1_500), signature: ago(2) },
      'error',
      /SLACK_SIGNING_SECRET is wrong\. The last one that was accepted came 25 h ago\. Copy the Signing Secret from/,
    ],
    [
      'what a stranger sends in a quiet hour',
      { signed: ago(90), event: ago(90), signature: ago(2) },
      'warning',
      /does not match \(the last 2 min ago\), but others were accepted \(the last 90 min ago\)\. .* Copy the Signing Secret .* somebody else sends these\.$/,
    ],
    [
      'what a stranger sends with an old time',
      { signed: ago(90), event: ago(90), stale: ago(2) },
      'warning',
      /Set the clock of this machine\. Otherwise somebody else sends these\.$/,
    ],
    ['forgeries among events', { signed: ago(3), event: ago(3), signature: ago(2) }, 'ok', /last event/],
    ['what a wrong clock refuses', { signed: ago(1_500), stale: ago(2) }, 'error', /Set the clock of this machine\.$/],
    ['what a clock refused earlier', { signed: ago(1), event: ago(1), stale: ago(20) }, 'ok', /last event/],
  ])('says so of %s', (_, seen, level, sentence) => {
    expect(look(seen)).toEqual([{ level, sentence: expect.stringMatching(sentence) }]);
  });

  it.each<[string, Sightings, string, RegExp]>([
    ['no connection', {}, 'warning', /^The app was never connected to Slack\. Start it, and see its log\.$/],
    ['a connection alone', { connected: ago(3) }, 'warning', /connected to Slack 3 min ago, but no event .* --socket /],
    [
      'events',
      { connected: ago(9), signed: ago(3), event: ago(4) },
      'ok',
      /^The last event of Slack came 4 min ago\.$/,
    ],
    ['a wrong secret of earlier requests', { event: ago(9), signature: ago(2) }, 'ok', /last event/],
  ])('with Socket Mode says so of %s', (_, seen, level, sentence) => {
    const found = look(seen, { SLACK_APP_TOKEN: 'xapp-1', isAppReady: true });

    expect(found).toEqual([{ level, sentence: expect.stringMatching(sentence) }]);
  });

  it('says that the app is to be started only where it is not ready', () => {
    expect(look({})[0]?.sentence).toContain('Start the app, then open Event Subscriptions');
    expect(look({}, { stage: 'before start' })).toMatchObject([{ level: 'ok' }]);
    expect(look({}, { isAppReady: true })[0]?.sentence).toContain('nobody is answered. Open Event Subscriptions');
  });

  it('names PUBLIC_URL where Slack sends to another host', () => {
    const [, finding] = look({ signed: host('old.example.com'), event: ago(3) });

    expect(finding).toMatchObject({
      level: 'warning',
      sentence: expect.stringMatching(/^Slack's requests are sent to old\.example\.com, but PUBLIC_URL is https:/),
    });
  });

  it.each([
    'bridge.example.com',
    'bridge.example.com:443',
    'app-1:3000',
    '10.0.0.7:3000',
    '[::1]:3000',
    '',
    'a b\u001b[2J',
  ])('takes nothing from a host that a proxy may have put there: %j', (name) => {
    expect(look({ signed: host(name), event: ago(3) })).toHaveLength(1);
  });

  it.each([
    ['requests', {}, /^Half of the last events came within 2\.2 s after Slack sent them, by the clock here\.$/],
    ['Socket Mode', { SLACK_APP_TOKEN: 'xapp-1' }, /within 2\.2 s .* Socket Mode takes about two seconds/],
  ])('says how long events take with %s', (_, view, sentence) => {
    const found = look({ signed: ago(3), event: ago(4), delivered: { ...ago(4), lagMs: 2_240 } }, view);

    expect(found).toHaveLength(2);
    expect(found[1]).toMatchObject({ level: 'ok', sentence: expect.stringMatching(sentence) });
  });

  it('has a test for every sentence', () => expect(findUnseen(ARRIVALS)).toEqual([]));
});
