// Slack exchanges the app's token while people talk to two replicas of it.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { openLiveWorld } from './live-world.ts';

/** The app exchanges tokens in their last two hours: each of these after six seconds. */
const LIFE_SECONDS = 2 * 3_600 + 6;

it('every question is answered once while the token is exchanged, each time by one replica', async () => {
  const world = await openLiveWorld({
    ...{ redis: true, transport: 'socket', slack: { isInstalled: false } },
    environment: { SLACK_BOT_TOKEN: '', SLACK_ALLOWED_TEAMS: 'T0001' },
  });
  const { slack, assistant } = world;
  Object.assign(slack.registration, { isRotating: true, tokenLifeSeconds: LIFE_SECONDS });
  // With Socket Mode Slack reaches both replicas.
  const apps = [world.app, await world.startOther()];
  const { page } = await world.installByPages();
  expect(page.heading).toBe('The assistant is installed');
  const first = slack.token();
  await world.signIn('U0ANA', 'thread');

  const questions = [];
  for (let index = 0; index < 40; index++) {
    const text = `while tokens change, ${index}`;
    questions.push({ text, question: await world.ask(text) });
    await sleep(400);
  }

  for (const { question, text } of questions) {
    const replies = () => world.repliesIn(question);
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
