import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dropAll, type Kernel, pages, type Write } from '../../src/storage/kernel.ts';
import { connectRedis, type StoreConnection } from '../../src/storage/redis/redis-connection.ts';
import { createRedisKernel } from '../../src/storage/redis/redis-kernel.ts';
import { createGroupCommit } from '../../src/storage/sqlite/group-commit.ts';
import { prepareSchema } from '../../src/storage/sqlite/schema.ts';
import { createSqliteKernel } from '../../src/storage/sqlite/sqlite-kernel.ts';
import { type RedisServer, startRedis } from '../sandbox/redis-server.ts';
import { createModel } from './kernel-model.ts';

let server: RedisServer;
let connection: StoreConnection;
beforeAll(async () => {
  server = await startRedis();
  connection = await connectRedis({ url: server.url });
});
afterAll(async () => {
  await connection.close();
  await server.close();
});

async function openSqlite(now: () => number): Promise<Kernel> {
  const database = new DatabaseSync(':memory:');
  prepareSchema(database);
  return createSqliteKernel(database, createGroupCommit(database), now);
}

async function openRedis(now: () => number): Promise<Kernel> {
  await connection.send((client) => client.flushAll());
  return createRedisKernel(connection, now);
}

const KEYS = ['turn:1', 'link:2', 'once:3', 'übrig:4'];
const INDEXES = ['lane:1', 'people'];
const START = 1_700_000_000_000;

const key = fc.constantFrom(...KEYS);
const version = fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined });
const at = fc.option(fc.integer({ min: -2, max: 5 }), { nil: undefined });
const put: fc.Arbitrary<Write> = fc
  .record({
    put: key,
    body: fc.jsonValue({ depthSize: 'small' }),
    ifVersion: version,
    entries: fc.option(
      fc.subarray(INDEXES).chain((some) => fc.tuple(...some.map((index) => at.map((place) => ({ index, at: place }))))),
      { nil: undefined },
    ),
    // Far enough from each other that Redis, whose clock goes on, does not forget before it is time.
    expiresAt: fc.option(fc.constantFrom(START + 3_600_000, START + 7_200_000), { nil: undefined }),
  })
  .map((write) => JSON.parse(JSON.stringify(write)));
const drop: fc.Arbitrary<Write> = fc
  .record({ drop: key, ifVersion: version })
  .map((one) => JSON.parse(JSON.stringify(one)));

const writes = fc.uniqueArray(fc.oneof({ weight: 4, arbitrary: put }, drop), {
  minLength: 1,
  maxLength: 3,
  selector: (one) => ('put' in one ? one.put : one.drop),
});
const range = fc
  .record({ from: at, to: at, after: at, limit: fc.integer({ min: 1, max: 5 }), isReversed: fc.boolean() })
  .map((one) => JSON.parse(JSON.stringify(one)));

type Real = { kernel: Kernel; clock: { now: number } };
type Model = { kernel: Kernel };
type Command = fc.AsyncCommand<Model, Real, false>;

const same = (text: string, ask: (kernel: Kernel) => Promise<unknown>): Command => ({
  check: () => true,
  async run(model, real) {
    expect(await ask(real.kernel)).toEqual(await ask(model.kernel));
  },
  toString: () => text,
});

const anHour: Command = {
  check: () => true,
  async run(_model, { clock }) {
    clock.now += 3_600_000;
  },
  toString: () => 'an hour',
};

const commands = fc.commands<Model, Real, false>(
  [
    writes.map((some) => same(`commit ${JSON.stringify(some)}`, (kernel) => kernel.commit(some))),
    fc.constant(same('get', (kernel) => kernel.get(KEYS))),
    fc
      .tuple(fc.constantFrom(...INDEXES), range)
      .map(([index, asked]) => same(`range ${index} ${JSON.stringify(asked)}`, (kernel) => kernel.range(index, asked))),
    fc.constant(anHour),
  ],
  { maxCommands: 60, size: 'max' },
);

describe.each([
  ['SQLite', openSqlite],
  ['Redis', openRedis],
])('documents in %s', (_, open) => {
  let clock: { now: number };
  let kernel: Kernel;
  beforeEach(async () => {
    clock = { now: START };
    kernel = await open(() => clock.now);
  });

  it('are what a model of them is, whatever is done', async () => {
    const property = fc.asyncProperty(commands, async (some) => {
      const time = { now: START };
      const real = { kernel: await open(() => time.now), clock: time };
      await fc.asyncModelRun(() => ({ model: { kernel: createModel(() => time.now) }, real }), some);
    });

    await fc.assert(property, { numRuns: 300 });
  });

  it('are written by one of many who write over the same version', async () => {
    await kernel.commit([{ put: 'link:1', body: 0 }]);

    const written = await Promise.all(
      Array.from({ length: 20 }, (_one, body) => kernel.commit([{ put: 'link:1', body, ifVersion: 1 }])),
    );

    expect(written.filter(Boolean)).toHaveLength(1);
  });

  it('are all written or none', async () => {
    await kernel.commit([{ put: 'link:1', body: 'before' }]);

    const isWritten = await kernel.commit([
      { put: 'link:1', body: 'after' },
      { put: 'link:2', body: 'new', ifVersion: 1 },
    ]);

    expect(isWritten).toBe(false);
    expect((await kernel.get(['link:1', 'link:2'])).map((one) => one?.body)).toEqual(['before', undefined]);
  });

  it('are counted from a place on', async () => {
    const at = [3, 4, 4, 9];
    await kernel.commit(
      at.map((place, index) => ({ put: `x:${index}`, body: 0, entries: [{ index: 'x', at: place }] })),
    );

    expect([await kernel.count('x', 4), await kernel.count('x', 10), await kernel.count('none', 0)]).toEqual([3, 0, 0]);
  });

  it('are read, and removed, a page at a time', async () => {
    const all = Array.from({ length: 450 }, (_one, index) => index);
    await kernel.commit(all.map((body) => ({ put: `x:${body}`, body, entries: [{ index: 'x' }] })));

    const sizes: number[] = [];
    for await (const page of pages(kernel, 'x')) sizes.push(page.length);

    expect(sizes).toEqual([200, 200, 50]);
    expect(await dropAll(kernel, 'x')).toBe(450);
    expect(await kernel.range('x')).toEqual([]);
    expect(await kernel.get(['x:7'])).toEqual([undefined]);
  });
});

describe('documents in Redis', () => {
  it('leave nothing behind once they are gone', async () => {
    const clock = { now: START };
    const kernel = await openRedis(() => clock.now);
    const expiresAt = START + 1_000;
    await kernel.commit([{ put: 'once:1', body: 'x', expiresAt: START + 1 }]);
    await kernel.commit([{ put: 'once:2', body: 'x', entries: [{ index: 'x' }], expiresAt }]);
    await kernel.commit([{ put: 'link:1', body: 'y', entries: [{ index: 'y' }] }]);
    clock.now = expiresAt;
    await kernel.commit([{ put: 'once:3', body: 'x', entries: [{ index: 'x' }], expiresAt: expiresAt + 1_000 }]);
    await kernel.commit([{ drop: 'link:1' }, { drop: 'once:3' }]);

    await expect.poll(() => connection.send((client) => client.keys('*'))).toEqual(['bridge:turns:arrivals']);
  });
});
