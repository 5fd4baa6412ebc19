import type { DatabaseSync } from 'node:sqlite';
import type { RuleStore, WorkspaceRules } from '../../conversation/channel-rules.ts';
import {
  type AllocationChange,
  type Change,
  type ChangeStore,
  INTERRUPTED,
  type LimitChange,
} from '../../governance/changes/change.ts';
import type { OverlayRecord, OverlayStore } from '../../governance/register/overlay.ts';
import type { ReviewSnapshot } from '../../governance/review/review-diff.ts';
import { readRecord, toSubject } from '../record.ts';
import type { Snapshots } from '../reviews.ts';
import type { GroupCommit } from './group-commit.ts';

export function createSqliteReviews(database: DatabaseSync, { write }: GroupCommit): Snapshots {
  const last = database.prepare('SELECT at, body FROM last_review');
  const save = database.prepare('INSERT OR REPLACE INTO last_review (only_one, at, body) VALUES (1, ?, ?)');

  return {
    async lastSnapshot() {
      const row = last.get();
      return row && readRecord<ReviewSnapshot>(row.body);
    },
    saveSnapshot: (snapshot, replaces) =>
      write(() => {
        const stored = last.get()?.at;
        if (stored !== replaces && stored !== snapshot.at) return false;
        save.run(snapshot.at, JSON.stringify(snapshot));
        return true;
      }),
  };
}

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
  const keepUntold = database.prepare('INSERT INTO untold_changes (id) VALUES (?)');
  const forgetUntold = database.prepare('DELETE FROM untold_changes WHERE id = ?');
  const untold = database.prepare(
    'SELECT body FROM untold_changes JOIN changes USING (id) ORDER BY untold_changes.seq',
  );

  function read<T extends Change>(row: Record<string, unknown> | undefined): T | undefined {
    return row && (readRecord<Change>(row.body) as T);
  }

  return {
    begin: (change) =>
      write(() => {
        if (begin.run(change.id, toSubject(change), JSON.stringify(change)).changes === 0) return 'duplicate';
        keepUntold.run(change.id);
        return 'new';
      }),
    finish: (id, outcome) =>
      write(() => {
        finish.run(JSON.stringify(outcome), id);
        if (outcome.reason !== INTERRUPTED) forgetUntold.run(id);
      }),
    get: async (id) => read(get.get(id)),
    lastSet: async (environmentId, agentResourceId, exceptId = '', currencyType) => {
      const subject = toSubject({ kind: 'agent_limit', environmentId, agentResourceId, currencyType });
      return read<LimitChange>(last.get(subject, exceptId));
    },
    lastAllocation: async (environmentId) =>
      read<AllocationChange>(last.get(toSubject({ kind: 'allocation', environmentId }), '')),
    untold: async () => untold.all().map(({ body }) => readRecord<Change>(body)),
    told: (id) => write(() => void forgetUntold.run(id)),
  };
}

export function createSqliteOverlay(database: DatabaseSync, { write }: GroupCommit): OverlayStore {
  const add = database.prepare('INSERT INTO overlay (id, body) VALUES (?, ?) ON CONFLICT (id) DO NOTHING');
  const list = database.prepare('SELECT body FROM overlay ORDER BY seq');

  return {
    add: (record) => write(() => (add.run(record.id, JSON.stringify(record)).changes === 1 ? 'new' : 'duplicate')),
    list: async () => list.all().map(({ body }) => readRecord<OverlayRecord>(body)),
  };
}

/** A row for each workspace. The version has a column of its own, for comparing. */
export function createSqliteRules(database: DatabaseSync, { write }: GroupCommit): RuleStore {
  const get = database.prepare('SELECT version, body FROM rules WHERE workspace = ?');
  const insert = database.prepare(
    'INSERT INTO rules (workspace, version, body) VALUES (?, 1, ?) ON CONFLICT (workspace) DO NOTHING',
  );
  const update = database.prepare(
    'UPDATE rules SET version = version + 1, body = :body WHERE workspace = :workspace AND version = :expected',
  );

  return {
    async get(workspace) {
      const row = get.get(workspace);
      return row && { ...readRecord<WorkspaceRules>(row.body), version: Number(row.version) };
    },
    save: (rules, expected) =>
      write(() => {
        const { workspace } = rules;
        const body = JSON.stringify(rules);
        const { changes } = expected === 0 ? insert.run(workspace, body) : update.run({ workspace, body, expected });
        return changes === 1;
      }),
  };
}
