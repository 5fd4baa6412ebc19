import type { DatabaseSync } from 'node:sqlite';
import type { InstallationStore, StoredInstallation } from '../../slack/installation-store.ts';
import { NEWEST_SCHEMA, readRecord } from '../record.ts';
import type { GroupCommit } from './group-commit.ts';

export function createSqliteInstallations(database: DatabaseSync, { write }: GroupCommit): InstallationStore {
  const get = database.prepare('SELECT body FROM installations WHERE workspace = ?');
  const put = database.prepare('INSERT OR REPLACE INTO installations (workspace, installed_at, body) VALUES (?, ?, ?)');
  const remove = database.prepare('DELETE FROM installations WHERE workspace = ? AND installed_at = ?');
  const list = database.prepare('SELECT workspace FROM installations');

  return {
    get: async (workspace) => {
      const row = get.get(workspace);
      return row && readRecord<StoredInstallation>(String(row.body), NEWEST_SCHEMA.installation);
    },
    put: (installation) =>
      write(() => {
        put.run(installation.workspace, installation.installedAt, JSON.stringify(installation));
      }),
    remove: (workspace, installedAt) => write(() => remove.run(workspace, installedAt).changes === 1),
    list: async () => list.all().map(({ workspace }) => String(workspace)),
  };
}
