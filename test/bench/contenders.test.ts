import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { toEnding } from '../../scripts/bench/answers.ts';
import { startBenchWorld } from '../../scripts/bench/bench-world.ts';
import { type Contender, startContenders } from '../../scripts/bench/contenders.ts';
import { measureTurns } from '../../scripts/bench/measure.ts';
import { runTraffic } from '../../scripts/bench/traffic.ts';
import type { World } from '../app/world.ts';
import { listen } from '../http/loopback.ts';

/** What is counted on every system, and not timed. */
const COUNTED = ['slackCalls', 'pages', 'redisCommands'] as const;

let world: World;
const contenders: Contender[] = [];

beforeAll(async () => {
  world = await startBenchWorld(30);
  for await (const one of startContenders({ world, cores: undefined })) contenders.push(one);
});

afterAll(async () => {
  await Promise.all(contenders.map((one) => one.stop()));
  await world.close();
});

it('the app and the bots that it is compared with answer with the same three calls in the thread', async () => {
  for (const { eventsUrl, name } of contenders) {
    // By thread: not what others of them do in the background.
    const threads = new Map<unknown, string[]>();
    const remove = world.slack.faults.onProcessed('*', ({ method, arguments: { thread_ts } }) => {
      if (thread_ts !== undefined) threads.set(thread_ts, [...(threads.get(thread_ts) ?? []), method]);
    });
    // The first turn looks who reads the channel.
    for (const _ of ['first', 'second']) await runTraffic(world, eventsUrl, { turns: 1, inFlight: 1 });

    const methods = ['agents.sessions.setStatus', 'chat.postMessage', 'agents.sessions.setStatus'];
    await expect.poll(() => ({ name, methods: [...threads.values()].at(-1) })).toEqual({ name, methods });
    remove();
  }
});

it('a turn has a price in the store that it uses, and in no other', async () => {
  const prices = [];
  for (const contender of contenders) {
    const cost = await measureTurns(world, contender, { turns: 4, inFlight: 1 });
    prices.push([contender.name, ...COUNTED.filter((key) => cost[key] > 0)]);
  }

  expect(prices).toEqual([
    ['floor', 'slackCalls'],
    ['plain Bolt', 'slackCalls'],
    ['on SQLite', 'slackCalls', 'pages'],
    ['on Redis', 'slackCalls', 'redisCommands'],
  ]);
});

it('an answer to another question is no answer', async () => {
  const [floor] = contenders;
  const remove = world.slack.faults.onProcessed('chat.postMessage', ({ arguments: post }) => {
    post.text = 'This is about project 7.';
    post.blocks = [];
  });

  await expect(runTraffic(world, floor?.eventsUrl ?? '', { turns: 1, inFlight: 1 })).rejects.toThrow('question 0 got');
  remove();
});

it('asks a question again whose connection the bot had just closed', async () => {
  const { slack } = world;
  let requests = 0;
  const bot = await listen(async (request, response) => {
    requests += 1;
    if (requests === 1) return void request.socket.destroy();
    const { event } = (await json(request)) as { event: { channel: string; ts: string; text: string } };
    response.end();
    const text = toEnding(Number(/project (\d+)/.exec(event.text)?.[1]));
    await fetch(`${slack.apiUrl}chat.postMessage`, {
      method: 'POST',
      headers: { authorization: `Bearer ${slack.botToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ channel: event.channel, thread_ts: event.ts, text }),
    });
  });

  const calls = await runTraffic(world, `${bot.url}/slack/events`, { turns: 8, inFlight: 4, askers: ['U0ANA'] });
  await bot.close();

  expect(calls).toBe(8);
  expect(requests).toBe(9);
});
