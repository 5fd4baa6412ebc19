import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import { createGroupCommit } from '../../src/storage/sqlite/group-commit.ts';
import { prepareSchema } from '../../src/storage/sqlite/schema.ts';
import { createSqliteRules } from '../../src/storage/sqlite/sqlite-governance.ts';
import { createSqlitePersonal } from '../../src/storage/sqlite/sqlite-personal.ts';
import { createPurge, openSqliteStore } from '../../src/storage/sqlite/sqlite-store.ts';
import { createSqliteThreads } from '../../src/storage/sqlite/sqlite-threads.ts';
import { createSqliteTurns } from '../../src/storage/sqlite/sqlite-turns.ts';
import { createSqliteConsumption, createSqliteUsage } from '../../src/storage/sqlite/sqlite-usage.ts';
import { aQuestion, aTurn } from '../conversation/a-question.ts';
import { aLink } from './a-link.ts';
import { aConversation } from './change-thread.ts';
import { FIRST_RELEASE } from './first-release.ts';

const folder = mkdtempSync(join(tmpdir(), 'sqlite-schema-'));
const path = join(folder, 'first-release.db');

afterAll(() => rmSync(folder, { recursive: true }));

describe('sqlite: a file of the first release', () => {
  it('is read with all that is in it, and tells the workspaces apart from then on', async () => {
    writeFirstRelease();

    const store = await openSqliteStore({ path, lockWaitMs: 0, now: () => 100 });

    const turn = aTurn({ id: 'message:T1', lane: 'T1:C1:1.1', stage: 'answered', fence: 4 });
    expect(await store.turns.get('message:T1')).toEqual(turn);
    expect(await store.threads.isEngaged('T1:C1:1.1', 'UANA')).toBe(true);
    expect(await store.threads.conversation('T2:C1:1.1', 'UANA')).toEqual(aConversation({ id: 'of T2' }));
    expect(await store.links.get(aLink())).toEqual(aLink({ version: 3 }));
    expect((await store.turns.deadLetters(5)).map(({ id }) => id)).toEqual(['message:dead']);
    expect(await store.installations.list()).toEqual([]);

    // Both turns, the engagement, the conversation and the link.
    expect(await store.purge('T1')).toBe(5);
    expect(await store.threads.isEngaged('T1:C1:1.1', 'UANA')).toBe(false);
    expect(await store.threads.conversation('T2:C1:1.1', 'UANA')).toBeDefined();
    expect(await store.turns.get('message:T2')).toBeDefined();
    await store.close();
  });

  it('ends up with the same tables as a new file', async () => {
    const fresh = new DatabaseSync(':memory:');
    prepareSchema(fresh);
    const old = new DatabaseSync(':memory:');
    old.exec(FIRST_RELEASE);
    prepareSchema(old);

    expect(tables(old)).toEqual(tables(fresh));
  });
});

describe('sqlite: the tables of rules and usage', () => {
  it('do not keep the release before from opening the file', () => {
    const database = new DatabaseSync(':memory:');
    prepareSchema(database);

    expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: 4 });
  });
});

describe('sqlite: a query', () => {
  it('never looks through what is done, of which there is most', () => {
    const database = new RecordingDatabase(':memory:');
    prepareSchema(database);
    const commit = createGroupCommit(database);
    createSqliteTurns(database, commit, () => 1);
    createSqliteThreads(database, commit);
    createSqlitePersonal(database, commit);
    createPurge(database, commit);
    createSqliteRules(database, commit);
    createSqliteUsage(database, commit);
    createSqliteConsumption(database, commit);

    const plans = database.prepared.flatMap((sql) => explain(database, sql));

    // Indexes that done turns are not in may be looked through.
    const scans = plans.filter((step) => /^SCAN/.test(step) && !/INDEX turns_(open|parked|dead)$/.test(step));
    expect(scans).toEqual([]);
    expect(plans.length).toBeGreaterThan(20);
  });
});

class RecordingDatabase extends DatabaseSync {
  readonly prepared: string[] = [];

  override prepare(sql: string): StatementSync {
    this.prepared.push(sql);
    return super.prepare(sql);
  }
}

function explain(database: DatabaseSync, sql: string): string[] {
  return database
    .prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .all()
    .map(({ detail }) => String(detail));
}

function tables(database: DatabaseSync): unknown[] {
  return database
    .prepare('SELECT name, type FROM sqlite_schema ORDER BY name')
    .all()
    .map(({ name, type }) => [name, type, database.prepare(`PRAGMA table_info(${name})`).all()]);
}

/** What the first release would have left of two workspaces. */
function writeFirstRelease(): void {
  const database = new DatabaseSync(path);
  database.exec(FIRST_RELEASE);
  const insertTurn = database.prepare(`
    INSERT INTO turns (id, lane, person, workspace, stage, fence, accepted_at, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`);
  for (const [id, workspace, result] of [
    ['message:T1', 'T1', undefined],
    ['message:dead', 'T1', 'failed'],
    ['message:T2', 'T2', undefined],
  ] as const) {
    const stage = result ? 'done' : 'answered';
    const lane = `${workspace}:C1:1.1`;
    const { fence: _, ...body } = aTurn({ id, lane, stage, question: aQuestion({ workspace }) });
    insertTurn.run(id, lane, 'T1:UANA', workspace, stage, 4, 1_000, JSON.stringify({ ...body, result }));
  }
  database.exec("INSERT INTO engagements (thread, user, used_at) VALUES ('T1:C1:1.1', 'UANA', 1)");
  const insertConversation = database.prepare(
    'INSERT INTO conversations (thread, holder, id, used_at, body) VALUES (?, ?, ?, 1, ?)',
  );
  for (const team of ['T1', 'T2']) {
    const id = `of ${team}`;
    insertConversation.run(`${team}:C1:1.1`, '', id, JSON.stringify(aConversation({ id })));
  }
  database
    .prepare("INSERT INTO links VALUES ('T1', 'UANA', 'assistant', 'T1', 3, ?)")
    .run(JSON.stringify(aLink({ version: 3 })));
  database.close();
}
