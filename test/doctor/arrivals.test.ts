import { describe, expect, it } from 'vitest';
import type { Finding } from '../../src/doctor/check.ts';
import { ARRIVALS, judgeArrivals } from '../../src/doctor/checks/arrivals.ts';
import type { Sightings } from '../../src/slack/intake-watch.ts';
import { nameOf, startLooking } from './look.ts';

const { note, findUnseen } = startLooking();

const NOW = 1_000_000_000;
const MINUTE_MS = 60_000;
const ago = (minutes: number) => ({ at: NOW - minutes * MINUTE_MS });
const eventsSince = (minutes: number) => ({ signed: ago(minutes), event: ago(minutes) });
const host = (name: string) => ({ ...ago(3), host: name });

const PUBLIC_URL = 'https://bridge.example.com';
type View = { isAppReady?: boolean; stage?: 'before start'; SLACK_APP_TOKEN?: string };

function look(seen: Sightings, { isAppReady = false, stage, SLACK_APP_TOKEN }: View = {}): Finding[] {
  const config = { PUBLIC_URL, ...(SLACK_APP_TOKEN && { SLACK_APP_TOKEN }) };
  return note(judgeArrivals(config, seen, { now: NOW, isAppReady, ...(stage && { stage }) }));
}

describe('the doctor and what Slack has sent', () => {
  it.each<[string, Sightings, word: string]>([
    ['nothing', {}, 'nothing'],
    ['clicks alone', { signed: ago(3) }, 'noEvent'],
    ['the verification alone', { signed: ago(3), url_verification: ago(3) }, 'verified'],
    ['events', { signed: ago(3), event: ago(4) }, 'event'],
    ['what a wrong secret refuses', { signature: ago(2) }, 'signature'],
    ['what a changed secret refuses', { ...eventsSince(1_500), signature: ago(2) }, 'signature'],
    ['what a stranger sends in a quiet hour', { ...eventsSince(90), signature: ago(2) }, 'doubtful'],
    ['what a stranger sends with an old time', { ...eventsSince(90), stale: ago(2) }, 'doubtful'],
    ['forgeries among events', { ...eventsSince(3), signature: ago(2) }, 'event'],
    ['what a wrong clock refuses', { signed: ago(1_500), stale: ago(2) }, 'stale'],
    ['what a clock refused earlier', { ...eventsSince(1), stale: ago(20) }, 'event'],
  ])('says so of %s', (_, seen, word) => {
    expect(nameOf(ARRIVALS, look(seen))).toEqual([word]);
  });

  it.each<[string, Sightings, word: string]>([
    ['no connection', {}, 'neverConnected'],
    ['a connection alone', { connected: ago(3) }, 'onlyConnected'],
    ['events', { connected: ago(9), ...eventsSince(3) }, 'event'],
    ['a wrong secret of earlier requests', { event: ago(9), signature: ago(2) }, 'event'],
  ])('with Socket Mode says so of %s', (_, seen, word) => {
    const found = look(seen, { SLACK_APP_TOKEN: 'xapp-1', isAppReady: true });

    expect(nameOf(ARRIVALS, found)).toEqual([word]);
  });

  it('says when, and what to do', () => {
    const sentence = (seen: Sightings) => look(seen)[0]?.sentence;

    expect(sentence({ signed: ago(3), event: ago(4) })).toBe('The last event of Slack came 4 min ago.');
    expect(sentence({ ...eventsSince(1_500), signature: ago(2) })).toMatch(
      /wrong\. The last one that was accepted came 25 h ago\. Copy the Signing Secret from/,
    );
    expect(sentence({ ...eventsSince(90), signature: ago(2) })).toMatch(/\(the last 2 min ago\).*90 min ago\).*Secret/);
    expect(sentence({ ...eventsSince(90), stale: ago(2) })).toContain('Set the clock of this machine.');
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
