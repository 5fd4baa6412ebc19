import type { DatabaseSync } from 'node:sqlite';
import type { ReviewSnapshot } from '../../governance/review/review-snapshot.ts';
import type { ReviewStore } from '../../governance/review/review-store.ts';
import { NEWEST_SCHEMA, readRecord } from '../record.ts';
import type { GroupCommit } from './group-commit.ts';

export function createSqliteReviews(database: DatabaseSync, { write }: GroupCommit, now: () => number): ReviewStore {
  const last = database.prepare('SELECT body FROM last_review');
  const save = database.prepare('INSERT OR REPLACE INTO last_review (only_one, body) VALUES (1, ?)');
  const forget = database.prepare('DELETE FROM notices WHERE expires_at <= ?');
  const claim = database.prepare('INSERT INTO notices (key, expires_at) VALUES (?, ?) ON CONFLICT (key) DO NOTHING');
  const release = database.prepare('DELETE FROM notices WHERE key = ?');

  return {
    async lastSnapshot() {
      const row = last.get();
      return row && readRecord<ReviewSnapshot>(String(row.body), NEWEST_SCHEMA.review);
    },
    saveSnapshot: (snapshot) => write(() => void save.run(JSON.stringify(snapshot))),
    claimNotice: (key, expiresAt) =>
      write(() => {
        forget.run(now());
        return claim.run(key, expiresAt).changes === 1;
      }),
    releaseNotice: (key) => write(() => void release.run(key)),
  };
}
