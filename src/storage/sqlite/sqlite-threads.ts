import type { DatabaseSync } from 'node:sqlite';
import type { ThreadConversation, ThreadStore } from '../../conversation/thread-store.ts';
import { NEWEST_SCHEMA, readRecord } from '../record.ts';
import { toWorkspace } from '../thread-workspace.ts';
import type { GroupCommit } from './group-commit.ts';

/** Holder of the conversation that belongs to the thread as a whole; a user id is never empty. */
const THREAD = '';

export function createSqliteThreads(database: DatabaseSync, { write }: GroupCommit, now: () => number): ThreadStore {
  const engage = database.prepare(`
    INSERT INTO engagements (thread, user, workspace, used_at) VALUES (?, ?, ?, ?)
    ON CONFLICT (thread, user) DO UPDATE SET workspace = excluded.workspace, used_at = excluded.used_at`);
  const isEngaged = database.prepare('SELECT 1 FROM engagements WHERE thread = ? AND user = ?');
  // A person's own conversation sorts before the thread's, whose holder is the empty string.
  const find = database.prepare(`
    SELECT body FROM conversations WHERE thread = ? AND holder IN (?, '') ORDER BY holder DESC LIMIT 1`);
  const keep = database.prepare(`
    INSERT INTO conversations (thread, holder, id, workspace, used_at, body)
    VALUES (:thread, :holder, :id, :workspace, :now, :body)
    ON CONFLICT (thread, holder) DO UPDATE SET
      id = excluded.id, workspace = excluded.workspace, used_at = excluded.used_at, body = excluded.body
    WHERE conversations.id IN (:former, :id)`);
  const update = database.prepare(`
    UPDATE conversations SET workspace = :workspace, used_at = :now, body = CASE
      WHEN json_extract(body, '$.hasPrivateAnswers') THEN json_set(:body, '$.hasPrivateAnswers', json('true'))
      ELSE :body END
    WHERE thread = :thread AND id = :id`);
  const drop = database.prepare('DELETE FROM conversations WHERE thread = ? AND id = ?');
  const forgetEngagements = database.prepare('DELETE FROM engagements WHERE used_at < ?');
  const forgetConversations = database.prepare('DELETE FROM conversations WHERE used_at < ?');

  return {
    engage: (thread, user, workspace) => write(() => void engage.run(thread, user, workspace, now())),
    isEngaged: async (thread, user) => isEngaged.get(thread, user) !== undefined,
    conversation: async (thread, user) => {
      const row = find.get(thread, user);
      return row && readRecord<ThreadConversation>(String(row.body), NEWEST_SCHEMA.conversation);
    },
    keep: (thread, conversation, former = '') =>
      write(() => {
        const { id, owner, heldBy } = conversation;
        const holder = heldBy === 'person' ? owner : THREAD;
        const workspace = toWorkspace(thread, conversation);
        keep.run({ thread, holder, id, workspace, now: now(), body: JSON.stringify(conversation), former });
      }),
    update: (thread, conversation) =>
      write(() => {
        const workspace = toWorkspace(thread, conversation);
        update.run({ workspace, now: now(), body: JSON.stringify(conversation), thread, id: conversation.id });
      }),
    drop: (thread, id) => write(() => void drop.run(thread, id)),
    forget: (before) =>
      write(() => Number(forgetEngagements.run(before).changes) + Number(forgetConversations.run(before).changes)),
  };
}
