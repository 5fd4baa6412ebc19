import type { DatabaseSync } from 'node:sqlite';
import type { OverlayRecord } from '../../governance/register/overlay.ts';
import type { OverlayStore } from '../../governance/register/overlay-store.ts';
import { NEWEST_SCHEMA, readRecord } from '../record.ts';
import type { GroupCommit } from './group-commit.ts';

export function createSqliteOverlay(database: DatabaseSync, { write }: GroupCommit): OverlayStore {
  const add = database.prepare('INSERT INTO overlay (id, body) VALUES (?, ?) ON CONFLICT (id) DO NOTHING');
  const list = database.prepare('SELECT body FROM overlay ORDER BY seq');

  return {
    add: (record) => write(() => (add.run(record.id, JSON.stringify(record)).changes === 1 ? 'new' : 'duplicate')),
    list: async () => list.all().map(({ body }) => readRecord<OverlayRecord>(String(body), NEWEST_SCHEMA.overlay)),
  };
}
