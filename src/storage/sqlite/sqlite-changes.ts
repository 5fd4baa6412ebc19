import type { DatabaseSync } from 'node:sqlite';
import type { AllocationChange, Change, ChangeStore, LimitChange } from '../../governance/changes/change.ts';
import { toSubject } from '../change-subject.ts';
import { NEWEST_SCHEMA, readRecord } from '../record.ts';
import type { GroupCommit } from './group-commit.ts';

export function createSqliteChanges(database: DatabaseSync, { write }: GroupCommit): ChangeStore {
  const begin = database.prepare(
    'INSERT INTO changes (id, subject, body) VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING',
  );
  const finish = database.prepare("UPDATE changes SET body = json_set(body, '$.outcome', json(?)) WHERE id = ?");
  const get = database.prepare('SELECT body FROM changes WHERE id = ?');
  const last = database.prepare(`
    SELECT body FROM changes
    WHERE subject = ? AND id <> ? AND coalesce(json_extract(body, '$.outcome.written'), 'perhaps') <> 'no'
    ORDER BY json_extract(body, '$.at') DESC, seq DESC LIMIT 1`);

  function read<T extends Change>(row: Record<string, unknown> | undefined): T | undefined {
    return row && readRecord<T>(String(row.body), NEWEST_SCHEMA.change);
  }

  return {
    begin: (change) =>
      write(() =>
        begin.run(change.id, toSubject(change), JSON.stringify(change)).changes === 1 ? 'new' : 'duplicate',
      ),
    finish: (id, outcome) => write(() => void finish.run(JSON.stringify(outcome), id)),
    get: async (id) => read(get.get(id)),
    lastSet: async (environmentId, agentResourceId, exceptId = '') =>
      read<LimitChange>(last.get(toSubject({ kind: 'agent_limit', environmentId, agentResourceId }), exceptId)),
    lastAllocation: async (environmentId) =>
      read<AllocationChange>(last.get(toSubject({ kind: 'allocation', environmentId }), '')),
  };
}
