import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { toEnding } from '../../scripts/bench/answers.ts';
import { startBenchWorld } from '../../scripts/bench/bench-world.ts';
import { runTraffic } from '../../scripts/bench/traffic.ts';
import type { World } from '../app/world.ts';

let world: World;

beforeAll(async () => {
  world = await startBenchWorld(30);
});

afterAll(() => world.close());

it('asks a question again whose connection the bot had just closed', async () => {
  const { slack } = world;
  let requests = 0;
  const bot = createServer(async (request, response) => {
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
  bot.listen(0, '127.0.0.1');
  await once(bot, 'listening');
  try {
    const eventsUrl = `http://127.0.0.1:${(bot.address() as AddressInfo).port}/slack/events`;
    const calls = await runTraffic(world, eventsUrl, { turns: 8, inFlight: 4, askers: ['U0ANA'] });

    expect(calls).toBe(8);
    expect(requests).toBe(9);
  } finally {
    bot.closeAllConnections();
    bot.close();
  }
});
