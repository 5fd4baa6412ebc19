import type { DatabaseSync } from 'node:sqlite';
import type { AllocationChange, Change, ChangeStore, LimitChange } from '../../governance/changes/change.ts';
import type { OverlayRecord, OverlayStore } from '../../governance/register/overlay.ts';
import type { ReviewSnapshot, ReviewStore } from '../../governance/review/review-diff.ts';
import { NEWEST_SCHEMA, readRecord, toSubject } from '../record.ts';
import type { GroupCommit } from './group-commit.ts';

export function createSqliteReviews(database: DatabaseSync, { write }: GroupCommit, now: () => number): ReviewStore {
  const last = database.prepare('SELECT at, body FROM last_review');
  const save = database.prepare('INSERT OR REPLACE INTO last_review (only_one, at, body) VALUES (1, ?, ?)');
  const forget = database.prepare('DELETE FROM notices WHERE expires_at <= ?');
  const claim = database.prepare(`
    INSERT INTO notices (key, holder, expires_at) VALUES (?, ?, ?)
    ON CONFLICT (key) DO UPDATE SET expires_at = excluded.expires_at WHERE holder = excluded.holder`);
  const release = database.prepare('DELETE FROM notices WHERE key = ?');

  return {
    async lastSnapshot() {
      const row = last.get();
      return row && readRecord<ReviewSnapshot>(String(row.body), NEWEST_SCHEMA.review);
    },
    saveSnapshot: (snapshot, replaces) =>
      write(() => {
        const stored = last.get()?.at;
        if (stored !== replaces && stored !== snapshot.at) return false;
        save.run(snapshot.at, JSON.stringify(snapshot));
        return true;
      }),
    claimNotice: (key, expiresAt, holder) =>
      write(() => {
        forget.run(now());
        return claim.run(key, holder, expiresAt).changes === 1;
      }),
    releaseNotice: (key) => write(() => void release.run(key)),
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

export function createSqliteOverlay(database: DatabaseSync, { write }: GroupCommit): OverlayStore {
  const add = database.prepare('INSERT INTO overlay (id, body) VALUES (?, ?) ON CONFLICT (id) DO NOTHING');
  const list = database.prepare('SELECT body FROM overlay ORDER BY seq');

  return {
    add: (record) => write(() => (add.run(record.id, JSON.stringify(record)).changes === 1 ? 'new' : 'duplicate')),
    list: async () => list.all().map(({ body }) => readRecord<OverlayRecord>(String(body), NEWEST_SCHEMA.overlay)),
  };
}
