import { type Facts, parseInfo, readMemory, readSettings } from '../storage/redis/inspect-redis.ts';
import type { RedisClient } from '../storage/redis/redis-client.ts';
import { error, type Finding, ok, warning } from './finding.ts';

/** As the alert `AssistantBridgeRedisFills`. */
export const NEARLY_FULL = 0.8;

const MIB = 1024 * 1024;

/**
 * How full Redis is, and whether it takes writes now. The app does not ask this at its start, and may wait for it to.
 * Nothing is written to find out: INFO has all that Redis decides by.
 */
export async function inspectRedisWriting(client: Pick<RedisClient, 'info' | 'configGet'>): Promise<Finding[]> {
  const [info, settings] = await Promise.all([
    client.info(),
    readSettings(client, ['min-replicas-to-write', 'save', 'stop-writes-on-bgsave-error']),
  ]);
  const facts = parseInfo(String(info));
  return [
    inspectMemory(facts),
    inspectAppended(facts),
    inspectSaved(facts, settings),
    inspectFollowers(facts, settings),
  ].filter((finding) => finding !== undefined);
}

function inspectMemory(facts: Facts): Finding | undefined {
  const memory = readMemory(facts);
  if (!memory) return undefined;
  const { usedBytes, limitBytes, hasMaxmemory } = memory;
  const share = `uses ${toMib(usedBytes)} of ${toMib(limitBytes)} MiB ${hasMaxmemory ? '(maxmemory)' : 'of its machine, and has no maxmemory'}`;
  // With another policy it drops what is old, which inspect-redis.ts is about.
  if (usedBytes < limitBytes * NEARLY_FULL || facts.get('maxmemory_policy') !== 'noeviction')
    return ok(`Redis ${share}.`);
  return usedBytes >= limitBytes
    ? error(`Redis is full: it ${share}, and refuses every write (OOM). The app takes nothing in. Raise maxmemory.`)
    : warning(
        `Redis is nearly full: it ${share}. Past that it refuses every write. Raise maxmemory, or give its machine more.`,
      );
}

function toMib(bytes: number): string {
  return (bytes / MIB).toFixed(bytes < 100 * MIB ? 1 : 0);
}

const SEE_DISK = 'Make room on its disk, and see that it may write its folder there; it then goes on by itself.';

function inspectAppended(facts: Facts): Finding | undefined {
  if (facts.get('aof_last_write_status') !== 'err') return undefined;
  return error(
    `Redis could not write its append-only file, and refuses every write (MISCONF). The app takes nothing in. ${SEE_DISK}`,
  );
}

/** A snapshot that failed stops all writes, but only where snapshots are made at all: `save` is not empty. */
function inspectSaved(facts: Facts, settings: Facts | undefined): Finding | undefined {
  if (facts.get('rdb_last_bgsave_status') !== 'err') return undefined;
  const failed = 'Redis could not write its last snapshot';
  if (!settings) return warning(`${failed}, and may refuse every write for that (MISCONF). ${SEE_DISK}`);
  if (settings.get('stop-writes-on-bgsave-error') === 'no' || settings.get('save') === '') {
    return warning(`${failed}. It goes on all the same. ${SEE_DISK}`);
  }
  return error(`${failed}, and refuses every write for that (MISCONF). The app takes nothing in. ${SEE_DISK}`);
}

/** It only counts them where it insists on them. */
function inspectFollowers(facts: Facts, settings: Facts | undefined): Finding | undefined {
  const counted = facts.get('min_slaves_good_slaves');
  const needed = Number(settings?.get('min-replicas-to-write') ?? 1);
  if (counted === undefined || Number(counted) >= needed) return undefined;
  return error(
    `Redis insists on ${needed} of its replicas to follow (min-replicas-to-write), and ${counted} do: it refuses every write (NOREPLICAS). The app takes nothing in. Start the replicas, or look why they lag behind.`,
  );
}
