import { ErrorReply } from 'redis';
import type { RedisClient } from '../storage/redis/redis-client.ts';
import { error, type Finding, ok, warning } from './finding.ts';

/** From here on it is a question of days. */
const NEARLY_FULL = 0.9;

const MIB = 1024 * 1024;

/**
 * Whether Redis takes writes now. The app does not ask this at its start, and may wait for it to. Nothing is written to
 * find out: INFO has all that Redis decides by.
 */
export async function inspectRedisWriting(client: Pick<RedisClient, 'info' | 'configGet'>): Promise<Finding[]> {
  const [info, settings] = await Promise.all([client.info(), readSettings(client)]);
  const facts = toFacts(info);
  return [
    inspectMemory(facts),
    inspectAppended(facts),
    inspectSaved(facts, settings),
    inspectFollowers(facts, settings),
  ].filter((finding) => finding !== undefined);
}

/** A field of INFO: https://redis.io/docs/latest/commands/info */
type Facts = (name: string) => string | undefined;

function toFacts(info: unknown): Facts {
  return (name) => new RegExp(`^${name}:(.*?)\r?$`, 'm').exec(String(info))?.[1];
}

type Settings = Record<string, string> | undefined;

/** Undefined where we may not read them, as with many managed services. */
async function readSettings(client: Pick<RedisClient, 'configGet'>): Promise<Settings> {
  try {
    return await client.configGet(['min-replicas-to-write', 'save', 'stop-writes-on-bgsave-error']);
  } catch (cause) {
    if (cause instanceof ErrorReply) return undefined;
    throw cause;
  }
}

/** What Redis uses of what it may use. It takes writes. */
export async function inspectRedisRoom(client: Pick<RedisClient, 'info'>): Promise<Finding | undefined> {
  const facts = toFacts(await client.info());
  const [used, limit, machine] = ['used_memory', 'maxmemory', 'total_system_memory'].map((name) =>
    Number(facts(name) ?? 0),
  );
  if (!used) return undefined;
  if (limit) return ok(`Redis uses ${toMib(used)} MiB of its maxmemory of ${toMib(limit)} MiB.`);
  const sentence = `Redis uses ${toMib(used)} MiB and has no maxmemory`;
  return machine && used >= machine * NEARLY_FULL
    ? warning(`${sentence}: the ${toMib(machine)} MiB of its machine are nearly used up. Give it more, or a limit.`)
    : ok(`${sentence}: the memory of its machine is the limit.`);
}

/** What it keeps for its replicas and its file does not count against `maxmemory`. */
function inspectMemory(facts: Facts): Finding | undefined {
  const limit = Number(facts('maxmemory') ?? 0);
  const used = Number(facts('used_memory') ?? 0) - Number(facts('mem_not_counted_for_evict') ?? 0);
  // With another policy it drops what is old, which inspect-redis.ts is about.
  if (limit === 0 || used < limit * NEARLY_FULL || facts('maxmemory_policy') !== 'noeviction') return undefined;
  const share = `it uses ${toMib(used)} MiB of its maxmemory of ${toMib(limit)} MiB`;
  return used >= limit
    ? error(`Redis is full: ${share}, and refuses every write (OOM). The app takes nothing in. Raise maxmemory.`)
    : warning(`Redis is nearly full: ${share}. Past that it refuses every write. Raise maxmemory.`);
}

function toMib(bytes: number): string {
  return (bytes / MIB).toFixed(bytes < 100 * MIB ? 1 : 0);
}

const SEE_DISK = 'Make room on its disk, and see that it may write its folder there; it then goes on by itself.';

function inspectAppended(facts: Facts): Finding | undefined {
  if (facts('aof_last_write_status') !== 'err') return undefined;
  return error(
    `Redis could not write its append-only file, and refuses every write (MISCONF). The app takes nothing in. ${SEE_DISK}`,
  );
}

/** A snapshot that failed stops all writes, but only where snapshots are made at all: `save` is not empty. */
function inspectSaved(facts: Facts, settings: Settings): Finding | undefined {
  if (facts('rdb_last_bgsave_status') !== 'err') return undefined;
  const failed = 'Redis could not write its last snapshot';
  if (!settings) return warning(`${failed}, and may refuse every write for that (MISCONF). ${SEE_DISK}`);
  if (settings['stop-writes-on-bgsave-error'] === 'no' || settings.save === '') {
    return warning(`${failed}. It goes on all the same. ${SEE_DISK}`);
  }
  return error(`${failed}, and refuses every write for that (MISCONF). The app takes nothing in. ${SEE_DISK}`);
}

/** It only counts them where it insists on them. */
function inspectFollowers(facts: Facts, settings: Settings): Finding | undefined {
  const counted = facts('min_slaves_good_slaves');
  const needed = Number(settings?.['min-replicas-to-write'] ?? 1);
  if (counted === undefined || Number(counted) >= needed) return undefined;
  return error(
    `Redis insists on ${needed} of its replicas to follow (min-replicas-to-write), and ${counted} do: it refuses every write (NOREPLICAS). The app takes nothing in. Start the replicas, or look why they lag behind.`,
  );
}
