import { createClient } from 'redis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type MeasuredRedis, startMeasuredRedis } from '../../scripts/bench/measured-redis.ts';

/** Writes a record of about so many bytes. */
const SCRIPT = "redis.call('SET', KEYS[1], ARGV[1]) redis.call('SET', KEYS[1] .. ':mark', '1')";
const BYTES = 10_000;

let redis: MeasuredRedis;
let client: ReturnType<typeof createClient>;

beforeAll(async () => {
  redis = await startMeasuredRedis(undefined);
  client = createClient({ url: redis.url });
  await client.connect();
});

afterAll(async () => {
  client.destroy();
  await redis.stop();
});

const write = (key: string) => client.eval(SCRIPT, { keys: [key], arguments: ['x'.repeat(BYTES)] });

it('counts a script as one call, and as the commands that it runs', async () => {
  const before = await redis.usage();
  const calls = await redis.countCalls(() => write('some:record'));
  await write('some:record');

  expect(calls).toBe(1);
  // Of each script three. To listen takes some more.
  expect((await redis.usage()).commands - before.commands).toBeGreaterThanOrEqual(6);
});

it('tells what it keeps by the kind of key, in which no id plays a part', async () => {
  const before = await redis.keeps();
  await Promise.all([write('kept:turn:1'), write('kept:turn:2'), write('kept:other:1')]);
  const kept = await redis.keeps();
  const grown = (what: string) => (kept.get(what) ?? 0) - (before.get(what) ?? 0);

  expect([...kept.keys()].toSorted()).toEqual(['in all', 'in kept:other', 'in kept:turn', 'in some:record']);
  expect(grown('in kept:turn')).toBeGreaterThan(2 * BYTES);
  expect(grown('in kept:other')).toBeGreaterThan(BYTES);
  expect(grown('in all')).toBeGreaterThan(3 * BYTES);
});
