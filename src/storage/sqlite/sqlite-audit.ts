import type { DatabaseSync } from 'node:sqlite';
import { type AuditHead, type AuditStore, type LinkedEntry, linkEntry } from '../../governance/audit/audit-log.ts';
import { NEWEST_SCHEMA, readRecord } from '../record.ts';
import type { GroupCommit } from './group-commit.ts';

/** Entries read or removed at once. */
const PAGE = 500;

export function createSqliteAudit(database: DatabaseSync, { write }: GroupCommit): AuditStore {
  const ends = database.prepare('SELECT head_seq, head_hash, origin_seq, origin_hash FROM audit_ends');
  const insert = database.prepare('INSERT INTO audit (seq, at, body) VALUES (?, ?, ?)');
  const setHead = database.prepare('UPDATE audit_ends SET head_seq = ?, head_hash = ?');
  const setOrigin = database.prepare('UPDATE audit_ends SET origin_seq = ?, origin_hash = ?');
  const latest = database.prepare('SELECT body FROM audit WHERE seq < ? ORDER BY seq DESC LIMIT ?');
  const following = database.prepare(`SELECT seq, at, body FROM audit WHERE seq > ? ORDER BY seq LIMIT ${PAGE}`);
  const remove = database.prepare('DELETE FROM audit WHERE seq <= ?');

  const readHead = () => toPlace(ends.get(), 'head');
  const readOrigin = () => toPlace(ends.get(), 'origin');

  function forgetPage(before: number): number {
    const entries = following.all(readOrigin().seq);
    const kept = entries.findIndex(({ at }) => Number(at) >= before);
    const gone = entries.slice(0, kept === -1 ? entries.length : kept);
    const last = gone.at(-1);
    if (last === undefined) return 0;
    const { seq, hash } = read(last);
    setOrigin.run(seq, hash);
    remove.run(seq);
    return gone.length;
  }

  return {
    append: (entry) =>
      write(() => {
        const linked = linkEntry(entry, readHead());
        insert.run(linked.seq, linked.at, JSON.stringify(linked));
        setHead.run(linked.seq, linked.hash);
        return linked;
      }),
    list: async ({ limit, before = Number.MAX_SAFE_INTEGER }) => latest.all(before, limit).map(read),
    head: async () => readHead(),
    origin: async () => readOrigin(),
    async *all() {
      for (let last = readOrigin().seq; ; ) {
        const rows = following.all(last);
        for (const row of rows) yield read(row);
        if (rows.length < PAGE) return;
        last = Number(rows.at(-1)?.seq);
      }
    },
    async forget(before) {
      let total = 0;
      for (let gone = PAGE; gone === PAGE; total += gone) gone = await write(() => forgetPage(before));
      return total;
    },
  };
}

function read({ body }: Record<string, unknown>): LinkedEntry {
  return readRecord<LinkedEntry>(String(body), NEWEST_SCHEMA.audit);
}

function toPlace(row: Record<string, unknown> | undefined, end: 'head' | 'origin'): AuditHead {
  return { seq: Number(row?.[`${end}_seq`]), hash: String(row?.[`${end}_hash`]) };
}
