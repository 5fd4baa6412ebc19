import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ForgetfulDisk, mountForgetfulDisk } from './forgetful-disk.ts';
import { playShort } from './play-short.ts';
import { powerCuts } from './scenarios/power-cuts.ts';

/** Who may mount nothing cannot cut the power of a file system either: `npm run faults -- --only power-cuts` says so. */
const isRoot = process.getuid?.() === 0;

describe.runIf(isRoot)('where the power is cut', { timeout: 900_000 }, () => {
  it.each(['redis', 'sqlite'] as const)('nothing is lost that was acknowledged on %s', async (store) => {
    expect(await playShort(powerCuts, store, 2)).toEqual([]);
  });
});

describe.runIf(isRoot)('a disk without power', () => {
  let disk: ForgetfulDisk;
  beforeEach(async () => {
    disk = await mountForgetfulDisk();
  });
  afterEach(() => disk.close());

  it.each([
    ['FULL', ['first', 'second']],
    ['OFF', ['first']],
  ])('has what SQLite wrote with synchronous = %s: %j', async (synchronous, expected) => {
    const open = () => {
      const database = new DatabaseSync(join(disk.folder, 'a.db'));
      database.exec('PRAGMA journal_mode = WAL; CREATE TABLE IF NOT EXISTS said (word TEXT)');
      return database;
    };
    const writing = open();
    writing.exec(`PRAGMA synchronous = FULL; INSERT INTO said VALUES ('first')`);
    writing.exec(`PRAGMA synchronous = ${synchronous}; INSERT INTO said VALUES ('second')`);
    writing.close();
    await disk.cutPower();

    const found = open();
    const words = found.prepare('SELECT word FROM said').all();
    found.close();

    expect(words.map(({ word }) => word)).toEqual(expected);
  });
});
