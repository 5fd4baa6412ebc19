import { StoreUnavailableError } from '../../errors.ts';
import {
  type Addition,
  type AuditEnds,
  type AuditHead,
  type AuditTable,
  CHAIN_BEGIN,
  type LinkedEntry,
} from '../../governance/audit/audit-log.ts';
import { readRecord } from '../record.ts';
import { type RedisConnection, redisScript } from './redis-client.ts';
import { AUDIT, AUDIT_ENDS } from './redis-keys.ts';

/** Entries read at once: to verify them takes up to 20 ms. */
const PAGE = 100;

/** Each conflict means that another replica succeeded, so conflicts for this long mean a broken Redis. */
const GIVE_UP_MS = 5_000;

const ENDS = ['headSeq', 'headHash', 'headSeal', 'originSeq', 'originHash'];

/** A sorted set of entries by sequence number, and a hash with its first and last. */
export function createRedisAudit({ send }: RedisConnection<typeof auditScripts>): AuditTable {
  /** Additions of one process are serialised, so that only replicas conflict. */
  let last: Promise<unknown> = Promise.resolve();

  async function readEnds(): Promise<AuditEnds> {
    const [headSeq, headHash, seal, originSeq, originHash] = await send((client) => client.hmGet(AUDIT_ENDS, ENDS));
    return {
      head: { ...toPlace(headSeq, headHash), seal: seal || undefined },
      origin: toPlace(originSeq, originHash),
    };
  }

  async function add(link: (ends: AuditEnds) => Addition | undefined): Promise<LinkedEntry | undefined> {
    const givenUpAt = performance.now() + GIVE_UP_MS;
    while (performance.now() < givenUpAt) {
      const ends = await readEnds();
      const added = link(ends);
      if (added === undefined) return undefined;
      const args = toArguments(added, ends.head);
      if ((await send((client) => client.appendAudit([AUDIT, AUDIT_ENDS], args))) === 1) return added.entry;
    }
    throw new StoreUnavailableError(`the audit log could not be written within ${GIVE_UP_MS} ms`);
  }

  /** By the set's score: an entry's own sequence number may have been tampered with. */
  const readAfter = (seq: number) => {
    const range = { BY: 'SCORE', LIMIT: { offset: 0, count: PAGE } } as const;
    return send((client) => client.zRangeWithScores(AUDIT, `(${seq}`, '+inf', range));
  };

  return {
    add(link) {
      const added = last.then(() => add(link));
      last = added.catch(() => undefined);
      return added;
    },
    async list({ limit, before }) {
      const from = before === undefined ? '+inf' : `(${before}`;
      const range = { BY: 'SCORE', REV: true, LIMIT: { offset: 0, count: limit } } as const;
      return (await send((client) => client.zRange(AUDIT, from, '-inf', range))).map(readRecord<LinkedEntry>);
    },
    head: async () => (await readEnds()).head,
    origin: async () => (await readEnds()).origin,
    async *all() {
      for (let { seq } = (await readEnds()).origin; ; ) {
        const members = await readAfter(seq);
        for (const { value } of members) yield readRecord<LinkedEntry>(value);
        if (members.length < PAGE) return;
        seq = members.at(-1)?.score ?? seq;
      }
    },
  };
}

function toPlace(seq: string | null | undefined, hash: string | null | undefined): AuditHead {
  return seq && hash ? { seq: Number(seq), hash } : CHAIN_BEGIN;
}

function toArguments({ entry, seal = '', cut }: Addition, head: AuditHead): string[] {
  const linkedTo = head.seq === 0 ? '' : head.hash;
  const added = [linkedTo, String(entry.seq), entry.hash, JSON.stringify(entry), seal];
  return cut ? [...added, String(cut.seq), cut.hash] : added;
}

export const auditScripts = {
  appendAudit: redisScript<number>(`
-- KEYS: 1 the log, 2 its ends. ARGV: 1 hash of the head it is linked to, empty for none, 2 its place, 3 its hash, 4 entry,
-- 5 seal of the new head, empty for none; where entries are removed: 6 place and 7 hash of the last of them.
-- Returns 1, or 0 where another entry has become the head.
if (redis.call('HGET', KEYS[2], 'headHash') or '') ~= ARGV[1] then return 0 end
redis.call('ZADD', KEYS[1], ARGV[2], ARGV[4])
redis.call('HSET', KEYS[2], 'headSeq', ARGV[2], 'headHash', ARGV[3], 'headSeal', ARGV[5])
if ARGV[6] then
  redis.call('HSET', KEYS[2], 'originSeq', ARGV[6], 'originHash', ARGV[7])
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[6])
end
return 1
`),
};
