import type { DatabaseSync } from 'node:sqlite';
import { toPersonKey } from '../../conversation/question.ts';
import type { ThreadConversation, Turn } from '../../conversation/turn.ts';
import type { PersonalRecords } from '../../identity/personal-records.ts';
import { readRecord } from '../record.ts';
import { emptyWal, type GroupCommit } from './group-commit.ts';
import { createWalk } from './walk.ts';

/** A thread key begins with the team. */
const IN_TEAM = "thread > :team || ':' AND thread < :team || ';'";

const ENGAGEMENTS = { table: 'engagements', from: { thread: '', user: '' }, where: `user = :user AND ${IN_TEAM}` };

const CONVERSATIONS = {
  table: 'conversations',
  from: { thread: '', holder: '' },
  where: `json_extract(body, '$.owner') = :user AND ${IN_TEAM}`,
};

export function createSqlitePersonal(database: DatabaseSync, commit: GroupCommit): PersonalRecords {
  const turnsWhere = (where: string) => createWalk(database, commit, { table: 'turns', from: { seq: 0 }, where });
  const turns = turnsWhere('person = :person');
  const done = turnsWhere("person = :person AND stage = 'done'");
  const engagements = createWalk(database, commit, ENGAGEMENTS);
  const conversations = createWalk(database, commit, CONVERSATIONS);

  return {
    async turns(person) {
      const rows = await turns.find({ person: toPersonKey(person) });
      const found = rows.map((row) => ({ ...readRecord<Turn>(row.body), fence: Number(row.fence) }));
      return found.sort((one, other) => one.acceptedAt - other.acceptedAt);
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
      emptyWal(database);
      return removed.reduce((sum, count) => sum + count);
    },
  };
}
