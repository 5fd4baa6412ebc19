import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { createRecords } from '../../src/backend/records.ts';
import type { StoreConnection } from '../../src/backend/redis/connect-store.ts';
import { prepareSchema } from '../../src/backend/sqlite/schema.ts';
import { dropAll, type Kernel, type Range, read, readAll, toKey, type Write } from '../../src/storage/kernel.ts';
import { createRedisKernel } from '../../src/storage/redis/redis-kernel.ts';
import { createGroupCommit } from '../../src/storage/sqlite/group-commit.ts';
import { createSqliteKernel } from '../../src/storage/sqlite/sqlite-kernel.ts';
import { ownFolder } from '../own-folder.ts';
import { createModel } from './kernel-model.ts';
import { useRedis } from './own-redis.ts';

const redis = useRedis({ 'enable-debug-command': 'local' });
const folder = ownFolder('kernel');
let connection: StoreConnection;
beforeEach(async () => {
  connection = await redis.connect();
});

/**
 * `kept`: the keys of all documents that are stored, as somebody finds them who has the store. `spoil`: makes the body of one
 * no JSON any more. `restart`: it is read again from its files, as the next process finds them.
 */
type Opened = {
  kernel: Kernel;
  kept(): Promise<unknown[]>;
  spoil(key: string): Promise<unknown>;
  restart(): Promise<Kernel>;
};

let files = 0;

async function openSqlite(now: () => number): Promise<Opened> {
  const path = join(folder, `${++files}.db`);
  const open = () => {
    const database = new DatabaseSync(path);
    database.exec('PRAGMA journal_mode = WAL');
    return database;
  };
  let database = open();
  prepareSchema(database);
  const start = () => createSqliteKernel(database, createGroupCommit(database), now);
  return {
    kernel: start(),
    kept: async () => database.prepare('SELECT key FROM documents').all(),
    spoil: async (key) => database.prepare("UPDATE documents SET body = '[' WHERE key = ?").run(key),
    async restart() {
      database.close();
      database = open();
      return start();
    },
  };
}

async function openRedis(now: () => number): Promise<Opened> {
  await connection.send((client) => client.flushAll());
  const kernel = createRedisKernel(connection, now);
  return {
    kernel,
    kept: () => connection.send((client) => client.keys('bridge:doc:*')),
    spoil: (key) => connection.send((client) => client.hSet(`bridge:doc:${key}`, 'b', '[')),
    async restart() {
      await connection.send((client) => client.sendCommand(['DEBUG', 'LOADAOF']));
      return kernel;
    },
  };
}

const KEYS = ['turn:1', 'link:2', 'once:3', 'übrig:4'];
const INDEXES = ['lane:1', 'people'];
const START = 1_700_000_000_000;

const key = fc.constantFrom(...KEYS);
/** Over whatever there is, over nothing, or over what was read last under that key, whatever came of it meanwhile. */
const over = fc.constantFrom('anything', 'nothing', 'as read' as const);
const at = fc.option(fc.integer({ min: -2, max: 5 }), { nil: undefined });
const put = fc
  .record({
    put: key,
    body: fc.jsonValue({ depthSize: 'small' }),
    entries: fc.option(
      fc.subarray(INDEXES).chain((some) => fc.tuple(...some.map((index) => at.map((place) => ({ index, at: place }))))),
      { nil: undefined },
    ),
    expiresAt: fc.option(fc.constantFrom(START + 3_600_000, START + 7_200_000), { nil: undefined }),
  })
  .map((write): Write => JSON.parse(JSON.stringify(write)));
const drop = key.map((one): Write => ({ drop: one }));

const writes = fc.uniqueArray(fc.tuple(fc.oneof({ weight: 3, arbitrary: put }, drop), over), {
  minLength: 1,
  maxLength: 3,
  selector: ([one]) => toKey(one),
});
const range = fc
  .record({ from: at, to: at, after: at, limit: fc.integer({ min: 1, max: 5 }), isReversed: fc.boolean() })
  .map((one) => JSON.parse(JSON.stringify(one)));

/** `read`: the versions that were read last. */
type Model = { kernel: Kernel; read: Map<string, number> };
type Real = Model & Pick<Opened, 'restart'> & { clock: { now: number } };
type Command = fc.AsyncCommand<Model, Real, false>;

const same = (text: string, ask: (side: Model) => Promise<unknown>): Command => ({
  check: () => true,
  async run(model, real) {
    expect(await ask(real)).toEqual(await ask(model));
  },
  toString: () => text,
});

async function readKeys({ kernel, read }: Model) {
  const found = await kernel.get(KEYS);
  for (const [at, one] of KEYS.entries()) read.set(one, found[at]?.version ?? 0);
  return found.map((one) => one && { ...one, version: undefined });
}

function commitOver(some: [Write, 'anything' | 'nothing' | 'as read'][], { kernel, read }: Model): Promise<boolean> {
  const versions = (one: Write) => ({ anything: undefined, nothing: 0, 'as read': read.get(toKey(one)) ?? 0 });
  return kernel.commit(some.map(([one, what]) => ({ ...one, ifVersion: versions(one)[what] })));
}

async function rangeOf(index: string, asked: Range, { kernel }: Model) {
  return (await kernel.range(index, asked)).map((one) => ({ ...one, version: undefined }));
}

const anHour: Command = {
  check: () => true,
  async run(_model, { clock }) {
    clock.now += 3_600_000;
  },
  toString: () => 'an hour',
};

const restart: Command = {
  check: () => true,
  async run(_model, real) {
    real.kernel = await real.restart();
  },
  toString: () => 'restart',
};

const commit = writes.map((some) => same(`commit ${JSON.stringify(some)}`, (side) => commitOver(some, side)));

const commands = fc.commands<Model, Real, false>(
  [
    // Half of all that is done.
    ...Array.from({ length: 5 }, () => commit),
    fc.constant(same('get', readKeys)),
    fc
      .tuple(fc.constantFrom(...INDEXES), range)
      .map(([index, asked]) => same(`range ${index} ${JSON.stringify(asked)}`, (side) => rangeOf(index, asked, side))),
    fc
      .tuple(fc.constantFrom(...INDEXES), fc.integer({ min: -2, max: 5 }))
      .map(([index, from]) => same(`count ${index} ${from}`, ({ kernel }) => kernel.count(index, from))),
    fc.constant(same('clear', ({ kernel }) => kernel.clear())),
    fc.constant(anHour),
    fc.constant(restart),
  ],
  { maxCommands: 60, size: 'max' },
);

describe.each([
  ['SQLite', openSqlite],
  ['Redis', openRedis],
])('documents in %s', (_, open) => {
  let clock: { now: number };
  let kernel: Kernel;
  let kept: Opened['kept'];
  let spoil: Opened['spoil'];
  beforeEach(async () => {
    clock = { now: START };
    ({ kernel, kept, spoil } = await open(() => clock.now));
  });

  it('are what a model of them is, whatever is done', async () => {
    const property = fc.asyncProperty(commands, async (some) => {
      const time = { now: START };
      const real = { ...(await open(() => time.now)), read: new Map(), clock: time };
      const model = { kernel: createModel(() => time.now), read: new Map() };
      await fc.asyncModelRun(() => ({ model, real }), some);
    });

    await fc.assert(property, { numRuns: 60 });
  });

  it('are written by one of many who write over the same version', async () => {
    await kernel.commit([{ put: 'link:1', body: 0 }]);

    const ifVersion = (await read(kernel, 'link:1'))?.version;
    const written = await Promise.all(
      Array.from({ length: 20 }, (_one, body) => kernel.commit([{ put: 'link:1', body, ifVersion }])),
    );

    expect(written.filter(Boolean)).toHaveLength(1);
  });

  it('are not counted once they have expired, however many', async () => {
    const some = Array.from({ length: 70 }, (_one, index) => `once:${index}`);
    const toWrite = (put: string, expiresAt: number) => ({ put, body: 0, entries: [{ index: 'x', at: 1 }], expiresAt });
    await kernel.commit(some.map((one, index) => toWrite(one, START + (index < 60 ? 3_600_000 : 7_200_000))));
    clock.now += 3_600_000;

    expect([await kernel.count('x', 1), await kernel.count('x', 2)]).toEqual([10, 0]);
  });

  it('are read, and removed, a page at a time', async () => {
    const all = Array.from({ length: 450 }, (_one, index) => index);
    await kernel.commit(all.map((body) => ({ put: `x:${body}`, body, entries: [{ index: 'x' }] })));

    expect(await readAll(kernel, 'x')).toEqual(all);
    expect(await dropAll(kernel, 'x')).toBe(450);
    expect(await kernel.range('x')).toEqual([]);
    expect(await kernel.get(['x:7'])).toEqual([undefined]);
  });

  it('of a workspace are all gone with it, also those that have expired', async () => {
    const { once, purge } = createRecords(kernel, () => clock.now);
    const greeted = Array.from({ length: 250 }, (_one, index) => `greeted:T1:U${index}`);
    await Promise.all(greeted.map((one) => once.put(one, 'yes', START + 3_600_000)));
    clock.now += 3_600_000;

    await purge('T1');

    expect(await kept()).toEqual([]);
  });

  it('that are no JSON any more are a SyntaxError, and those before them can be read', async () => {
    const entries = [{ index: 'x' }];
    await kernel.commit(['x:1', 'x:2'].map((put, body) => ({ put, body, entries })));
    await spoil('x:2');

    await expect(kernel.range('x')).rejects.toThrow(SyntaxError);
    expect(await kernel.range('x', { limit: 1 })).toMatchObject([{ body: 0 }]);
  });

  it('that are put while an index is emptied are removed only where they are still in it', async () => {
    const toWrite = (put: string, body: string, index: string) => ({ put, body, entries: [{ index }] });
    await kernel.commit([toWrite('x:1', 'old', 'x'), toWrite('x:2', 'old', 'x'), toWrite('x:3', 'old', 'x')]);
    let isMeanwhile = true;
    const emptied = await dropAll(
      {
        ...kernel,
        async range(...asked) {
          const found = await kernel.range(...asked);
          if (isMeanwhile) await kernel.commit([toWrite('x:1', 'new', 'y'), toWrite('x:2', 'new', 'x')]);
          isMeanwhile = false;
          return found;
        },
      },
      'x',
    );

    expect(emptied).toBe(2);
    expect((await kernel.get(['x:1', 'x:2', 'x:3'])).map((one) => one?.body)).toEqual(['new', undefined, undefined]);
  });
});

describe('documents in Redis', () => {
  const keys = () => connection.send((client) => client.keys('*'));
  const counter = 'bridge:arrivals';
  const anExpiring = (put: string, expiresAt: number) => ({ put, body: 'x', entries: [{ index: 'x' }], expiresAt });

  it('leave nothing behind once they are gone', async () => {
    const clock = { now: START };
    const { kernel } = await openRedis(() => clock.now);
    await kernel.commit([{ put: 'once:1', body: 'x', expiresAt: START + 1 }]);
    await kernel.commit([anExpiring('once:2', START + 1_000)]);
    await kernel.commit([{ put: 'link:1', body: 'y', entries: [{ index: 'y' }] }]);
    clock.now += 1_000;
    // Whatever is written, by whomever.
    await kernel.commit([{ drop: 'link:1' }]);

    expect(await keys()).toEqual([counter]);
  });

  it('that somebody has removed by hand are not there, and in nobody’s way', async () => {
    const clock = { now: START };
    const { kernel } = await openRedis(() => clock.now);
    const some = Array.from({ length: 30 }, (_one, index) => `once:${index}`);
    await kernel.commit(some.map((one) => anExpiring(one, START + 1_000)));
    await connection.send((client) => client.del(some.slice(0, 25).map((one) => `bridge:doc:${one}`)));
    expect(await kernel.range('x')).toHaveLength(5);
    clock.now += 1_000;

    await kernel.clear();

    expect((await keys()).filter((one) => one.startsWith('bridge:doc:') || one === 'bridge:expiring')).toEqual([]);
  });
});
