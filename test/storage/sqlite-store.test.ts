import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sealStore } from '../../src/backend/sealed-store.ts';
import { prepareSchema } from '../../src/backend/sqlite/schema.ts';
import { createSqliteStore, openSqliteStore } from '../../src/backend/sqlite-store.ts';
import type { Store } from '../../src/backend/store.ts';
import { PermanentError, StoreUnavailableError } from '../../src/errors.ts';
import { aQuestion, aTurn } from '../conversation/a-question.ts';
import { ownFolder } from '../own-folder.ts';
import { A_VAULT, failToOpen } from './a-vault.ts';
import { describeStoreContract } from './store-contract.ts';

const folder = ownFolder('sqlite-store');
let count = 0;
const newPath = () => join(folder, `store-${++count}.db`);
/** Closed after the test. */
async function open(path: string) {
  const store = await openSqliteStore({ path, lockWaitMs: 0, now: Date.now });
  onTestFinished(store.close);
  return store;
}

/** Longer than the header of a database. */
const TEXT = 'not a database. '.repeat(100);

function execute(path: string, statement: string): void {
  const database = new DatabaseSync(path);
  database.exec(statement);
  database.close();
}

describeStoreContract('sqlite', async (now) =>
  sealStore(await openSqliteStore({ path: newPath(), lockWaitMs: 0, now }), A_VAULT, failToOpen),
);

it('sqlite: the file is readable by its owner alone', async () => {
  const path = newPath();
  await open(path);

  expect(statSync(path).mode & 0o777).toBe(0o600);
});

describe('sqlite: a path that is none', () => {
  const refused: [string, (path: string) => void, string][] = [
    ['a file that is no database', (path) => writeFileSync(path, TEXT), 'is not a database'],
    ['a lock that is no database', (path) => writeFileSync(`${path}.lock`, TEXT), 'is not a database'],
    ['a folder', (path) => mkdirSync(path), 'cannot be opened for writing'],
    ['a lock that cannot be made', (path) => mkdirSync(`${path}.lock`), 'cannot be opened for writing'],
    ['a database of another program', (path) => execute(path, 'CREATE TABLE turns (x)'), 'a database of this app'],
  ];

  it.each(refused)('is refused at once, with a sentence: %s', async (_what, prepare, sentence) => {
    const path = newPath();
    prepare(path);

    // Longer than the test may take.
    const opening = openSqliteStore({ path, lockWaitMs: 600_000, now: Date.now });

    await expect(opening).rejects.toThrow(PermanentError);
    await expect(opening).rejects.toThrow(`${path} (SQLITE_PATH)`);
    await expect(opening).rejects.toThrow(sentence);
  });

  it('is refused where its folder cannot be made', async () => {
    const path = newPath();
    writeFileSync(path, TEXT);

    await expect(open(join(path, 'bridge.db'))).rejects.toThrow('cannot be opened for writing');
  });

  it('leaves the lock to the next who tries', async () => {
    const path = newPath();
    writeFileSync(path, TEXT);
    await expect(open(path)).rejects.toThrow('is not a database');
    rmSync(path);

    const store = await open(path);

    await expect(store.check()).resolves.toBeUndefined();
  });

  it('is told from one that another program uses', async () => {
    const path = newPath();
    const intruder = new DatabaseSync(path);
    intruder.exec('BEGIN EXCLUSIVE');

    await expect(open(path)).rejects.toThrow('in use by another program');
    intruder.close();
  });
});

describe('sqlite: a database that cannot be written', () => {
  it('refuses while it is, keeps the event loop going meanwhile, and never writes what it refused', async () => {
    const path = newPath();
    const store = await open(path);
    const intruder = new DatabaseSync(path);
    intruder.exec('BEGIN EXCLUSIVE');
    let ticks = 0;
    const timer = setInterval(() => ticks++, 10);

    await expect(store.turns.accept(aTurn())).rejects.toBeInstanceOf(StoreUnavailableError);
    clearInterval(timer);
    // None, if it stood still.
    expect(ticks).toBeGreaterThan(5);
    intruder.exec('ROLLBACK');
    intruder.close();
    await store.turns.accept(aTurn({ id: 'later' }));
    expect(await store.turns.get(aTurn().id)).toBeUndefined();
  });

  it('writes what waits as soon as it can', async () => {
    const path = newPath();
    const store = await open(path);
    const intruder = new DatabaseSync(path);
    intruder.exec('BEGIN EXCLUSIVE');

    const accepted = store.turns.accept(aTurn());
    setTimeout(() => intruder.close(), 200);

    expect(await accepted).toBe('new');
  });
});

it('sqlite: a full disk refuses what is to be written, says why, and takes it when there is room', async () => {
  const database = new DatabaseSync(newPath());
  prepareSchema(database);
  // As a full disk does, SQLite then refuses whatever needs another page.
  database.exec('PRAGMA max_page_count = 1');
  const reasons: string[] = [];
  const store = createSqliteStore(database, Date.now, { onRefused: (reason) => reasons.push(reason) });
  const large = aTurn({ id: 'large', lane: 'x'.repeat(100_000) });

  await expect(store.turns.accept(large)).rejects.toBeInstanceOf(StoreUnavailableError);
  database.exec('PRAGMA max_page_count = 100000');

  expect(reasons).toEqual(['database or disk is full']);
  expect(await store.turns.accept(large)).toBe('new');
  await store.close();
});

describe('sqlite: what is removed by the hundred', () => {
  it('lets others write in between', async () => {
    const store = await open(newPath());
    const done = (index: number) => aTurn({ id: `done ${index}`, stage: 'done', acceptedAt: 10 });
    await Promise.all(Array.from({ length: 1_200 }, (_, index) => store.turns.accept(done(index))));
    const order: string[] = [];

    const forgotten = store.turns.forget(20).then((count) => order.push(`forgot ${count}`));
    for (const id of ['a', 'b']) await store.turns.accept(aTurn({ id })).then(() => order.push(id));
    await forgotten;

    expect(order).toEqual(['a', 'b', 'forgot 1200']);
  });

  it('is found behind the many that came first', async () => {
    const store = await open(newPath());
    const ofBen = (index: number) =>
      aTurn({ id: `${index}`, question: aQuestion({ asker: { team: 'T1', user: 'UBEN' } }) });
    await Promise.all(Array.from({ length: 1_200 }, (_, index) => store.turns.accept(ofBen(index))));
    await store.turns.accept(aTurn());

    expect(await store.personal.turns(aTurn().question.asker)).toEqual([aTurn()]);
  });
});

it.each<[string, (store: Store) => Promise<unknown>]>([
  ['a person', ({ personal }) => personal.forget({ team: 'T0001', user: 'U0GONE' })],
  ['a workspace', ({ purge }) => purge('T0GONE')],
])(
  'sqlite: what was deleted is nowhere in the file, although rows have moved between pages: of %s',
  async (_of, remove) => {
    const path = newPath();
    const store = await open(path);
    const { turns } = store;
    const all = Array.from({ length: 600 }, (_, index) => {
      const [user, workspace] = index % 3 === 0 ? ['U0GONE', 'T0GONE'] : ['U0STAYS', 'T0STAYS'];
      return aTurn({
        ...{ id: `${index}`, lane: `${index}` },
        question: aQuestion({ asker: { team: 'T0001', user }, workspace }),
      });
    });
    await Promise.all(all.map((turn) => turns.accept(turn)));
    for (const [index, turn] of all.entries()) {
      const question = { ...turn.question, text: 's'.repeat((index * 397) % 1_500) };
      await turns.save({ ...turn, stage: 'asking', question }, [], true);
    }
    for (const turn of all) await turns.save({ ...turn, stage: 'done' }, [], true);

    await remove(store);

    expect(readFileSync(path, 'latin1')).toContain('U0STAYS');
    expect(readFileSync(path, 'latin1')).not.toContain('U0GONE');
    expect(statSync(`${path}-wal`).size).toBe(0);
  },
);

it('sqlite: a turn that waits is looked at without a write', async () => {
  const path = newPath();
  const store = await open(path);
  await store.turns.accept(aTurn({ notBefore: 5_000 }));
  const beside = new DatabaseSync(path, { readOnly: true });
  const version = () => beside.prepare('PRAGMA data_version').get()?.data_version;
  const before = version();

  expect(await store.turns.takeHead(aTurn().lane, 4_999)).toMatchObject({ isTaken: false, turn: { fence: 0 } });

  expect(version()).toBe(before);
  beside.close();
});

describe('sqlite: two processes', () => {
  it('do not share a file: the second is told that SQLite is for one', async () => {
    const path = newPath();
    await open(path);

    await expect(open(path)).rejects.toThrow('SQLite is for one process');
  });

  it('says once that it waits, and for how long', async () => {
    const path = newPath();
    await open(path);
    const waits: number[] = [];

    const second = openSqliteStore({ path, lockWaitMs: 300, onWait: (waitMs) => waits.push(waitMs), now: Date.now });

    await expect(second).rejects.toThrow('Another process');
    expect(waits).toEqual([300]);
  });
});
