import { claimPort } from '@assistant-bridge/sandbox/claim-port.ts';
import type { Block, Json } from '@assistant-bridge/sandbox/slack/records.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHANNEL, type LiveWorld, startLiveWorld } from './live-world.ts';

const BELONGS = 'belongs to an older version of this app, or to a part of it that is turned off. Nothing was done.';

const BUTTON: Block = {
  type: 'actions',
  elements: [{ type: 'button', action_id: 'of_last_year', text: { type: 'plain_text', text: 'Do it' }, value: '1' }],
};
const OLD_MODAL: Json = {
  type: 'modal',
  callback_id: 'of_last_year',
  title: { type: 'plain_text', text: 'Old' },
  submit: { type: 'plain_text', text: 'Send' },
  blocks: [BUTTON],
};

let world: LiveWorld;
let opsPort: number;

beforeAll(async () => {
  opsPort = await claimPort();
  world = await startLiveWorld({ slack: { retry: 'none' }, environment: { OPS_PORT: String(opsPort) } });
  world.slack.registration.commands?.add('/assistant-old');
  world.slack.registration.shortcuts?.add('of_last_year');
});
afterAll(() => world.close());

const ana = () => world.slack.as('U0ANA');
const told = (channel: string, threadTs?: string) =>
  world.slack.until(
    () =>
      ana()
        .sees(channel, threadTs)
        .find(({ text }) => text.includes(BELONGS)),
    {
      what: `a word ${threadTs ? 'in the thread' : 'at the root'}`,
    },
  );

describe('what an earlier release left behind', () => {
  it('a button in a thread tells so in that thread', async () => {
    const root = await ana().say(CHANNEL, 'long ago');
    const old = world.slack.leaveMessage({ channel: CHANNEL, threadTs: root.ts, text: 'old', blocks: [BUTTON] });

    const { status } = await ana().click(old, 'Do it');

    expect(status).toBe(200);
    expect((await told(CHANNEL, root.ts)).ephemeralFor).toBe('U0ANA');
  });

  it('a button at the root of a channel tells so there', async () => {
    const old = world.slack.leaveMessage({ channel: CHANNEL, text: 'old', blocks: [BUTTON] });

    await ana().click(old, 'Do it');

    expect((await told(CHANNEL)).ephemeralFor).toBe('U0ANA');
  });

  it('a button in a direct message tells so under it', async () => {
    const old = world.slack.leaveMessage({ channel: ana().dm, text: 'old', blocks: [BUTTON] });

    await ana().click(old, 'Do it');

    await told(ana().dm, old.ts);
  });

  it('a window tells so in that window, whether it is sent or something in it is clicked', async () => {
    const sent = await ana().submit(world.slack.leaveModal('U0ANA', OLD_MODAL));
    const afterSending = sent.view && world.slack.render(sent.view);
    const { status } = await ana().clickInView(world.slack.leaveModal('U0ANA', OLD_MODAL), 'Do it');
    const afterClick = await world.slack.until(() => {
      const view = ana().openView();
      return view && world.slack.render(view).includes(BELONGS) && world.slack.render(view);
    });

    expect([sent.status, status]).toEqual([200, 200]);
    for (const shown of [afterSending, afterClick]) {
      expect(shown).toBe(`── Out of date ──\nThis window ${BELONGS} Close it, and see /assistant help.\n[Close]`);
    }
  });

  it('a shortcut tells so in the thread of the message', async () => {
    const root = await ana().say(CHANNEL, 'a message');
    const reply = await ana().say(CHANNEL, 'and a reply', { threadTs: root.ts });

    const { status } = await ana().shortcut(reply, 'of_last_year');

    expect(status).toBe(200);
    await told(CHANNEL, root.ts);
  });

  it('a command tells so', async () => {
    const { error, reply } = await ana().command('/assistant-old', 'x', CHANNEL);

    expect(error).toBeUndefined();
    expect(reply?.text).toContain(BELONGS);
  });

  it('never makes Slack say that the app did not respond', () => {
    expect(ana().warnings()).toEqual([]);
  });
});

describe('what Slack sends beside all that', () => {
  it('is acknowledged where it is an event that nobody listens to', async () => {
    const event = { type: 'of_next_year', user: 'U0ANA' };
    const { status } = await world.slack.deliver({ type: 'event_callback', team_id: 'T0001', event_id: 'Ev1', event });

    expect(status).toBe(200);
  });

  it('is logged and counted where it tells that events were dropped', async () => {
    const { status } = await world.slack.deliver({
      token: 'x',
      type: 'app_rate_limited',
      team_id: 'T0001',
      minute_rate_limited: 1_518_467_820,
      api_app_id: 'A0BRIDGE',
    });
    const forged = await world.slack.deliver({ type: 'app_rate_limited' }, { signature: 'wrong' });
    const lines = () => world.app.lines.filter((line) => line.includes('slack drops events'));
    await world.slack.until(() => lines().length > 0);
    const figures = await (await fetch(`http://127.0.0.1:${opsPort}/metrics`)).text();

    expect([status, forged.status]).toEqual([200, 401]);
    expect(lines().map((line) => JSON.parse(line))).toMatchObject([
      { level: 'warn', minute_rate_limited: 1_518_467_820, team: 'T0001' },
    ]);
    expect(figures).toMatch(/type="app_rate_limited",result="acknowledged"\} 1$/m);
  });
});
