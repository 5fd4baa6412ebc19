import { createBrowser } from '@assistant-bridge/sandbox/browser.ts';
import { claimPort } from '@assistant-bridge/sandbox/claim-port.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildManifest } from '../../manifest/manifest.ts';
import { type AppProcess, startAppProcess } from '../app/app-process.ts';
import { type RedisServer, startRedis } from '../app/redis-server.ts';
import { startWorld, type World } from '../app/world.ts';
import { CHANNEL } from './live-world.ts';

let world: World;
let redis: RedisServer;
let apps: AppProcess[];

beforeAll(async () => {
  redis = await startRedis();
  world = await startWorld({ slack: { isInstalled: false, retry: 'none' } });
  const environment = {
    ...world.environment,
    SLACK_BOT_TOKEN: '',
    SLACK_ALLOWED_TEAMS: 'T0001',
    REDIS_URL: redis.url,
  };
  const port = await claimPort();
  apps = [await startAppProcess(environment), await startAppProcess({ ...environment, PORT: String(port) })];
  // Browsers reach the first replica, Slack the second one.
  const manifest = buildManifest({ publicUrl: world.publicUrl });
  world.slack.connectApp(`http://127.0.0.1:${port}/slack/events`, manifest);
});

afterAll(async () => {
  await Promise.all(apps.map((app) => app.kill('SIGTERM')));
  await world.close();
  await redis.close();
});

async function install(): Promise<void> {
  const browser = createBrowser();
  await browser.open(`${world.slack.url}/sandbox/login?user=U0KIM`);
  await browser.open(`${world.publicUrl}/slack/install`);
  await browser.submit();
  await browser.submit(0, { decision: 'allow' });
  expect(browser.page.heading).toBe('The assistant is installed');
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
