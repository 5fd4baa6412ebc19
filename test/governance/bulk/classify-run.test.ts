// Classifications of many environments as one bulk change: killed, stopped and overtaken, on both stores.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRedisStore, type RedisStore } from '../../../src/backend/redis-store.ts';
import type { Store } from '../../../src/backend/store.ts';
import { StoreUnavailableError } from '../../../src/errors.ts';
import { AccountNotLinkedError } from '../../../src/identity/identity-errors.ts';
import { type RedisServer, startRedis } from '../../app/redis-server.ts';
import { createMemoryStore } from '../../storage/memory-store.ts';
import { asOperator } from '../../storage/redis-world.ts';
import { aClassification } from '../register/register-samples.ts';
import { aBulkWorld, KIM, LEE } from './bulk-world.ts';

const COUNT = 3;
const NAMES = ['env-0', 'env-1', 'env-2'];

const sqlite = (now: () => number) => createMemoryStore(now);

/** What is recorded beside the register. */
async function listRecorded({ store }: ReturnType<typeof aBulkWorld>, id: string): Promise<string[]> {
  const own = (await store.overlay.list()).filter((record) => record.id.startsWith(`${id}-`));
  return own.map(({ environmentId }) => environmentId).toSorted();
}

async function killAtEachStep(open: (now: () => number) => Promise<Store>, when: 'before' | 'after') {
  for (let at = 1; ; at += 1) {
    let clock = () => 0;
    const store = await open(() => clock());
    const world = aBulkWorld(COUNT, () => store);
    clock = world.now;
    const id = `classify${when}${at}`;
    await world.confirmClassifications(id);
    const dying = world.startProcess({ at, when });
    await dying.work();
    const isAlive = dying.steps() < at;
    // What it had sent to the store when it died arrives.
    await sleep(25);
    await world.startProcess().work();

    const ends = await world.records.readEnds(id);
    expect(ends, `${when} step ${at}`).toEqual(Array(COUNT).fill({ kind: 'recorded' }));
    expect(await listRecorded(world, id), `${when} step ${at}`).toEqual(NAMES);
    const entries = await store.audit.list({ limit: 100 });
    const done = entries.filter(({ outcome, subject }) => outcome.kind === 'done' && subject.changeId?.startsWith(id));
    expect(done.map(({ subject }) => subject.environmentId).toSorted(), `${when} step ${at}`).toEqual(NAMES);
    expect((await world.records.get(id))?.ended?.why).toBe('done');
    expect(world.told().join('\n')).toContain('3 of 3 environments classified.');
    if (isAlive) return at;
  }
}

describe.each(['before', 'after'] as const)('many classifications whose process dies %s each step', (when) => {
  let server: RedisServer;
  let redis: RedisStore;
  let clock: () => number = Date.now;

  beforeAll(async () => {
    server = await startRedis();
    redis = await openRedisStore({ url: server.url, now: () => clock() });
  });
  afterAll(async () => {
    await redis.close();
    await server.close();
  });

  it('are each recorded once, with one end in the audit log, on SQLite', async () => {
    expect(await killAtEachStep(async (now) => createMemoryStore(now), when)).toBeGreaterThan(3 * COUNT);
  });

  it('are each recorded once, with one end in the audit log, on Redis', async () => {
    const open = async (now: () => number) => {
      clock = now;
      await asOperator(server, (client) => client.flushAll());
      return redis;
    };

    expect(await killAtEachStep(open, when)).toBeGreaterThan(3 * COUNT);
  });
});

describe('many classifications', () => {
  it('need no access to the service', async () => {
    const world = aBulkWorld(COUNT, sqlite);
    await world.confirmClassifications('apart');
    async function openSession(): Promise<never> {
      throw new AccountNotLinkedError('ended');
    }

    await world.startProcess(undefined, { openSession }).work();

    expect(await listRecorded(world, 'apart')).toEqual(NAMES);
    expect((await world.store.overlay.list())[0]).toMatchObject({
      ...{ kind: 'classification', allocations: 'none', reason: 'agreed with finance' },
      ...{ unnamedAgents: { monthlyLimit: 500, alertAt: 80, stopWhenReached: 'off' } },
    });
  });

  it('have one outcome for each environment where two admins classify the same ones, and name who was first', async () => {
    const world = aBulkWorld(COUNT, sqlite);
    await world.confirmClassifications('kims', { by: KIM });
    await world.confirmClassifications('lees', { by: LEE });

    await world.startProcess().work();

    expect(await world.records.readEnds('kims')).toEqual(Array(COUNT).fill({ kind: 'recorded' }));
    expect(await world.records.readEnds('lees')).toEqual(
      Array(COUNT).fill({ kind: 'conflict', reason: 'named_meanwhile', by: 'UKIM' }),
    );
    expect(await world.store.overlay.list()).toHaveLength(COUNT);
    expect(world.told().at(-1)).toContain('0 of 3 environments classified.');
    expect(world.told().at(-1)).toMatch(/\*Env 0\*: \*Conflict\*, the register names .* Changed from here by <@UKIM>/);
  });

  it('leave what somebody has classified by itself meanwhile', async () => {
    const world = aBulkWorld(COUNT, sqlite);
    await world.confirmClassifications('mixed');
    await world.store.overlay.add(aClassification({ id: 'other', environmentId: 'ENV-1', allocations: 'none' }));

    await world.startProcess().work();

    expect(await listRecorded(world, 'mixed')).toEqual(['env-0', 'env-2']);
    expect(world.told().at(-1)).toContain('2 of 3 environments classified.');
  });

  it('are not recorded beside another register than was reviewed', async () => {
    const world = aBulkWorld(COUNT, sqlite);
    await world.confirmClassifications('old', { registerHash: 'hash-0' });

    await world.startProcess().work();

    expect(await world.store.overlay.list()).toEqual([]);
    expect(world.told().at(-1)).toContain("the register's file was changed since this was reviewed");
  });

  it('are not recorded where a second admin has to approve them by now', async () => {
    const world = aBulkWorld(COUNT, sqlite);
    await world.confirmClassifications('strict');

    await world.startProcess(undefined, { needsApproval: true }).work();

    expect(await world.store.overlay.list()).toEqual([]);
    expect(world.told().at(-1)).toContain('no second admin has approved it');
  });

  it('go on where the store came back', async () => {
    const world = aBulkWorld(COUNT, sqlite);
    await world.confirmClassifications('gone');
    const { overlay } = world.store;
    const add: typeof overlay.add = async (record) => {
      if (record.environmentId === 'env-1') throw new StoreUnavailableError('gone');
      return overlay.add(record);
    };

    await expect(world.startProcess(undefined, { overlay: { ...overlay, add } }).work()).rejects.toThrow('gone');
    await world.startProcess().work();

    expect(await world.records.readEnds('gone')).toEqual(Array(COUNT).fill({ kind: 'recorded' }));
    expect(await listRecorded(world, 'gone')).toEqual(NAMES);
  });

  it('are told as recorded where they were, once stopped after a crash', async () => {
    const world = aBulkWorld(1, sqlite);
    await world.confirmClassifications('halted');
    const { overlay } = world.store;
    const dying = world.startProcess({ at: 1_000, when: 'before' }, { overlay });
    await dying.work();
    const bulk = await world.records.get('halted');
    if (bulk === undefined) throw new Error('not kept');
    // As if the process had died before it told.
    const { ended, ...open } = bulk;
    await world.store.once.put('bulk:open', JSON.stringify(['halted']), world.now() + 60_000);
    await world.records.save(open);
    await world.records.stop('halted', 'UKIM');

    await world.startProcess().work();

    expect(ended?.why).toBe('done');
    expect(await world.records.readEnds('halted')).toEqual([{ kind: 'recorded' }]);
  });
});
