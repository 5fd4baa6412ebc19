import type { DatabaseSync } from 'node:sqlite';
import { type Person, toPersonKey } from '../../conversation/question.ts';
import type { ThreadConversation, Turn } from '../../conversation/turn.ts';
import type { PersonalRecords } from '../../identity/personal-records.ts';
import { readRecord } from '../record.ts';
import { emptyWal, type GroupCommit } from './group-commit.ts';
import { OWNER } from './schema.ts';

/** Thread keys begin with the team and a colon; the character after the colon ends the range. */
const IN_TEAM = "thread > :team || ':' AND thread < :team || ';'";

/** Each query has an index that covers the person: see schema.ts. */
export function createSqlitePersonal(database: DatabaseSync, { write }: GroupCommit): PersonalRecords {
  const done = database.prepare("SELECT fence, body FROM turns WHERE person = ? AND stage = 'done'");
  const parked = database.prepare(
    "SELECT fence, body FROM turns INDEXED BY turns_parked WHERE person = ? AND stage = 'parked'",
  );
  const open = database.prepare(
    "SELECT fence, body FROM turns INDEXED BY turns_open WHERE person = ? AND stage NOT IN ('done', 'parked')",
  );
  const spokenIn = database.prepare(`SELECT thread FROM engagements WHERE user = :user AND ${IN_TEAM}`);
  const conversations = database.prepare(
    `SELECT thread, body FROM conversations WHERE ${OWNER} = :user AND ${IN_TEAM}`,
  );
  const forgetTurns = database.prepare("DELETE FROM turns WHERE person = ? AND stage = 'done'");
  const forgetEngagements = database.prepare(`DELETE FROM engagements WHERE user = :user AND ${IN_TEAM}`);
  const forgetConversations = database.prepare(`DELETE FROM conversations WHERE ${OWNER} = :user AND ${IN_TEAM}`);

  return {
    async turns(person) {
      const rows = [done, parked, open].flatMap((query) => query.all(toPersonKey(person)));
      const turns = rows.map((row) => ({ ...readRecord<Turn>(row.body), fence: Number(row.fence) }));
      return turns.sort((one, other) => one.acceptedAt - other.acceptedAt);
    },
    async threads(person) {
      return {
        spokenIn: spokenIn.all(named(person)).map(({ thread }) => String(thread)),
        conversations: conversations.all(named(person)).map(({ thread, body }) => ({
          thread: String(thread),
          conversation: readRecord<ThreadConversation>(body),
        })),
      };
    },
    async forget(person) {
      const removed = await write(() => {
        const results = [
          forgetTurns.run(toPersonKey(person)),
          forgetEngagements.run(named(person)),
          forgetConversations.run(named(person)),
        ];
        return results.reduce((sum, { changes }) => sum + Number(changes), 0);
      });
      emptyWal(database);
      return removed;
    },
  };
}

function named({ team, user }: Person): { team: string; user: string } {
  return { team, user };
}
