// Slack exchanges the app's token while people talk to two replicas of it.
import { setTimeout as sleep } from 'node:timers/promises';
import { createBrowser } from '@assistant-bridge/sandbox/browser.ts';
import { claimPort } from '@assistant-bridge/sandbox/claim-port.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AppProcess, startAppProcess } from '../app/app-process.ts';
import { type RedisServer, startRedis } from '../app/redis-server.ts';
import { signIn } from '../app/sign-in.ts';
import { startWorld, type World } from '../app/world.ts';
import { CHANNEL } from './live-world.ts';

/** The app exchanges tokens in their last two hours: each of these after six seconds. */
const LIFE_SECONDS = 2 * 3_600 + 6;

let world: World;
let redis: RedisServer;
const apps: AppProcess[] = [];

beforeAll(async () => {
  redis = await startRedis();
  // With Socket Mode Slack reaches both replicas.
  world = await startWorld({ transport: 'socket', slack: { isInstalled: false } });
  Object.assign(world.slack.registration, { isRotating: true, tokenLifeSeconds: LIFE_SECONDS });
  const several = { SLACK_BOT_TOKEN: '', SLACK_ALLOWED_TEAMS: 'T0001', REDIS_URL: redis.url };
  for (const port of [world.environment.PORT ?? '', String(await claimPort())]) {
    apps.push(await startAppProcess({ ...world.environment, ...several, PORT: port }));
  }
});
afterAll(async () => {
  await Promise.all(apps.map((app) => app.kill('SIGTERM')));
  await world.close();
  await redis.close();
});

it('every question is answered once while the token is exchanged, each time by one replica', async () => {
  const { slack, assistant } = world;
  const browser = createBrowser();
  await browser.open(`${slack.url}/sandbox/login?user=U0KIM`);
  await browser.open(`${world.publicUrl}/slack/install`);
  await browser.submit();
  await browser.submit(0, { decision: 'allow' });
  expect(browser.page.heading).toBe('The assistant is installed');
  const first = slack.token();
  const ana = slack.as('U0ANA');
  await ana.say(ana.dm, 'sign me in');
  await signIn(world, 'U0ANA', 'thread');
  await slack.until(() => assistant.ledger.chats().length === 1);

  const questions: { ts: string; text: string }[] = [];
  for (let index = 0; index < 40; index++) {
    const text = `while tokens change, ${index}`;
    questions.push({ text, ts: (await ana.say(CHANNEL, `${slack.mention} ${text}`)).ts });
    await sleep(400);
  }

  for (const { ts, text } of questions) {
    const replies = () => ana.sees(CHANNEL, ts).filter((message) => message.botId && message.ts !== ts);
    // On a busy machine who reads the channel is not found out in time, and the answer goes to its asker alone.
    const answered = expect.stringMatching(new RegExp(`${text}\\b|could not find out whether guests can read`));
    await expect.poll(() => replies().map((message) => slack.render(message))).toEqual([answered]);
    expect(assistant.ledger.chats().filter((chat) => chat.text === text)).toHaveLength(1);
  }
  const lines = apps.flatMap((app) => app.lines);
  const refreshed = lines.filter((line) => line.includes('slack token refreshed')).length;
  const asked = slack.ledger.calls('oauth.v2.access').filter((call) => call.arguments.grant_type === 'refresh_token');
  expect(refreshed).toBeGreaterThanOrEqual(2);
  expect(asked).toHaveLength(refreshed);
  expect(slack.token()).not.toBe(first);
  expect(lines.join('\n')).not.toMatch(/xoxe|slack token has ended/);
});
