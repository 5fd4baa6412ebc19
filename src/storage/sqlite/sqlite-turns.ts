import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { toPersonKey } from '../../conversation/person.ts';
import type { Turn } from '../../conversation/turn.ts';
import type { TurnStore } from '../../conversation/turn-store.ts';
import type { GroupCommit } from './group-commit.ts';

type Row = Record<string, SQLOutputValue>;

export function createSqliteTurns(database: DatabaseSync, { write }: GroupCommit): TurnStore {
  const insert = database.prepare(`
    INSERT INTO turns (id, lane, person, workspace, stage, fence, accepted_at, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (id) DO NOTHING`);
  const get = database.prepare('SELECT fence, body FROM turns WHERE id = ?');
  const head = database.prepare(`
    SELECT fence, body FROM turns WHERE lane = ? AND stage NOT IN ('done', 'parked') ORDER BY seq LIMIT 1`);
  const take = database.prepare(`
    UPDATE turns SET fence = fence + 1 WHERE id = ? AND stage <> 'done' RETURNING fence, body`);
  const save = database.prepare('UPDATE turns SET lane = ?, stage = ?, body = ? WHERE id = ? AND fence = ?');
  const end = database.prepare(`
    UPDATE turns SET fence = fence + 1, stage = :stage,
      body = json_set(json_remove(body, '$.notBefore'), '$.stage', :stage)
    WHERE id = :id AND stage IN ('accepted', 'waiting', 'parked', 'asking')`);
  const unpark = database.prepare(`
    UPDATE turns SET fence = fence + 1, stage = 'accepted', body = json_set(json_remove(body, '$.notBefore'), '$.stage', 'accepted')
    WHERE person = ? AND stage = 'parked' RETURNING lane`);
  const parkedOf = database.prepare("SELECT fence, body FROM turns WHERE person = ? AND stage = 'parked' ORDER BY seq");
  const parked = database.prepare("SELECT fence, body FROM turns WHERE stage = 'parked' ORDER BY seq");
  const openLanes = database.prepare("SELECT DISTINCT lane FROM turns WHERE stage NOT IN ('done', 'parked')");
  const forget = database.prepare("DELETE FROM turns WHERE stage = 'done' AND accepted_at < ?");

  return {
    accept: (turn) =>
      write(() => {
        const { id, lane, question, stage, fence, acceptedAt } = turn;
        const person = toPersonKey(question.asker);
        const { changes } = insert.run(id, lane, person, question.workspace, stage, fence, acceptedAt, toBody(turn));
        return changes === 1 ? 'new' : 'duplicate';
      }),
    get: async (id) => toTurn(get.get(id)),
    head: async (lane) => toTurn(head.get(lane)),
    take: (id) => write(() => toTurn(take.get(id))),
    save: (turn) => write(() => save.run(turn.lane, turn.stage, toBody(turn), turn.id, turn.fence).changes === 1),
    end: (id, stage) => write(() => end.run({ id, stage }).changes === 1),
    unpark: (person) => write(() => unpark.all(toPersonKey(person)).map(toLane)),
    parked: async (person) =>
      (person ? parkedOf.all(toPersonKey(person)) : parked.all()).flatMap((row) => toTurn(row) ?? []),
    openLanes: async () => openLanes.all().map(toLane),
    forget: (before) => write(() => Number(forget.run(before).changes)),
  };
}

/** The fence lives in its column alone, so that it can be raised without reading the record. */
function toBody({ fence: _, ...turn }: Turn): string {
  return JSON.stringify(turn);
}

function toTurn(row: Row | undefined): Turn | undefined {
  return row && { ...JSON.parse(String(row.body)), fence: Number(row.fence) };
}

function toLane(row: Row): string {
  return String(row.lane);
}
