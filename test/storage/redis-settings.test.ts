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
import { asOperator } from './redis-world.ts';

/** For the members of a cluster. By default it is the port and 10,000, which may be taken. */
const clusterPort = String(await claimPort());

async function start(settings?: Record<string, string>): Promise<RedisServer> {
  const server = await startRedis(settings);
  onTestFinished(server.close);
  return server;
}

/** Opens the store and closes it again. Returns what was warned of. */
async function open(url: string): Promise<string[]> {
  const warnings: string[] = [];
  const log = createLog('warn', { write: (line) => void warnings.push(JSON.parse(line).sentence) });
  const store = await openRedisStore({ url, now: Date.now, log });
  await store.close();
  return warnings;
}

describe('redis: the settings', () => {
  it('that the app needs are fine', async () => {
    const { url } = await start();

    expect(await open(url)).toEqual([]);
    const findings = await asOperator({ url }, inspectRedis);
    expect(findings.map(({ level }) => level)).toEqual(['ok', 'ok', 'ok']);
  });

  it('and how full it is can be read, with its maxmemory or without', async () => {
    const readMemory = async (url: string) => {
      const store = await openRedisStore({ url, now: Date.now });
      return (store.memory?.() ?? Promise.resolve(undefined)).finally(() => store.close());
    };
    const bounded = await start({ maxmemory: '64mb' });
    const { url } = await start();

    expect(await readMemory(bounded.url)).toEqual({
      usedBytes: expect.any(Number),
      limitBytes: 64 * 1024 * 1024,
      hasMaxmemory: true,
    });
    expect((await readMemory(url))?.limitBytes).toBeGreaterThan(64 * 1024 * 1024);
  });

  const refused: [string, Record<string, string>, string][] = [
    ['a cluster', { 'cluster-enabled': 'yes', 'cluster-port': clusterPort }, 'runs as a cluster'],
    ['an eviction policy', { 'maxmemory-policy': 'allkeys-lru' }, 'maxmemory-policy of Redis is allkeys-lru'],
    ['no append-only file', { appendonly: 'no' }, 'Set appendonly to yes'],
  ];
  it('refuse the start, with a sentence: a user who may use the keys, but not the channels', async () => {
    const { url } = await start();
    const rights = ['on', '>secret', '~bridge:*', '+@all'];
    await asOperator({ url }, (client) => client.sendCommand(['ACL', 'SETUSER', 'bridge', ...rights]));

    const config = { LEASE_SECONDS: 10 } as Config;
    const opening = openSharedBackend(url.replace('//', '//bridge:secret@'), config, createLog('silent'));
    await expect(opening).rejects.toThrow(/Allow them all commands on the keys and channels bridge:\*\.$/);
  });

  it.each(refused)('refuse the start, with a sentence: %s', async (_what, settings, sentence) => {
    const { url } = await start(settings);

    await expect(open(url)).rejects.toThrow(PermanentError);
    await expect(open(url)).rejects.toThrow(sentence);
    expect(await asOperator({ url }, (client) => client.keys('*'))).toEqual([]);
  });

  it('tell all that is wrong at once', async () => {
    const { url } = await start({ 'maxmemory-policy': 'volatile-lru', appendonly: 'no' });

    await expect(open(url)).rejects.toThrow(/volatile-lru.*appendonly/);
  });

  it('warn where a power cut may cost a second', async () => {
    const { url } = await start({ appendfsync: 'everysec' });

    expect(await open(url)).toEqual([expect.stringContaining('appendfsync of Redis is everysec')]);
  });

  it('warn where a managed service does not tell its settings', async () => {
    const { url } = await start({ appendonly: 'no' });
    await asOperator({ url }, (client) =>
      client.aclSetUser('app', ['on', '>secret', '~bridge:*', '&bridge:*', '+@all', '-config']),
    );

    const warnings = await open(url.replace('redis://', 'redis://app:secret@'));

    expect(warnings).toEqual([expect.stringContaining('writes no append-only file')]);
  });

  it('warn where a fail-over may lose what was accepted, and refuse to work on the replica', async () => {
    const primary = await start();
    const replica = await start({ replicaof: new URL(primary.url).host.replace(':', ' ') });
    await asOperator(primary, async (client) => {
      await client.configSet('min-replicas-to-write', '1');
      for (let attempt = 0; attempt < 100; attempt++) {
        if ((await client.info('replication')).includes('min_slaves_good_slaves:1')) return;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
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
    const { url } = await start();
    await asOperator({ url }, (client) => client.configSet('requirepass', 'secret'));

    await expect(open(url)).rejects.toThrow('refuses the name or password');
    const wrong = open(url.replace('redis://', 'redis://:hunter2@'));
    await expect(wrong).rejects.toThrow('refuses the name or password');
    await expect(wrong).rejects.not.toThrow('hunter2');
    expect(await open(url.replace('redis://', 'redis://:secret@'))).toEqual([]);
  });

  it('of a user who may not do enough is refused', async () => {
    const { url } = await start();
    await asOperator({ url }, (client) => client.aclSetUser('app', ['on', '>secret', '~other:*', '+@all']));

    await expect(open(url.replace('redis://', 'redis://app:secret@'))).rejects.toThrow('may not do all that is needed');
  });

  it('of something else than Redis is refused', async () => {
    await expect(open('redis://127.0.0.1:1')).rejects.toThrow('cannot be reached');
    const { url } = await start();
    await expect(open(url.replace('redis://', 'rediss://'))).rejects.toThrow('whether it speaks TLS');
  });

  it('may name another database, whose keys are its own', async () => {
    const { url } = await start();

    await open(`${url}/3`);

    const third = createClient({ url: `${url}/3` });
    await third.connect();
    expect(await third.get('bridge:schema')).toBe('1');
    third.destroy();
    expect(await asOperator({ url }, (client) => client.dbSize())).toBe(0);
  });
});
