import type { DatabaseSync } from 'node:sqlite';
import type { ChangeStore, LimitChange } from '../../governance/change-store.ts';
import { NEWEST_SCHEMA, readRecord } from '../record.ts';
import type { GroupCommit } from './group-commit.ts';

export function createSqliteChanges(database: DatabaseSync, { write }: GroupCommit): ChangeStore {
  const begin = database.prepare(
    'INSERT INTO changes (id, subject, body) VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING',
  );
  const finish = database.prepare("UPDATE changes SET body = json_set(body, '$.outcome', json(?)) WHERE id = ?");
  const lastSet = database.prepare(`
    SELECT body FROM changes
    WHERE subject = ? AND id <> ? AND coalesce(json_extract(body, '$.outcome.written'), 'perhaps') <> 'no'
    ORDER BY json_extract(body, '$.at') DESC, seq DESC LIMIT 1`);

  return {
    begin: (change) =>
      write(() => {
        const subject = toSubject(change.environmentId, change.agentResourceId);
        return begin.run(change.id, subject, JSON.stringify(change)).changes === 1 ? 'new' : 'duplicate';
      }),
    finish: (id, outcome) => write(() => void finish.run(JSON.stringify(outcome), id)),
    lastSet: async (environmentId, agentResourceId, exceptId = '') => {
      const row = lastSet.get(toSubject(environmentId, agentResourceId), exceptId);
      return row && readRecord<LimitChange>(String(row.body), NEWEST_SCHEMA.change);
    },
  };
}

function toSubject(environmentId: string, agentResourceId: string): string {
  return `${environmentId}|${agentResourceId}`.toLowerCase();
}
