import { ErrorReply } from 'redis';
import type { RedisClient } from './redis-client.ts';

/** A finding about the Redis in use. The app does not start on an `error`. */
export type RedisFinding = { level: 'ok' | 'warning' | 'error'; sentence: string };

const OLDEST_VERSION = 7;

const LOADING = 'Redis is still reading its file, and does nothing else until it has. Wait for that, then try again.';

/** Checks that Redis is set up so that it loses nothing that was acknowledged. Throws the client's errors. */
export async function inspectRedis(client: Pick<RedisClient, 'info' | 'configGet'>): Promise<RedisFinding[]> {
  const [info, settings] = await Promise.all([
    client.info(),
    readSettings(client, ['appendfsync', 'min-replicas-to-write']),
  ]);
  const facts = parseInfo(String(info));
  // Until it has read its file, it reports that it writes none.
  if (facts.get('loading') === '1') return [{ level: 'error', sentence: LOADING }];
  return [inspectVersion(facts), ...inspectRole(facts), ...inspectKeeping(facts, settings)];
}

/** `limitBytes`: `maxmemory` or, without one, the memory of the machine. */
export type RedisMemory = { usedBytes: number; limitBytes: number; hasMaxmemory: boolean };

/** Undefined where Redis does not say. */
export function readMemory(facts: Facts): RedisMemory | undefined {
  const [used = 0, apart = 0, maxmemory = 0, machine = 0] = [
    'used_memory',
    // Buffers for replicas and the append-only file do not count against `maxmemory`.
    'mem_not_counted_for_evict',
    'maxmemory',
    'total_system_memory',
  ].map((name) => Number(facts.get(name) ?? 0));
  const limitBytes = maxmemory || machine;
  return used && limitBytes ? { usedBytes: used - apart, limitBytes, hasMaxmemory: maxmemory > 0 } : undefined;
}

/** The fields of INFO. */
export type Facts = Map<string, string>;

/** `name:value` per line: https://redis.io/docs/latest/commands/info */
export function parseInfo(text: string): Facts {
  return new Map([...text.matchAll(/^(\w+):(.*?)\r?$/gm)].map(([, name = '', value = '']) => [name, value]));
}

/** Undefined if reading them is forbidden, as with many managed services. */
export async function readSettings(
  client: Pick<RedisClient, 'configGet'>,
  names: string[],
): Promise<Facts | undefined> {
  try {
    return new Map(Object.entries(await client.configGet(names)));
  } catch (error) {
    if (error instanceof ErrorReply) return undefined;
    throw error;
  }
}

function inspectVersion(facts: Facts): RedisFinding {
  const version = facts.get('redis_version') ?? '';
  const isNewEnough = Number.parseInt(version, 10) >= OLDEST_VERSION;
  return isNewEnough
    ? { level: 'ok', sentence: `Redis answers as version ${version}.` }
    : { level: 'error', sentence: `Redis ${version} is too old. Use Redis 7 or later, or Valkey.` };
}

function inspectRole(facts: Facts): RedisFinding[] {
  if (facts.get('redis_mode') === 'cluster' || facts.get('cluster_enabled') === '1') {
    return [{ level: 'error', sentence: 'Redis runs as a cluster, which is not supported. Use a single Redis.' }];
  }
  if (facts.get('role') === 'slave') {
    return [{ level: 'error', sentence: 'REDIS_URL names a replica, which is read-only. Name its primary.' }];
  }
  return [];
}

function inspectKeeping(facts: Facts, settings: Facts | undefined): RedisFinding[] {
  return [
    inspectEviction(facts.get('maxmemory_policy')),
    inspectAppending(facts.get('aof_enabled') === '1', settings),
    ...inspectReplicas(Number(facts.get('connected_slaves') ?? 0), settings),
  ];
}

function inspectEviction(policy: string | undefined): RedisFinding {
  if (policy === 'noeviction') return { level: 'ok', sentence: 'Redis drops nothing when its memory is full.' };
  if (policy === undefined) {
    return { level: 'warning', sentence: 'Redis does not report its maxmemory-policy. It has to be noeviction.' };
  }
  return {
    level: 'error',
    sentence: `The maxmemory-policy of Redis is ${policy}: it would drop questions when its memory is full. Set it to noeviction.`,
  };
}

function inspectAppending(isAppending: boolean, settings: Facts | undefined): RedisFinding {
  if (!isAppending) {
    return {
      // A managed service may persist data in its own way, without such a setting.
      level: settings ? 'error' : 'warning',
      sentence:
        'Redis writes no append-only file: a crash would lose accepted questions. Set appendonly to yes, and appendfsync to always.',
    };
  }
  const flushing = settings?.get('appendfsync');
  if (flushing === 'always') return { level: 'ok', sentence: 'Redis writes every change to disk before it answers.' };
  return {
    level: 'warning',
    sentence: `The appendfsync of Redis is ${flushing ?? 'not known'}: a power cut may lose the accepted questions of the last second. Set it to always.`,
  };
}

/** Replication is asynchronous: a promoted replica may lack the last writes unless the primary requires replicas. */
function inspectReplicas(replicas: number, settings: Facts | undefined): RedisFinding[] {
  const insistsOn = settings?.get('min-replicas-to-write') ?? '0';
  if (replicas === 0 || insistsOn !== '0') return [];
  return [
    {
      level: 'warning',
      sentence:
        'Redis takes writes even if no replica is connected: a fail-over may lose accepted questions. Set min-replicas-to-write to 1.',
    },
  ];
}
