import type { DatabaseSync } from 'node:sqlite';
import type { ReviewSnapshot } from '../../governance/review/review-snapshot.ts';
import type { ReviewStore } from '../../governance/review/review-store.ts';
import { NEWEST_SCHEMA, readRecord } from '../record.ts';
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
