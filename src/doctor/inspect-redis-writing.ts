import { type Facts, parseInfo, readMemory, readSettings } from '../storage/redis/inspect-redis.ts';
import type { RedisClient } from '../storage/redis/redis-client.ts';
import { speak } from './check.ts';
import type { Finding } from './finding.ts';

/** The same share as in the alert `AssistantBridgeRedisFills`. */
export const NEARLY_FULL = 0.8;

const MIB = 1024 * 1024;

const { words, say } = speak({
  roomy: '✓ Redis {share}.',
  nearlyFull:
    '! Redis is nearly full: it {share}. When it is full, it refuses every write. Raise maxmemory, or give its machine more.',
  full: '✗ Redis is full: it {share}, and refuses every write (OOM). The app accepts no questions. Raise maxmemory.',
  notAppended:
    '✗ Redis could not write its append-only file, and refuses every write (MISCONF). The app accepts no questions. Make room on its disk, and check that it may write to its folder. It then goes on by itself.',
  notSaved:
    '! Redis could not write its last snapshot{result}. Make room on its disk, and check that it may write to its folder. It then goes on by itself.',
  stopped:
    '✗ Redis could not write its last snapshot, and refuses every write for that (MISCONF). The app accepts no questions. Make room on its disk, and check that it may write to its folder. It then goes on by itself.',
  notFollowed:
    '✗ Redis requires {needed} connected replicas (min-replicas-to-write), and has {counted}: it refuses every write (NOREPLICAS). The app accepts no questions. Start the replicas, or find out why they lag behind.',
});

export const REDIS_WORDS = words;

/**
 * How full Redis is, and whether it takes writes now. The app does not check this at its start: it may wait until
 * writes work. Writes nothing: INFO has everything that Redis decides by.
 */
export async function inspectRedisWriting(client: Pick<RedisClient, 'info' | 'configGet'>): Promise<Finding[]> {
  const [info, settings] = await Promise.all([
    client.info(),
    readSettings(client, ['min-replicas-to-write', 'save', 'stop-writes-on-bgsave-error']),
  ]);
  const facts = parseInfo(String(info));
  return [
    ...inspectMemory(facts),
    ...(facts.get('aof_last_write_status') === 'err' ? [say('notAppended')] : []),
    ...(facts.get('rdb_last_bgsave_status') === 'err' ? [describeSnapshot(settings)] : []),
    ...inspectFollowers(facts, settings),
  ];
}

function inspectMemory(facts: Facts): Finding[] {
  const memory = readMemory(facts);
  if (!memory) return [];
  const { usedBytes: used, limitBytes: limit, hasMaxmemory } = memory;
  const share = `uses ${toMib(used)} of ${toMib(limit)} MiB ${hasMaxmemory ? '(maxmemory)' : 'of its machine, and has no maxmemory'}`;
  // With another policy Redis drops old keys: inspect-redis.ts reports that.
  const isRoomy = used < limit * NEARLY_FULL || facts.get('maxmemory_policy') !== 'noeviction';
  if (isRoomy) return [say('roomy', { share })];
  return [say(used >= limit ? 'full' : 'nearlyFull', { share })];
}

function toMib(bytes: number): string {
  return (bytes / MIB).toFixed(bytes < 100 * MIB ? 1 : 0);
}

/** A failed snapshot stops all writes, but only if snapshots are on: `save` is not empty. */
function describeSnapshot(settings: Facts | undefined): Finding {
  if (!settings) return say('notSaved', { result: ', and may refuse every write for that (MISCONF)' });
  const goesOn = settings.get('stop-writes-on-bgsave-error') === 'no' || settings.get('save') === '';
  return goesOn ? say('notSaved', { result: '. It still takes writes' }) : say('stopped');
}

/** Redis counts its replicas only if it requires some. */
function inspectFollowers(facts: Facts, settings: Facts | undefined): Finding[] {
  const counted = facts.get('min_slaves_good_slaves');
  const needed = Number(settings?.get('min-replicas-to-write') ?? 1);
  return counted === undefined || Number(counted) >= needed ? [] : [say('notFollowed', { needed, counted })];
}
