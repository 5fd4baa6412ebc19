import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { toPersonKey } from '../../conversation/question.ts';
import type { TurnCounts, TurnStore } from '../../conversation/stores.ts';
import { type Turn, toRunId } from '../../conversation/turn.ts';
import { waitsUntil } from '../../conversation/waits.ts';
import type { GroupCommit } from '../../storage/sqlite/group-commit.ts';
import { createWalk } from '../../storage/sqlite/walk.ts';
import { readRecord, toRevised } from '../record.ts';
import { DEAD, ROUTES } from './schema.ts';
import { createThreadChanges } from './sqlite-threads.ts';

type Row = Record<string, SQLOutputValue>;

export function createSqliteTurns(database: DatabaseSync, commit: GroupCommit, now: () => number): TurnStore {
  const { write } = commit;
  const changeThread = createThreadChanges(database, now);
  const insert = database.prepare(`
    INSERT INTO turns (id, lane, person, workspace, stage, fence, accepted_at, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (id) DO NOTHING`);
  const get = database.prepare('SELECT fence, body FROM turns WHERE id = ?');
  const inLane = database.prepare(`
    SELECT fence, body FROM turns WHERE lane = ? AND stage NOT IN ('done', 'parked') ORDER BY seq`);
  const firstTwo = database.prepare(`
    SELECT seq, coalesce(json_extract(body, '$.notBefore'), 0) AS not_before,
      fence - coalesce(json_extract(body, '$.settled'), 0) AS deaths
    FROM turns
    WHERE lane = ? AND stage NOT IN ('done', 'parked') ORDER BY seq LIMIT 2`);
  const begin = database.prepare(`
    UPDATE turns SET fence = fence + 1, body = json_set(body, '$.run', ?) WHERE seq = ? RETURNING fence, body`);
  const save = database.prepare(`
    UPDATE turns SET lane = :lane, stage = :stage, body = :body
    WHERE id = :id AND fence = :fence AND json_extract(body, '$.run') IS :run AND (stage <> 'done' OR :stage = 'done')`);
  const end = database.prepare(`
    UPDATE turns SET fence = fence + 1, stage = :stage,
      body = json_set(json_remove(body, '$.notBefore'), '$.stage', :stage, '$.settled', fence + 1)
    WHERE id = :id AND stage IN ('accepted', 'waiting', 'parked', 'asking')`);
  const revise = database.prepare('UPDATE turns SET fence = ?, body = ? WHERE id = ?');
  const unpark = database.prepare(`
    UPDATE turns SET fence = fence + 1, stage = 'accepted', accepted_at = CAST(unixepoch('subsec') * 1000 AS INTEGER),
      body = json_set(json_remove(body, '$.notBefore'), '$.stage', 'accepted', '$.settled', fence + 1)
    WHERE person = ? AND stage = 'parked' RETURNING lane`);
  const parkedOf = database.prepare("SELECT fence, body FROM turns WHERE person = ? AND stage = 'parked' ORDER BY seq");
  // Otherwise SQLite scans the whole table in order, done turns included.
  const parked = database.prepare(`
    SELECT fence, body FROM turns INDEXED BY turns_parked WHERE stage = 'parked' ORDER BY seq`);
  const firstOfLanes = database.prepare(`
    SELECT lane, min(seq), coalesce(json_extract(body, '$.notBefore'), 0) AS not_before FROM turns
    WHERE stage NOT IN ('done', 'parked') GROUP BY lane`);
  const dead = database.prepare(`SELECT fence, body FROM turns WHERE ${DEAD} ORDER BY seq DESC LIMIT ?`);
  const open = database.prepare(`
    SELECT stage, count(*) AS count, min(accepted_at) AS oldest FROM turns
    WHERE stage NOT IN ('done', 'parked') GROUP BY stage`);
  const countParked = database.prepare("SELECT count(*) AS count FROM turns WHERE stage = 'parked'");
  const old = createWalk(database, commit, { ...ROUTES.turns, where: "stage = 'done' AND accepted_at < :before" });

  return {
    accept: (turn, changes = [], holder) =>
      write(() => {
        const { id, lane, question, stage, acceptedAt } = turn;
        const isTaken = holder !== undefined && !inLane.get(lane);
        const fence = isTaken ? 1 : turn.fence;
        const person = toPersonKey(question.asker);
        const inserted = insert.run(id, lane, person, question.workspace, stage, fence, acceptedAt, toBody(turn));
        if (inserted.changes === 0) return 'duplicate';
        changes.forEach(changeThread);
        return isTaken ? 'taken' : 'new';
      }),
    get: async (id) => toTurn(get.get(id)),
    head: async (lane) => toTurn(inLane.get(lane)),
    inLane: async (lane) => inLane.all(lane).flatMap((row) => toTurn(row) ?? []),
    async takeHead(lane, at, deaths = Number.MAX_SAFE_INTEGER) {
      const take = () => {
        const [first, second] = firstTwo.all(lane);
        if (!first) return undefined;
        const isTaken = !waits(first, at) && Number(first.deaths) < deaths;
        const row = isTaken ? begin.get(toRunId(), first.seq ?? null) : inLane.get(lane);
        return { row, isTaken, isLast: second === undefined };
      };
      // A turn that kills the process does not cut the power, so its death is counted.
      const taken = await write(take, true);
      const turn = toTurn(taken?.row);
      return taken && turn && { turn, isTaken: taken.isTaken, isLast: taken.isLast };
    },
    save: (turn, changes = [], mayBeLost = false) =>
      write(() => {
        const { id, lane, stage, fence, run = null } = turn;
        const isOurs = save.run({ id, lane, stage, fence, run, body: toBody(turn) }).changes === 1;
        if (isOurs) changes.forEach(changeThread);
        return isOurs;
      }, mayBeLost),
    end: (id, stage) => write(() => end.run({ id, stage }).changes === 1),
    revise: (id, said) =>
      write(() => {
        const turn = toTurn(get.get(id));
        const revised = turn && toRevised(turn, said);
        if (revised) revise.run(revised.fence, toBody(revised), id);
        return revised !== undefined;
      }),
    unpark: (person) => write(() => unpark.all(toPersonKey(person)).map(toLane)),
    parked: async (person) =>
      (person ? parkedOf.all(toPersonKey(person)) : parked.all()).flatMap((row) => toTurn(row) ?? []),
    dueLanes: async (at) =>
      firstOfLanes
        .all()
        .filter((first) => !waits(first, at))
        .map(toLane),
    deadLetters: async (limit) => dead.all(limit).flatMap((row) => toTurn(row) ?? []),
    counts: async () => toCounts(open.all(), Number(countParked.get()?.count)),
    forget: (before) => old.remove({ before }),
  };
}

function waits({ not_before: notBefore }: Row, at: number): boolean {
  return waitsUntil({ notBefore: Number(notBefore) }, at) !== undefined;
}

/** The fence is only in its column, so that it can be raised without reading the record. */
function toBody({ fence: _, ...turn }: Turn): string {
  return JSON.stringify(turn);
}

export function toTurn(row: Row | undefined): Turn | undefined {
  return row && { ...readRecord<Turn>(row.body), fence: Number(row.fence) };
}

function toCounts(rows: Row[], parked: number): TurnCounts {
  const open = rows.map(({ stage, count }) => [String(stage), Number(count)]);
  const oldest = rows.map((row) => Number(row.oldest));
  return {
    byStage: Object.fromEntries(parked > 0 ? [...open, ['parked', parked]] : open),
    oldestAcceptedAt: oldest.length > 0 ? Math.min(...oldest) : undefined,
  };
}

function toLane(row: Row): string {
  return String(row.lane);
}
