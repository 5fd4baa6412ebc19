import { beforeAll, expect, it } from 'vitest';
import { CHANNEL, shareLiveWorld } from './live-world.ts';

const world = shareLiveWorld({
  redis: true,
  signedIn: [],
  slack: { isInstalled: false, retry: 'none' },
  environment: { SLACK_BOT_TOKEN: '', SLACK_ALLOWED_TEAMS: 'T0001' },
});

beforeAll(async () => {
  // Browsers reach the first replica, Slack the second one.
  const { url } = await world.startOther();
  world.slack.connectApp(`${url}/slack/events`);
});

async function install(): Promise<void> {
  expect((await world.installByPages()).page.heading).toBe('The assistant is installed');
}

/** What the second replica answers to a message, as if Slack knew nothing of what was installed. */
async function deliver(): Promise<number | undefined> {
  const event = { type: 'message', channel: CHANNEL, user: 'U0ANA', text: 'to nobody', ts: '1700000000.000100' };
  const envelope = { type: 'event_callback', event_id: 'Ev0ANY', team_id: 'T0001', event };
  return (await world.slack.deliver(envelope, { retry: 'none' })).status;
}

it('an installation, and its end, are announced to the other replicas', async () => {
  // A replica that has just started may take longer than Slack waits.
  await expect.poll(deliver).toBe(403);

  await install();
  await expect.poll(deliver).toBe(200);

  await world.slack.uninstall();
  await expect.poll(deliver).toBe(403);

  await install();
  await expect.poll(deliver).toBe(200);
});
