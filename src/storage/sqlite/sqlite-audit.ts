import type { DatabaseSync } from 'node:sqlite';
import type { AuditEnds, AuditTable, LinkedEntry } from '../../governance/audit/audit-log.ts';
import { readRecord } from '../record.ts';
import type { GroupCommit } from './group-commit.ts';

/** Entries read at once: to verify them takes up to 20 ms, and the event loop has to turn in between. */
const PAGE = 100;

export function createSqliteAudit(database: DatabaseSync, { write }: GroupCommit): AuditTable {
  const ends = database.prepare('SELECT * FROM audit_ends');
  const insert = database.prepare('INSERT INTO audit (seq, at, body) VALUES (?, ?, ?)');
  const setHead = database.prepare('UPDATE audit_ends SET head_seq = ?, head_hash = ?, head_seal = ?');
  const setOrigin = database.prepare('UPDATE audit_ends SET origin_seq = ?, origin_hash = ?');
  const latest = database.prepare('SELECT body FROM audit WHERE seq < ? ORDER BY seq DESC LIMIT ?');
  const following = database.prepare(`SELECT seq, body FROM audit WHERE seq > ? ORDER BY seq LIMIT ${PAGE}`);
  const remove = database.prepare('DELETE FROM audit WHERE seq <= ?');

  const readEnds = () => toEnds(ends.get() ?? {});

  return {
    add: (link) =>
      write(() => {
        const added = link(readEnds());
        if (added === undefined) return undefined;
        const { entry, seal = null, cut } = added;
        insert.run(entry.seq, entry.at, JSON.stringify(entry));
        setHead.run(entry.seq, entry.hash, seal);
        if (cut) setOrigin.run(cut.seq, cut.hash);
        if (cut) remove.run(cut.seq);
        return entry;
      }),
    list: async ({ limit, before = Number.MAX_SAFE_INTEGER }) =>
      latest.all(before, limit).map(({ body }) => readRecord<LinkedEntry>(body)),
    head: async () => readEnds().head,
    origin: async () => readEnds().origin,
    async *all() {
      for (let last = readEnds().origin.seq; ; ) {
        const rows = following.all(last);
        for (const { body } of rows) yield readRecord<LinkedEntry>(body);
        if (rows.length < PAGE) return;
        last = Number(rows.at(-1)?.seq);
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}

function toEnds(row: Record<string, unknown>): AuditEnds {
  const seal = typeof row.head_seal === 'string' ? row.head_seal : undefined;
  return {
    head: { seq: Number(row.head_seq), hash: String(row.head_hash), seal },
    origin: { seq: Number(row.origin_seq), hash: String(row.origin_hash) },
  };
}
