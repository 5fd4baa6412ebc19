import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { toEnding } from '../../scripts/bench/answers.ts';
import { startBenchWorld } from '../../scripts/bench/bench-world.ts';
import { runTraffic } from '../../scripts/bench/traffic.ts';
import type { World } from '../app/world.ts';
import { listen } from '../http/loopback.ts';

let world: World;

beforeAll(async () => {
  world = await startBenchWorld(30);
});

afterAll(() => world.close());

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
