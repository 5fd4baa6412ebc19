import { hostname } from 'node:os';
import { claimPort } from '@assistant-bridge/sandbox/claim-port.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { VERSION } from '../../src/version.ts';
import { startAppProcess } from '../app/app-process.ts';
import { startRedis } from '../app/redis-server.ts';
import { CHANNEL, type LiveWorld, startLiveWorld } from './live-world.ts';

const cleanups: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** The status of a probe; 0 where nobody answers. */
async function probe(world: LiveWorld, path: '/health' | '/ready'): Promise<number> {
  const response = await fetch(world.publicUrl + path).catch(() => undefined);
  return response?.status ?? 0;
}

async function becomes(world: LiveWorld, path: '/health' | '/ready', wanted: number): Promise<void> {
  await expect.poll(() => probe(world, path)).toBe(wanted);
}

describe('operators of a process', () => {
  let port: number;
  let world: LiveWorld;

  beforeAll(async () => {
    port = await claimPort();
    world = await startLiveWorld({ environment: { OPS_PORT: String(port) } });
    await world.signIn('U0ANA');
  });
  afterAll(() => world.close());

  it('see a question in the figures, and in one line of the log', async () => {
    const question = await world.ask('what is new?');
    await world.waitForReplies(question);
    const isDone = () =>
      world.app.lines.filter((line) => line.includes(`${question.ts}`) && line.includes('turn done'));
    await world.slack.until(() => isDone().length > 0);

    const figures = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();

    expect(figures).toMatch(/^assistant_bridge_turns_total\{outcome="answered"\} 2$/m);
    expect(figures).toMatch(/^assistant_bridge_slack_events_total\{type="app_mention",result="acknowledged"\} 1$/m);
    expect(figures).toMatch(/^assistant_bridge_slack_api_total\{method="chat.postMessage",code="ok"\} [1-9]/m);
    expect(figures).toMatch(/^assistant_bridge_turns_unaccounted 0$/m);
    expect(figures).toContain(`assistant_bridge_build_info{version="${VERSION}",node="${process.versions.node}"} 1`);
    expect(world.app.lines.find((line) => line.includes('"msg":"started"'))).toContain(`"version":"${VERSION}"`);
    expect(isDone()).toHaveLength(1);
    const line = JSON.parse(isDone()[0] ?? '');
    expect(line).toMatchObject({ level: 'info', stage: 'done', result: 'answer', runs: 1, replica: hostname() });
    const { queueMs, firstByteMs, serviceMs, slackMs } = line;
    for (const part of [queueMs, firstByteMs, slackMs]) expect(part).toBeGreaterThanOrEqual(0);
    expect(serviceMs).toBeGreaterThanOrEqual(firstByteMs);
    expect(line.requestId).toMatch(/^[\w-]{8,}$/);
    const whileSigningIn = world.app.lines.find((one) => one.includes('turn done')) ?? '{}';
    expect(JSON.parse(whileSigningIn).queueMs).toBeGreaterThan(0);
  });

  it('see the three events that Slack counts of a question in a channel, and one of a message between people', async () => {
    const count = async () => {
      const figures = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      return Number(/^assistant_bridge_slack_deliveries_total\{workspace="w[0-9a-f]{8}"\} (\d+)$/m.exec(figures)?.[1]);
    };
    const delivered = () => world.slack.ledger.deliveries({ delivery: 'event' }).length;
    const before = [await count(), delivered()];

    await world.waitForReplies(await world.ask('and what else?'));
    await world.slack.as('U0ANA').say(CHANNEL, 'lunch?');
    await world.slack.until(() => delivered() - Number(before[1]) === 4);

    expect((await count()) - Number(before[0])).toBe(4);
  });

  it('see a process that is ready while the assistant service is down', async () => {
    world.assistant.faults.always('503');

    await world.waitForReplies(await world.ask('anybody there?'));

    expect([await probe(world, '/ready'), await probe(world, '/health')]).toEqual([200, 200]);
    world.assistant.faults.clear();
  });

  // Last: it ends the process.
  it('see that it stops: it takes in until balancers have noticed, and what comes then is answered all the same', async () => {
    await becomes(world, '/ready', 200);

    process.kill(world.app.pid, 'SIGTERM');
    await becomes(world, '/ready', 503);
    const question = await world.ask('just in time');

    expect(question.deliveries.map(({ status }) => status)).toEqual([200, 200]);
    expect(await world.app.ended).toBe(0);
    expect(world.app.lines.some((line) => line.includes('"signal":"SIGTERM","msg":"stopping"'))).toBe(true);
    expect(JSON.parse(world.app.lines.at(-1) ?? '')).toMatchObject({
      msg: 'stopped',
      isDone: true,
      ms: expect.any(Number),
    });
    const next = await startAppProcess(world.environment);
    cleanups.push(() => next.kill('SIGKILL'));
    expect(await world.waitForReplies(question)).toHaveLength(1);
  });
});

it('operators see that the store is away, which a restart would not mend, and that it is back', async () => {
  const redis = await startRedis();
  cleanups.push(() => redis.close());
  const world = await startLiveWorld({ environment: { REDIS_URL: redis.url } });
  cleanups.push(() => world.close());
  await becomes(world, '/ready', 200);

  redis.signal('SIGSTOP');
  await becomes(world, '/ready', 503);
  const health = await probe(world, '/health');
  redis.signal('SIGCONT');

  await becomes(world, '/ready', 200);
  expect(health).toBe(200);
});
