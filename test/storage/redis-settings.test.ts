import { claimPort } from '@assistant-bridge/sandbox/claim-port.ts';
import { createClient } from 'redis';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openRedisStore } from '../../src/backend/redis-store.ts';
import { openSharedBackend } from '../../src/backend/shared-backend.ts';
import type { Config } from '../../src/config.ts';
import { PermanentError } from '../../src/errors.ts';
import { createLog } from '../../src/log.ts';
import { inspectRedis } from '../../src/storage/redis/inspect-redis.ts';
import { type RedisServer, startRedis } from '../app/redis-server.ts';
import { useRedis } from './own-redis.ts';
import { asOperator } from './redis-world.ts';

/** For the members of a cluster. By default it is the port and 10,000, which may be taken. */
const clusterPort = String(await claimPort());

const redis = useRedis();

/** What it has otherwise: see startRedis. */
const USUAL = { appendfsync: 'always', appendonly: 'yes', maxmemory: '0', 'maxmemory-policy': 'noeviction' };

type Settings = Partial<typeof USUAL>;

/** Of the one Redis, for this test. */
async function set(settings: Settings): Promise<void> {
  onTestFinished(() => asOperator(redis, async (client) => void (await client.configSet(USUAL))));
  await asOperator(redis, (client) => client.configSet(settings));
}

/** The address for a user of this test, who may do as much as these rules say. */
async function as(...rules: string[]): Promise<string> {
  await asOperator(redis, (client) => client.aclSetUser('bridge', ['reset', 'on', '>secret', ...rules]));
  return redis.url.replace('//', '//bridge:secret@');
}

/** For what cannot be set while it runs. */
async function start(settings?: Record<string, string>): Promise<RedisServer> {
  const server = await startRedis(settings);
  onTestFinished(server.close);
  return server;
}

/** Opens the store and closes it again. Returns what was warned of. */
async function open(url = redis.url): Promise<string[]> {
  const warnings: string[] = [];
  const log = createLog('warn', { write: (line) => void warnings.push(JSON.parse(line).sentence) });
  const store = await openRedisStore({ url, now: Date.now, log });
  await store.close();
  return warnings;
}

async function isRefused(url: string, sentence: string | RegExp): Promise<void> {
  await expect(open(url)).rejects.toThrow(PermanentError);
  await expect(open(url)).rejects.toThrow(sentence);
  expect(await asOperator({ url }, (client) => client.keys('*'))).toEqual([]);
}

describe('redis: the settings', () => {
  it('that the app needs are fine', async () => {
    expect(await open()).toEqual([]);
    const findings = await asOperator(redis, inspectRedis);
    expect(findings.map(({ level }) => level)).toEqual(['ok', 'ok', 'ok']);
  });

  it('and how full it is can be read, with its maxmemory or without', async () => {
    const { memory } = await redis.open();
    const limitBytes = 64 * 1024 * 1024;

    expect((await memory?.())?.limitBytes).toBeGreaterThan(limitBytes);
    await set({ maxmemory: '64mb' });

    expect(await memory?.()).toEqual({ usedBytes: expect.any(Number), limitBytes, hasMaxmemory: true });
  });

  it.each<[string, Settings, string | RegExp]>([
    ['an eviction policy', { 'maxmemory-policy': 'allkeys-lru' }, 'maxmemory-policy of Redis is allkeys-lru'],
    ['no append-only file', { appendonly: 'no' }, 'Set appendonly to yes'],
    ['all at once', { 'maxmemory-policy': 'volatile-lru', appendonly: 'no' }, /volatile-lru.*appendonly/],
  ])('refuse the start, with a sentence: %s', async (_, settings, sentence) => {
    await set(settings);

    await isRefused(redis.url, sentence);
  });

  it('refuse the start, with a sentence: a cluster', async () => {
    const { url } = await start({ 'cluster-enabled': 'yes', 'cluster-port': clusterPort });

    await isRefused(url, 'runs as a cluster');
  });

  it('refuse the start, with a sentence: a user who may use the keys, but not the channels', async () => {
    const url = await as('~bridge:*', '+@all');

    const opening = openSharedBackend(url, { LEASE_SECONDS: 10 } as Config, createLog('silent'));

    await expect(opening).rejects.toThrow(/Allow them all commands on the keys and channels bridge:\*\.$/);
  });

  it('warn where a power cut may cost a second', async () => {
    await set({ appendfsync: 'everysec' });

    expect(await open()).toEqual([expect.stringContaining('appendfsync of Redis is everysec')]);
  });

  it('warn where a managed service does not tell its settings', async () => {
    await set({ appendonly: 'no' });

    const warnings = await open(await as('~bridge:*', '&bridge:*', '+@all', '-config'));

    expect(warnings).toEqual([expect.stringContaining('writes no append-only file')]);
  });

  it('warn where a fail-over may lose what was accepted, and refuse to work on the replica', async () => {
    const primary = await start();
    const replica = await start({ replicaof: new URL(primary.url).host.replace(':', ' ') });
    await asOperator(primary, async (client) => {
      await client.configSet('min-replicas-to-write', '1');
      await expect.poll(() => client.info('replication')).toContain('min_slaves_good_slaves:1');
    });

    await expect(open(replica.url)).rejects.toThrow('names a replica');
    expect(await open(primary.url)).toEqual([]);
    await asOperator(primary, (client) => client.configSet('min-replicas-to-write', '0'));
    expect(await open(primary.url)).toEqual([expect.stringContaining('Set min-replicas-to-write')]);
  });

  it('of an older version are refused', async () => {
    const info = 'redis_version:6.2.14\r\nredis_mode:standalone\r\nrole:master\r\nmaxmemory_policy:noeviction\r\n';

    const findings = await inspectRedis({ info: async () => info, configGet: async () => ({}) });

    expect(findings).toContainEqual({ level: 'error', sentence: expect.stringContaining('Redis 6.2.14 is too old') });
  });
});

describe('redis: an address', () => {
  it('without the password that is needed, or with a wrong one, is refused with a sentence that does not tell it', async () => {
    const { url } = await start({ requirepass: 'secret' });

    await expect(open(url.replace(':secret@', ''))).rejects.toThrow('refuses the name or password');
    const wrong = open(url.replace('secret', 'hunter2'));
    await expect(wrong).rejects.toThrow('refuses the name or password');
    await expect(wrong).rejects.not.toThrow('hunter2');
    expect(await open(url)).toEqual([]);
  });

  it('of a user who may not do enough is refused', async () => {
    await expect(open(await as('~other:*', '+@all'))).rejects.toThrow('may not do all that is needed');
  });

  it('of something else than Redis is refused', async () => {
    await expect(open('redis://127.0.0.1:1')).rejects.toThrow('cannot be reached');
    await expect(open(redis.url.replace('redis://', 'rediss://'))).rejects.toThrow('whether it speaks TLS');
  });

  it('may name another database, whose keys are its own', async () => {
    await open(`${redis.url}/3`);

    const third = createClient({ url: `${redis.url}/3` });
    await third.connect();
    expect(await third.get('bridge:schema')).toBe('1');
    third.destroy();
    expect(await asOperator(redis, (client) => client.dbSize())).toBe(0);
  });
});
