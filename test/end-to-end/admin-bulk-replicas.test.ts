// A bulk change whose replica is killed, with Redis: another one goes on with it.

import { claimPort } from '@assistant-bridge/sandbox/claim-port.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readDirect } from '../app/administer.ts';
import { type AppProcess, startAppProcess } from '../app/app-process.ts';
import { type RedisServer, startRedis } from '../app/redis-server.ts';
import { asOperator } from '../storage/redis-world.ts';
import { KIM } from './admin-world.ts';
import { type BulkReviewWorld, startBulkReviewWorld } from './bulk-review-world.ts';

const AGENTS = 120;

let redis: RedisServer;
let world: BulkReviewWorld;
let other: AppProcess;

beforeAll(async () => {
  redis = await startRedis();
  const environment = { REDIS_URL: redis.url };
  world = await startBulkReviewWorld({ environments: 5, agents: AGENTS }, { environment });
});
afterAll(async () => {
  await other?.kill('SIGTERM');
  await world?.stop();
  await redis?.close();
});

it('is made once and whole by another replica', async () => {
  const preview = await world.preview(await world.review());
  const count = readDirect(world, KIM).length;
  const { promise: enough, resolve } = Promise.withResolvers<void>();
  const stopWatching = world.admin.onWritten(() => {
    if (world.admin.state.thresholds.size >= 40) resolve();
  });

  await world.slack.as(KIM).submit(preview, {});
  await enough;
  await world.app.kill('SIGKILL');
  stopWatching();
  const made = world.admin.state.thresholds.size;
  await age();
  other = await startAppProcess({ ...world.environment, PORT: String(await claimPort()) });
  const report = await world.awaitDirect(KIM, count, 'changes made, and read back');

  expect(made).toBeLessThan(AGENTS);
  expect(world.slack.render(report)).toContain('120 of 120 changes made, and read back.');
  expect(world.listPuts()).toHaveLength(AGENTS);
  expect(new Set(world.listPuts()).size).toBe(AGENTS);
});

/** As if ten minutes had gone by. */
function age(): Promise<void> {
  return asOperator(redis, async (client) => {
    for (const key of await client.keys('bridge:doc:change:*')) {
      const body = JSON.parse((await client.hGet(key, 'b')) ?? '{}');
      await client.hSet(key, 'b', JSON.stringify({ ...body, at: body.at - 600_000 }));
    }
  });
}
