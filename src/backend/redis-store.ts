import type { AuditOptions } from '../audit/chained-log.ts';
import type { ThreadConversation } from '../conversation/turn.ts';
import { PermanentError } from '../errors.ts';
import type { PersonalRecords } from '../identity/personal-data.ts';
import type { Log } from '../log.ts';
import { inspectRedis, parseInfo, readMemory } from '../storage/redis/inspect-redis.ts';
import { toOpenError } from '../storage/redis/redis-connection.ts';
import { createRedisKernel } from '../storage/redis/redis-kernel.ts';
import { watchForLoss } from '../storage/redis/redis-loss.ts';
import { checkVersion, readRecord, STORE_VERSION } from './record.ts';
import { createRecords } from './records.ts';
import { connectStore, type StoreConnection } from './redis/connect-store.ts';
import { createRedisThreads } from './redis/redis-threads.ts';
import { createRedisTurns, toTurn } from './redis/redis-turns.ts';
import { createWalk } from './redis/redis-walk.ts';
import { SCHEMA } from './redis/turn-keys.ts';
import type { Store } from './store.ts';

export type RedisOptions = {
  /** `redis://` or `rediss://`. */
  url: string;
  now(): number;
  log?: Log;
  audit?: AuditOptions | undefined;
};

/** `connection`: shared with locks, announcements and buckets. `close` closes it, too. */
export type RedisStore = Store & { readonly connection: StoreConnection };

/**
 * The store for many replicas: one Redis or Valkey, not a cluster. Throws a PermanentError with a sentence for the
 * operator if it cannot be used.
 */
export async function openRedisStore({ url, now, log, audit }: RedisOptions): Promise<RedisStore> {
  const connection = await connectStore({ url, log });
  let stopWatching: () => void;
  try {
    await checkSettings(connection, log);
    await joinVersion(connection);
    stopWatching = await watchForLoss(connection, log);
  } catch (error) {
    await connection.close();
    throw toOpenError(url, error);
  }
  const walk = createWalk(connection);
  const records = createRecords(createRedisKernel(connection, now), now, audit);
  return {
    ...records,
    turns: createRedisTurns(connection, now),
    threads: createRedisThreads(connection),
    personal: createPersonal(walk),
    async purge(workspace) {
      const turns = await walk('walkTurns', { workspace, mode: 'purge' });
      const threads = await walk('walkThreads', { workspace, mode: 'purge' });
      return turns.removed + threads.removed + (await records.purge(workspace));
    },
    memory: async () => readMemory(parseInfo(String(await connection.send((client) => client.info('memory'))))),
    close() {
      stopWatching();
      return connection.close();
    },
    connection,
  };
}

function createPersonal(walk: ReturnType<typeof createWalk>): PersonalRecords {
  return {
    async turns(person) {
      const { rows } = await walk('walkTurns', { person, mode: 'read' });
      return rows.flatMap((row) => toTurn(row) ?? []).sort((one, other) => one.acceptedAt - other.acceptedAt);
    },
    async threads(person) {
      const { rows } = await walk('walkThreads', { person, mode: 'read' });
      const threads = new Map(rows.map(([thread, ...rest]) => [String(thread), rest]));
      return {
        spokenIn: [...threads].filter(([, [hasSpoken]]) => hasSpoken === '1').map(([thread]) => thread),
        conversations: [...threads].flatMap(([thread, [, ...bodies]]) =>
          bodies.map((body) => ({ thread, conversation: readRecord<ThreadConversation>(body) })),
        ),
      };
    },
    async forget(person) {
      const turns = await walk('walkTurns', { person, mode: 'forget' });
      const threads = await walk('walkThreads', { person, mode: 'forget' });
      return turns.removed + threads.removed;
    },
  };
}

async function checkSettings(connection: StoreConnection, log: Log | undefined): Promise<void> {
  const findings = await connection.send(inspectRedis);
  const errors = findings.filter(({ level }) => level === 'error').map(({ sentence }) => sentence);
  if (errors.length > 0) throw new PermanentError('store_not_opened', errors.join(' '));
  for (const { level, sentence } of findings) if (level === 'warning') log?.warn({ sentence }, 'redis settings');
}

/** The first release that uses a Redis stores its version. */
async function joinVersion({ send }: StoreConnection): Promise<void> {
  const found = await send((client) => client.set(SCHEMA, STORE_VERSION, { condition: 'NX', GET: true }));
  checkVersion(Number(found ?? STORE_VERSION), 'Redis');
}
