import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import type { AuditOptions } from '../../src/audit/chained-log.ts';
import { prepareSchema } from '../../src/backend/sqlite/schema.ts';
import { createSqliteStore } from '../../src/backend/sqlite-store.ts';
import type { Store } from '../../src/backend/store.ts';

export type MemoryStore = Store & {
  /** All documents of a kind, as an outsider with access to the database sees them. */
  rows(kind: 'link' | 'once' | 'change' | 'installation'): Record<string, SQLOutputValue>[];
};

/** The SQLite store on a database in memory. It need not be closed: the garbage collector frees it. */
export function createMemoryStore(now: () => number = Date.now, audit?: AuditOptions): MemoryStore {
  const database = new DatabaseSync(':memory:');
  prepareSchema(database);
  return {
    ...createSqliteStore(database, now, { audit }),
    rows: (kind) => database.prepare("SELECT key, expires_at, body FROM documents WHERE key LIKE ? || ':%'").all(kind),
  };
}
