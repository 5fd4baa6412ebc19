// Requests that anybody can send as fast as they are answered leave nothing behind.
import { expect, it } from 'vitest';
import { MEMORY_ENVIRONMENT } from '../faults/memory.ts';
import { type LiveWorld, openLiveWorld } from './live-world.ts';

const MB = 1024 * 1024;

const CONNECTIONS = 100;
const REQUESTS = 1_000;

/** On each connection the next request follows as soon as the one before is answered. */
async function flood({ publicUrl }: LiveWorld): Promise<void> {
  const url = `${publicUrl}/link/start?ticket=${'A'.repeat(43)}`;
  let left = REQUESTS;
  const ask = async () => {
    while (left-- > 0) await (await fetch(url)).text();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, ask));
}

async function readFigure({ figures }: LiveWorld, name: string): Promise<number> {
  const line = (await figures()).split('\n').find((each) => each.startsWith(`${name} `));
  return Number(line?.slice(name.length) ?? 0);
}

/** What has outlived the collections of what is new, be it garbage or not. */
const readOld = (world: LiveWorld) => readFigure(world, 'nodejs_heap_space_size_used_bytes{space="old"}');

const countCollections = (world: LiveWorld) => readFigure(world, 'nodejs_gc_duration_seconds_count{kind="major"}');

it.each(['sqlite', 'redis'] as const)('nothing of an answered request grows old, on %s', async (store) => {
  const slack = { retry: 'none' } as const;
  const world = await openLiveWorld({
    redis: store === 'redis',
    hasFigures: true,
    slack,
    environment: MEMORY_ENVIRONMENT,
  });
  await flood(world);
  const collected = await countCollections(world);
  const collect = () => {
    process.kill(world.app.pid, 'SIGUSR2');
    return countCollections(world);
  };
  await expect.poll(collect).toBeGreaterThan(collected);
  const before = await readOld(world);

  let most = before;
  for (let part = 0; part < 5; part++) {
    await flood(world);
    most = Math.max(most, await readOld(world));
  }

  expect(before).toBeGreaterThan(10 * MB);
  expect(most - before).toBeLessThan(15 * MB);
});
