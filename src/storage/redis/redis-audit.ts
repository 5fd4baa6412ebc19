import { StoreUnavailableError } from '../../errors.ts';
import {
  type AuditEntry,
  type AuditHead,
  type AuditStore,
  CHAIN_BEGIN,
  type LinkedEntry,
  linkEntry,
} from '../../governance/audit/audit-log.ts';
import { NEWEST_SCHEMA, readRecord } from '../record.ts';
import { type RedisConnection, redisScript } from './redis-client.ts';
import { AUDIT, AUDIT_ENDS } from './redis-keys.ts';

/** Entries read or removed at once. */
const PAGE = 200;

/** Each conflict means that another replica succeeded, so conflicts for this long mean a broken Redis. */
const GIVE_UP_MS = 5_000;

/** Another replica removed entries meanwhile. */
const OVERTAKEN = -1;

/** A sorted set of entries by sequence number, and a hash with its first and last. */
export function createRedisAudit({ send }: RedisConnection<typeof auditScripts>): AuditStore {
  /** Appends of one process are serialised, so that only replicas conflict. */
  let last: Promise<unknown> = Promise.resolve();

  async function readEnd(end: 'head' | 'origin'): Promise<AuditHead> {
    const [seq, hash] = await send((client) => client.hmGet(AUDIT_ENDS, [`${end}Seq`, `${end}Hash`]));
    return seq && hash ? { seq: Number(seq), hash } : CHAIN_BEGIN;
  }

  async function append(entry: AuditEntry): Promise<LinkedEntry> {
    const givenUpAt = performance.now() + GIVE_UP_MS;
    while (performance.now() < givenUpAt) {
      const head = await readEnd('head');
      const linked = linkEntry(entry, head);
      const args = [head.seq === 0 ? '' : head.hash, linked.seq, linked.hash, JSON.stringify(linked)];
      if ((await send((client) => client.appendAudit([AUDIT, AUDIT_ENDS], args))) === 1) return linked;
    }
    throw new StoreUnavailableError(`the audit log could not be written within ${GIVE_UP_MS} ms`);
  }

  /** By the set's score: an entry's own sequence number may have been tampered with. */
  const readAfter = (seq: number) => {
    const range = { BY: 'SCORE', LIMIT: { offset: 0, count: PAGE } } as const;
    return send((client) => client.zRangeWithScores(AUDIT, `(${seq}`, '+inf', range));
  };

  async function forgetPage(before: number): Promise<number> {
    const origin = await readEnd('origin');
    const entries = (await readAfter(origin.seq)).map(({ value }) => read(value));
    const kept = entries.findIndex(({ at }) => at >= before);
    const gone = entries.slice(0, kept === -1 ? entries.length : kept);
    const end = gone.at(-1);
    if (end === undefined) return 0;
    const args = [origin.seq, end.seq, end.hash];
    return send((client) => client.forgetAudit([AUDIT, AUDIT_ENDS], args));
  }

  return {
    append(entry) {
      const appended = last.then(() => append(entry));
      last = appended.catch(() => undefined);
      return appended;
    },
    async list({ limit, before }) {
      const from = before === undefined ? '+inf' : `(${before}`;
      const range = { BY: 'SCORE', REV: true, LIMIT: { offset: 0, count: limit } } as const;
      return (await send((client) => client.zRange(AUDIT, from, '-inf', range))).map(read);
    },
    head: () => readEnd('head'),
    origin: () => readEnd('origin'),
    async *all() {
      for (let seq = (await readEnd('origin')).seq; ; ) {
        const members = await readAfter(seq);
        for (const { value } of members) yield read(value);
        if (members.length < PAGE) return;
        seq = members.at(-1)?.score ?? seq;
      }
    },
    async forget(before) {
      for (let total = 0; ; ) {
        const gone = await forgetPage(before);
        if (gone === OVERTAKEN) continue;
        total += gone;
        if (gone < PAGE) return total;
      }
    },
  };
}

function read(body: string): LinkedEntry {
  return readRecord<LinkedEntry>(body, NEWEST_SCHEMA.audit);
}

export const auditScripts = {
  appendAudit: redisScript<number>(`
-- KEYS: 1 the log, 2 its ends. ARGV: 1 hash of the head it is linked to, empty for none, 2 its place, 3 its hash, 4 entry.
-- Returns 1, or 0 where another entry has become the head.
if (redis.call('HGET', KEYS[2], 'headHash') or '') ~= ARGV[1] then return 0 end
redis.call('ZADD', KEYS[1], ARGV[2], ARGV[4])
redis.call('HSET', KEYS[2], 'headSeq', ARGV[2], 'headHash', ARGV[3])
return 1
`),
  forgetAudit: redisScript<number>(`
-- KEYS: 1 the log, 2 its ends. ARGV: 1 the place it begins after, 2 place and 3 hash of the last entry to go.
-- Returns how many it removed; -1 where it begins elsewhere by now.
if (redis.call('HGET', KEYS[2], 'originSeq') or '0') ~= ARGV[1] then return -1 end
redis.call('HSET', KEYS[2], 'originSeq', ARGV[2], 'originHash', ARGV[3])
return redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[2])
`),
};
