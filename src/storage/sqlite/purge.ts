import type { DatabaseSync } from 'node:sqlite';
import type { GroupCommit } from './group-commit.ts';

/** Tables of what is kept of a workspace, with their keys. */
const TABLES = [
  ['turns', 'seq'],
  ['engagements', 'thread, user'],
  ['conversations', 'thread, holder'],
  ['links', 'team, user, purpose'],
] as const;

/** More at once would keep the event loop from everything else: a batch takes a few milliseconds. */
const BATCH = 500;

/** Removes what is kept of a workspace, as Store.purge says. */
export function createPurge(database: DatabaseSync, { write }: GroupCommit): (workspace: string) => Promise<number> {
  const removals = TABLES.map(([table, key]) =>
    database.prepare(
      `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE workspace = ? LIMIT ${BATCH})`,
    ),
  );

  return async function purge(workspace) {
    let total = 0;
    for (const removal of removals) {
      for (let removed = BATCH; removed === BATCH; total += removed) {
        removed = await write(() => Number(removal.run(workspace).changes));
      }
    }
    return total;
  };
}
