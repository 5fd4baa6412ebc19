import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { examine } from '../../src/doctor/examine.ts';
import { openLiveWorld } from './live-world.ts';

const WRONG = '0123456789abcdef0123456789abcdef';

const OPTIONS = { hasFigures: true, slack: { retry: 'none' } } as const;

/** What the doctor says of the requests that Slack sends. */
async function askDoctor(environment: Record<string, string>) {
  const sections = await examine(readConfig(environment));
  return sections.find(({ title }) => title === 'Requests from Slack')?.findings;
}

const parse = (lines: readonly string[]) => lines.map((line) => JSON.parse(line));

describe('a wrong SLACK_SIGNING_SECRET', () => {
  it('is said in the log, in the figures and by the doctor, until it is mended', async () => {
    const world = await openLiveWorld(OPTIONS);
    await world.restart('SIGKILL', { SLACK_SIGNING_SECRET: WRONG });
    const nothingYet = await askDoctor(world.environment);

    const isVerified = await world.slack.verifyUrl();
    await world.ask('hello');
    const said = await world.untilLogged('slack requests refused');
    const figures = await world.figures();
    const wrong = await askDoctor(world.environment);

    expect(isVerified).toBe(false);
    expect(nothingYet).toMatchObject([{ level: 'warning', sentence: expect.stringContaining('No event was ever') }]);
    expect(parse(said)).toMatchObject([
      { level: 'warn', reason: 'signature', sentence: expect.stringContaining('does not match SLACK_SIGNING_SECRET') },
    ]);
    expect(figures).toMatch(/^assistant_bridge_slack_requests_refused_total\{reason="signature"\} [3-9]$/m);
    expect(wrong).toMatchObject([
      { level: 'error', sentence: expect.stringContaining('SLACK_SIGNING_SECRET is wrong') },
    ]);

    await world.restart('SIGTERM');
    expect(await world.slack.verifyUrl()).toBe(true);
    const verified = await expectSoon(
      world.environment,
      /^Slack verified the Request URL \d+ s ago\. No event came yet/,
    );
    await world.ask('hello');
    const mended = await expectSoon(world.environment, /^The last event of Slack came \d+ s ago\.$/);

    expect([verified?.[0]?.level, mended?.[0]?.level]).toEqual(['ok', 'ok']);
  });

  it('of requests that are old is the clock, and what others send is only counted', async () => {
    const world = await openLiveWorld(OPTIONS);

    await world.slack.deliver({ type: 'event_callback' }, { timestampOffsetSeconds: -3_600 });
    await expectSoon(world.environment, /their time is more than five minutes off/);
    await world.slack.deliver({ type: 'event_callback' }, { signature: 'none' });
    await fetch(`${world.publicUrl}/slack/events`);
    await world.slack.deliver('{"broken');
    await world.slack.deliver('x'.repeat(2 * 1024 * 1024));
    const event = { type: 'app_mention', user: 'U0ANA', channel: 'C0GENERAL', text: 'hello', ts: '1.1' };
    await world.slack.deliver({ type: 'event_callback', event_id: 'Ev1', team_id: 'T0999', event });
    const said = await world.untilLogged('slack requests refused');
    const figures = await world.figures();

    expect(parse(said)).toMatchObject([{ reason: 'stale', sentence: expect.stringContaining('Set the clock') }]);
    expect(
      [...figures.matchAll(/^assistant_bridge_slack_requests_refused_total\{reason="(\w+)"\} ([1-9])$/gm)].map(
        ([, ...one]) => one,
      ),
    ).toEqual([
      ['stale', '1'],
      ['no_signature', '1'],
      ['method', '1'],
      ['payload', '1'],
      ['too_large', '1'],
      ['unknown_workspace', '1'],
    ]);
  });
});

/** Notes are written beside the answers: the doctor may see them a moment later. */
async function expectSoon(environment: Record<string, string>, sentence: RegExp) {
  const look = () => askDoctor(environment);
  await expect.poll(async () => (await look())?.[0]?.sentence, { interval: 500 }).toMatch(sentence);
  return look();
}
