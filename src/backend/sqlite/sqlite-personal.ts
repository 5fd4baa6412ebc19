import type { DatabaseSync } from 'node:sqlite';
import { toPersonKey } from '../../conversation/question.ts';
import type { ThreadConversation } from '../../conversation/turn.ts';
import type { PersonalRecords } from '../../identity/personal-data.ts';
import { type GroupCommit, rewriteFile } from '../../storage/sqlite/group-commit.ts';
import { createWalk } from '../../storage/sqlite/walk.ts';
import { readRecord } from '../record.ts';
import { ROUTES } from './schema.ts';
import { toTurn } from './sqlite-turns.ts';

/** A thread key begins with the team. */
const IN_TEAM = "thread > :team || ':' AND thread < :team || ';'";

export function createSqlitePersonal(database: DatabaseSync, commit: GroupCommit): PersonalRecords {
  const turnsWhere = (where: string) => createWalk(database, commit, { ...ROUTES.turns, where });
  const turns = turnsWhere('person = :person');
  const done = turnsWhere("person = :person AND stage = 'done'");
  const engagements = createWalk(database, commit, { ...ROUTES.engagements, where: `user = :user AND ${IN_TEAM}` });
  const conversations = createWalk(database, commit, {
    ...ROUTES.conversations,
    where: `json_extract(body, '$.owner') = :user AND ${IN_TEAM}`,
  });

  return {
    async turns(person) {
      const rows = await turns.find({ person: toPersonKey(person) });
      return rows.flatMap((row) => toTurn(row) ?? []).sort((one, other) => one.acceptedAt - other.acceptedAt);
    },
    async threads({ team, user }) {
      return {
        spokenIn: (await engagements.find({ team, user })).map(({ thread }) => String(thread)),
        conversations: (await conversations.find({ team, user })).map(({ thread, body }) => ({
          thread: String(thread),
          conversation: readRecord<ThreadConversation>(body),
        })),
      };
    },
    async forget(person) {
      const { team, user } = person;
      const removed = [
        await done.remove({ person: toPersonKey(person) }),
        await engagements.remove({ team, user }),
        await conversations.remove({ team, user }),
      ];
      rewriteFile(database);
      return removed.reduce((sum, count) => sum + count);
    },
  };
}
