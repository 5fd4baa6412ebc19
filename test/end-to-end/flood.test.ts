// Requests that anybody can send as fast as they are answered leave nothing behind.

import { claimPort } from '@assistant-bridge/sandbox/claim-port.ts';
import { afterEach, expect, it } from 'vitest';
import { type AppProcess, startAppProcess } from '../app/app-process.ts';
import { startRedis } from '../app/redis-server.ts';
import { startWorld } from '../app/world.ts';
import { MEMORY_ENVIRONMENT } from '../faults/memory.ts';

const MB = 1024 * 1024;

const CONNECTIONS = 100;
const REQUESTS = 1_000;

const cleanups: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function start(store: 'sqlite' | 'redis'): Promise<{ app: AppProcess; url: string; opsUrl: string }> {
  const redis = store === 'redis' ? await startRedis() : undefined;
  cleanups.push(() => redis?.close());
  const world = await startWorld({ slack: { retry: 'none' } });
  cleanups.push(() => world.close());
  const ops = String(await claimPort());
  const settings = { ...MEMORY_ENVIRONMENT, OPS_PORT: ops, ...(redis && { REDIS_URL: redis.url }) };
  const app = await startAppProcess({ ...world.environment, ...settings });
  cleanups.push(() => app.kill('SIGKILL'));
  // Everything is loaded by then.
  await world.slack.until(() => app.lines.some((line) => line.includes('sign-in looked at')), { what: 'the start' });
  return { app, url: `${world.publicUrl}/link/start?ticket=${'A'.repeat(43)}`, opsUrl: `http://127.0.0.1:${ops}` };
}

/** On each connection the next request follows as soon as the one before is answered. */
async function flood(url: string): Promise<void> {
  let left = REQUESTS;
  const ask = async () => {
    while (left-- > 0) await (await fetch(url)).text();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, ask));
}

async function readFigure(opsUrl: string, name: string): Promise<number> {
  const figures = await (await fetch(`${opsUrl}/metrics`)).text();
  const line = figures.split('\n').find((each) => each.startsWith(`${name} `));
  return Number(line?.slice(name.length) ?? 0);
}

/** What has outlived the collections of what is new, be it garbage or not. */
const readOld = (opsUrl: string) => readFigure(opsUrl, 'nodejs_heap_space_size_used_bytes{space="old"}');

const countCollections = (opsUrl: string) => readFigure(opsUrl, 'nodejs_gc_duration_seconds_count{kind="major"}');

it.each(['sqlite', 'redis'] as const)('nothing of an answered request grows old, on %s', async (store) => {
  const { app, url, opsUrl } = await start(store);
  await flood(url);
  const collected = await countCollections(opsUrl);
  process.kill(app.pid, 'SIGUSR2');
  await expect.poll(() => countCollections(opsUrl)).toBeGreaterThan(collected);
  const before = await readOld(opsUrl);

  let most = before;
  for (let part = 0; part < 10; part++) {
    await flood(url);
    most = Math.max(most, await readOld(opsUrl));
  }

  expect(before).toBeGreaterThan(10 * MB);
  expect(most - before).toBeLessThan(15 * MB);
});
