import { rmSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { inspectRedisWriting } from '../../src/doctor/inspect-redis-writing.ts';
import { type RedisServer, startRedis } from '../app/redis-server.ts';
import { startWorld, type World } from '../app/world.ts';
import { asOperator } from '../storage/redis-world.ts';
import { seeDoctor } from './see-doctor.ts';

let world: World;
const servers: RedisServer[] = [];

beforeAll(async () => {
  world = await startWorld();
});
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});
afterAll(() => world.close());

async function start(settings?: Record<string, string>): Promise<RedisServer> {
  const server = await startRedis(settings);
  servers.push(server);
  return server;
}

/** As a write of the app would go now. */
function write(server: RedisServer): Promise<unknown> {
  return asOperator(server, (client) => client.set('bridge:tried', '1'));
}

describe('the doctor and a Redis that takes no writes', () => {
  it('ends with 1 where its memory is full, and says by how much', async () => {
    const redis = await start();
    await asOperator(redis, (client) => client.configSet('maxmemory', '500kb'));
    await expect(write(redis)).rejects.toThrow('OOM');

    const { status, report } = await seeDoctor(world, { REDIS_URL: redis.url });

    expect(report).toMatch(
      /✗ Redis is full: it uses \d+\.\d of 0\.5 MiB \(maxmemory\), and refuses .* Raise maxmemory\.\n/,
    );
    expect(status).toBe(1);
  });

  it('warns before its memory is full', async () => {
    const redis = await start();
    const used = await asOperator(redis, async (client) => Number(/used_memory:(\d+)/.exec(await client.info())?.[1]));
    const info = `used_memory:${used}\r\nmaxmemory:${Math.round(used / 0.95)}\r\nmaxmemory_policy:noeviction\r\n`;

    const findings = await inspectRedisWriting({ info: async () => info, configGet: async () => ({}) });

    expect(findings).toMatchObject([{ level: 'warning', sentence: expect.stringContaining('Redis is nearly full') }]);
  });

  it('says how much of its memory one uses that takes them', async () => {
    const bounded = await start({ maxmemory: '64mb' });
    const unbounded = await start();

    expect(await asOperator(bounded, inspectRedisWriting)).toMatchObject([
      { level: 'ok', sentence: expect.stringMatching(/^Redis uses \d+\.\d of 64\.0 MiB \(maxmemory\)\.$/) },
    ]);
    expect(await asOperator(unbounded, inspectRedisWriting)).toMatchObject([
      { level: 'ok', sentence: expect.stringMatching(/^Redis uses .* of its machine, and has no maxmemory\.$/) },
    ]);
  });

  it('warns where it has no limit and its machine is nearly full', async () => {
    const info =
      'used_memory:850000000\r\nmaxmemory:0\r\nmaxmemory_policy:noeviction\r\ntotal_system_memory:1000000000\r\n';

    expect(await inspectRedisWriting({ info: async () => info, configGet: async () => ({}) })).toMatchObject([
      { level: 'warning', sentence: expect.stringMatching(/^Redis is nearly full: .* of its machine/) },
    ]);
  });

  it('ends with 1 where a snapshot failed and it stops for that, and does not where it does not', async () => {
    const redis = await start({ save: '3600 1' });
    await failToSave(redis);
    await expect(write(redis)).rejects.toThrow('MISCONF');

    const stopped = await seeDoctor(world, { REDIS_URL: redis.url });
    await asOperator(redis, (client) => client.configSet('stop-writes-on-bgsave-error', 'no'));
    const goesOn = await seeDoctor(world, { REDIS_URL: redis.url });

    expect(stopped.report).toContain('✗ Redis could not write its last snapshot, and refuses every write');
    expect(goesOn.report).toContain('! Redis could not write its last snapshot. It goes on all the same.');
    expect([stopped.status, goesOn.status]).toEqual([1, 0]);
  });

  it('ends with 1 where it insists on replicas that do not follow', async () => {
    const redis = await start();
    await asOperator(redis, (client) => client.configSet('min-replicas-to-write', '2'));
    await expect(write(redis)).rejects.toThrow('NOREPLICAS');

    const { status, report } = await seeDoctor(world, { REDIS_URL: redis.url });

    expect(report).toContain('✗ Redis insists on 2 of its replicas to follow (min-replicas-to-write), and 0 do');
    expect(status).toBe(1);
  });

  it('takes an append-only file that cannot be written for an error', async () => {
    const info = 'aof_last_write_status:err\r\nrdb_last_bgsave_status:ok\r\n';

    const findings = await inspectRedisWriting({ info: async () => info, configGet: async () => ({}) });

    expect(findings).toMatchObject([
      { level: 'error', sentence: expect.stringContaining('could not write its append-only file') },
    ]);
  });
});

/** Takes its folder away and has it make a snapshot. */
async function failToSave(redis: RedisServer): Promise<void> {
  await asOperator(redis, async (client) => {
    const { dir = '' } = await client.configGet('dir');
    rmSync(dir, { recursive: true });
    await client.bgSave();
    for (let attempt = 0; attempt < 200; attempt++) {
      if ((await client.info('persistence')).includes('rdb_last_bgsave_status:err')) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  });
}
