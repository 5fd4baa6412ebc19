import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { createAuditLog } from '../../../src/governance/audit/chained-log.ts';
import { createLog } from '../../../src/log.ts';
import { createGroupCommit } from '../../../src/storage/sqlite/group-commit.ts';
import { prepareSchema } from '../../../src/storage/sqlite/schema.ts';
import { createSqliteAudit } from '../../../src/storage/sqlite/sqlite-audit.ts';
import { aKey, anEntry } from './samples.ts';

it.each([
  ['emptied', 0],
  ['put back to an older state', 1],
])('a log that is %s under a running app is told of, sealed or not', async (_, kept) => {
  for (const keys of [[], [aKey]]) {
    const lines: { msg: string; seq?: number; before?: number }[] = [];
    const log = createLog('error', { write: (line) => void lines.push(JSON.parse(line)) });
    const database = new DatabaseSync(':memory:');
    prepareSchema(database);
    const audit = createAuditLog(createSqliteAudit(database, createGroupCommit(database)), { keys, log });
    await audit.start();
    const ends: Record<string, unknown>[] = [];
    for (let at = 1; at <= 4; at++) {
      ends.push({ ...database.prepare('SELECT head_seq, head_hash, head_seal FROM audit_ends').get() });
      await audit.append(anEntry({ at }));
    }
    const healthy = lines.length;

    const { head_seq, head_hash, head_seal } = ends[kept] as Record<string, string>;
    database.prepare('DELETE FROM audit WHERE seq > ?').run(head_seq ?? 0);
    database
      .prepare('UPDATE audit_ends SET head_seq = ?, head_hash = ?, head_seal = ?')
      .run(head_seq ?? 0, head_hash ?? '', head_seal ?? null);
    await audit.append(anEntry({ at: 5 }));
    await audit.append(anEntry({ at: 6 }));

    expect(healthy).toBe(0);
    expect(lines.map(({ msg, seq }) => [msg, seq])).toEqual([['audit log lost entries', head_seq]]);
  }
});
