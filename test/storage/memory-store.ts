import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import type { AuditOptions } from '../../src/governance/audit/chained-log.ts';
import { prepareSchema } from '../../src/storage/sqlite/schema.ts';
import { createSqliteStore } from '../../src/storage/sqlite/sqlite-store.ts';
import type { Store } from '../../src/storage/store.ts';

export type MemoryStore = Store & {
  /** All that a table holds, as an outsider with access to the database sees it. */
  rows(table: 'links' | 'once' | 'changes' | 'installations'): Record<string, SQLOutputValue>[];
};

/** The SQLite store on a database in memory. It need not be closed: the garbage collector frees it. */
export function createMemoryStore(now: () => number = Date.now, audit?: AuditOptions): MemoryStore {
  const database = new DatabaseSync(':memory:');
  prepareSchema(database);
  return {
    ...createSqliteStore(database, now, { audit }),
    rows: (table) => database.prepare(`SELECT * FROM ${table}`).all(),
  };
}
