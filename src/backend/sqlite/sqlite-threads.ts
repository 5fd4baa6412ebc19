import type { DatabaseSync } from 'node:sqlite';
import type { ThreadStore } from '../../conversation/stores.ts';
import type { ThreadChange, ThreadConversation } from '../../conversation/turn.ts';
import type { GroupCommit } from '../../storage/sqlite/group-commit.ts';
import { createWalk } from '../../storage/sqlite/walk.ts';
import { readRecord } from '../record.ts';
import { ROUTES } from './schema.ts';

export function createSqliteThreads(database: DatabaseSync, commit: GroupCommit): ThreadStore {
  const isEngaged = database.prepare('SELECT 1 FROM engagements WHERE thread = ? AND user = ?');
  // A person's own conversation sorts before the thread's, whose holder is the empty string.
  const find = database.prepare(`
    SELECT body FROM conversations WHERE thread = ? AND holder IN (?, '') ORDER BY holder DESC LIMIT 1`);
  const where = 'used_at < :before';
  const engagements = createWalk(database, commit, { ...ROUTES.engagements, where });
  const conversations = createWalk(database, commit, { ...ROUTES.conversations, where });

  return {
    isEngaged: async (thread, user) => isEngaged.get(thread, user) !== undefined,
    conversation: async (thread, user) => {
      const row = find.get(thread, user);
      return row && readRecord<ThreadConversation>(row.body);
    },
    forget: async (before) => (await engagements.remove({ before })) + (await conversations.remove({ before })),
  };
}

/** Holder of the conversation that belongs to the thread as a whole; a user id is never empty. */
const THREAD = '';

/** Not every question writes when its thread was last used, because only the day matters. */
const USED_AGAIN_MS = 3_600_000;

/** Writes a change inside a transaction that is in progress. */
export function createThreadChanges(database: DatabaseSync, now: () => number): (change: ThreadChange) => void {
  const engage = database.prepare(`
    INSERT INTO engagements (thread, user, workspace, used_at) VALUES (?, ?, ?, ?)
    ON CONFLICT (thread, user) DO UPDATE SET workspace = excluded.workspace, used_at = excluded.used_at
    WHERE workspace <> excluded.workspace OR abs(used_at - excluded.used_at) >= ${USED_AGAIN_MS}`);
  const keep = database.prepare(`
    INSERT INTO conversations (thread, holder, id, workspace, used_at, body)
    VALUES (:thread, :holder, :id, :workspace, :now, :body)
    ON CONFLICT (thread, holder) DO UPDATE SET
      id = excluded.id, workspace = excluded.workspace, used_at = excluded.used_at, body = excluded.body
    WHERE conversations.id IN (:former, :id)`);
  const update = database.prepare(`
    UPDATE conversations SET workspace = :workspace, used_at = :now, body =
      json_set(:body, '$.secrecy', max(json_extract(body, '$.secrecy'), json_extract(:body, '$.secrecy')))
    WHERE thread = :thread AND id = :id`);
  const drop = database.prepare('DELETE FROM conversations WHERE thread = ? AND id = ?');

  return (change) => {
    const { kind, thread } = change;
    if (kind === 'engage') return void engage.run(thread, change.user, change.workspace, now());
    const { conversation } = change;
    const { id, workspace, owner, heldBy } = conversation;
    if (kind === 'drop') return void drop.run(thread, id);
    const record = { thread, id, workspace, now: now() };
    const body = JSON.stringify(conversation);
    if (kind === 'update') return void update.run({ ...record, body });
    keep.run({ ...record, body, holder: heldBy === 'person' ? owner : THREAD, former: change.former ?? '' });
  };
}
