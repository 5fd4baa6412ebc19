import type { DatabaseSync } from 'node:sqlite';
import type { ThreadConversation, ThreadStore } from '../../conversation/thread-store.ts';
import { NEWEST_SCHEMA, readRecord } from '../record.ts';
import type { GroupCommit } from './group-commit.ts';

export function createSqliteThreads(database: DatabaseSync, { write }: GroupCommit): ThreadStore {
  const isEngaged = database.prepare('SELECT 1 FROM engagements WHERE thread = ? AND user = ?');
  // A person's own conversation sorts before the thread's, whose holder is the empty string.
  const find = database.prepare(`
    SELECT body FROM conversations WHERE thread = ? AND holder IN (?, '') ORDER BY holder DESC LIMIT 1`);
  const forgetEngagements = database.prepare('DELETE FROM engagements WHERE used_at < ?');
  const forgetConversations = database.prepare('DELETE FROM conversations WHERE used_at < ?');

  return {
    isEngaged: async (thread, user) => isEngaged.get(thread, user) !== undefined,
    conversation: async (thread, user) => {
      const row = find.get(thread, user);
      return row && readRecord<ThreadConversation>(String(row.body), NEWEST_SCHEMA.conversation);
    },
    forget: (before) =>
      write(() => Number(forgetEngagements.run(before).changes) + Number(forgetConversations.run(before).changes)),
  };
}
