import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StoreUnavailableError } from '../../src/errors.ts';
import { createGroupCommit, type GroupCommit } from '../../src/storage/sqlite/group-commit.ts';

describe('writes of one tick', () => {
  let database: DatabaseSync;
  let commit: GroupCommit;

  beforeEach(() => {
    database = new DatabaseSync(':memory:');
    database.exec('CREATE TABLE notes (text TEXT PRIMARY KEY)');
    commit = createGroupCommit(database);
  });
  afterEach(() => database.close());

  const write = (text: string) => commit.write(() => database.prepare('INSERT INTO notes VALUES (?)').run(text));
  const notes = () =>
    database
      .prepare('SELECT text FROM notes ORDER BY text')
      .all()
      .map(({ text }) => text);

  it('are one transaction', async () => {
    let isInTransaction = false;
    const first = write('a');
    const second = commit.write(() => {
      isInTransaction = database.isTransaction && notes().length === 1;
    });

    await Promise.all([first, second]);

    expect(isInTransaction).toBe(true);
    expect(database.isTransaction).toBe(false);
  });

  it('are all done but the one that fails', async () => {
    await write('taken');

    const results = await Promise.allSettled([write('a'), write('taken'), write('b'), write('c')]);

    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    expect(results[1]).toMatchObject({ reason: expect.any(StoreUnavailableError) });
    expect(notes()).toEqual(['a', 'b', 'c', 'taken']);
  });

  it('leave nothing of the one that fails half-way', async () => {
    const halfWay = commit.write(() => {
      database.exec("INSERT INTO notes VALUES ('half')");
      throw new Error('the other half');
    });

    const results = await Promise.allSettled([write('a'), halfWay, write('b')]);

    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(notes()).toEqual(['a', 'b']);
  });

  it('are flushed, unless all of them may be lost', async () => {
    const modes: unknown[] = [];
    const look = () => void modes.push(database.prepare('PRAGMA synchronous').get()?.synchronous);

    await commit.write(look);
    await commit.write(look, true);
    await Promise.all([commit.write(look, true), commit.write(look)]);
    await commit.write(look, true);

    // https://www.sqlite.org/pragma.html#pragma_synchronous: 2 is FULL, 1 is NORMAL
    expect(modes).toEqual([2, 1, 2, 2, 1]);
  });

  it('that may be lost are refused and done as all others', async () => {
    const results = await Promise.allSettled([
      commit.write(() => database.exec("INSERT INTO notes VALUES ('a')"), true),
      commit.write(() => database.exec('INSERT INTO nowhere VALUES (1)'), true),
    ]);

    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(notes()).toEqual(['a']);
  });
});
