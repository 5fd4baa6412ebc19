// Bulk changes, carried out by processes that are killed, stopped and overtaken, on both stores.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AdminThrottledError, AdminUnreachableError } from '../../../src/admin-api/admin-errors.ts';
import type { AdminSession } from '../../../src/admin-api/admin-session.ts';
import { openRedisStore, type RedisStore } from '../../../src/backend/redis-store.ts';
import type { Store } from '../../../src/backend/store.ts';
import { StoreUnavailableError } from '../../../src/errors.ts';
import { AccountNotLinkedError } from '../../../src/identity/identity-errors.ts';
import { type RedisServer, startRedis } from '../../app/redis-server.ts';
import { createMemoryStore } from '../../storage/memory-store.ts';
import { NOW } from '../shell/samples.ts';
import { aBulkWorld, KIM, LEE } from './bulk-world.ts';

const AGENTS = 3;
const MINUTES = 60_000;

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

const sqlite = (now: () => number) => createMemoryStore(now);

const stores: [string, (now: () => number) => Store][] = [
  ['sqlite', sqlite],
  [
    'redis',
    (now) => {
      clock = now;
      return redis;
    },
  ],
];

describe.each(stores)('a bulk change on %s', (name, open) => {
  it.each(['before', 'after'] as const)(
    'is made once and whole, wherever its process dies: %s each step',
    async (when) => {
      for (let at = 1; ; at += 1) {
        const world = aBulkWorld(AGENTS, open);
        const id = `${name}${when}${at}`;
        await world.confirm(id);
        const dying = world.startProcess({ at, when });
        await dying.work();
        const isAlive = dying.steps() < at;
        world.pass(3 * MINUTES);
        await world.startProcess().work();

        const ends = await world.records.readEnds(id);
        expect(
          ends?.map(({ kind }) => kind),
          `${when} step ${at}`,
        ).toEqual(Array(AGENTS).fill('verified'));
        expect([...world.puts].sort(), `${when} step ${at}`).toEqual(['bot-0', 'bot-1', 'bot-2']);
        expect((await world.records.get(id))?.ended?.why).toBe('done');
        expect(world.told().join('\n')).toContain('3 of 3 changes made, and read back.');
        if (isAlive) break;
      }
    },
  );
});

describe('a bulk change', () => {
  it('is confirmed once, and counts as open until it has ended', async () => {
    const world = aBulkWorld(2, sqlite);

    expect(await world.confirm('first')).toEqual({ ahead: 0 });
    expect(await world.confirm('second', { by: LEE })).toEqual({ ahead: 1 });
    expect(await world.records.confirm('first', 'again')).toBe('repeated');
    await world.startProcess().work();

    expect(await world.records.findOpen()).toBeUndefined();
    expect(await world.records.confirm('unheard', 'of')).toBe('unknown');
  });

  it('is not carried out where the store failed while it was confirmed, and can be confirmed again', async () => {
    const world = aBulkWorld(1, sqlite);
    const { once } = world.store;
    const put: typeof once.put = async (key, value, expiresAt) => {
      if (value.includes('"confirmed"')) throw new StoreUnavailableError('gone');
      await once.put(key, value, expiresAt);
    };
    world.store.once = { ...once, put };

    await expect(world.confirm('cut')).rejects.toThrow('gone');
    world.store.once = once;
    await world.startProcess().work();

    expect(world.puts).toEqual([]);
    expect(await world.records.confirm('cut', 'again')).toEqual({ ahead: 0 });
  });

  it('cannot be confirmed a day after its preview', async () => {
    const world = aBulkWorld(1, sqlite);
    await world.records.plan({ schema: 1, id: 'old', by: KIM, plannedAt: 0, total: 0, leftOut: [] }, []);

    expect(await world.records.confirm('old', 'late')).toBe('unknown');
  });

  it('gives each agent one outcome where two admins change the same ones, and names who was first', async () => {
    const world = aBulkWorld(AGENTS, sqlite);
    await world.confirm('kims', { by: KIM, limit: 1_000 });
    await world.confirm('lees', { by: LEE, limit: 2_000 });

    await world.startProcess().work();

    expect(await world.records.readEnds('kims')).toEqual(Array(AGENTS).fill({ kind: 'verified' }));
    expect(await world.records.readEnds('lees')).toEqual(
      Array(AGENTS).fill({ kind: 'conflict', reason: 'before_write', by: 'UKIM' }),
    );
    expect(world.puts).toHaveLength(AGENTS);
    expect(new Set([...world.thresholds.values()].map(({ limit }) => limit))).toEqual(new Set([1_000]));
    expect(world.told().at(-1)).toMatch(
      /\*Agent 0\*.*: \*Conflict\*, it is not as the preview .* Changed from here by <@UKIM>/,
    );
  });

  it('waits as long as the service asks, and has no more than four requests on their way', async () => {
    const world = aBulkWorld(40, sqlite);
    const put = world.session.putThreshold;
    let [running, most, calls] = [0, 0, 0];
    world.session.putThreshold = async (change) => {
      calls += 1;
      if (calls % 10 === 0) throw new AdminThrottledError('set threshold', 2_000);
      running += 1;
      most = Math.max(most, running);
      await new Promise((wake) => setTimeout(wake, 2));
      running -= 1;
      return put?.(change) ?? {};
    };
    await world.confirm('busy');

    await world.startProcess().work();

    expect((await world.records.readEnds('busy'))?.filter(({ kind }) => kind === 'verified')).toHaveLength(40);
    expect(new Set(world.puts).size).toBe(40);
    expect(world.puts).toHaveLength(40);
    expect(most).toBe(4);
  });

  it('sends nothing during a pause that is longer than a change may take, and makes the rest afterwards', async () => {
    const world = aBulkWorld(60, sqlite);
    const put = world.session.putThreshold;
    let resumesAt = 0;
    let [calls, early] = [0, 0];
    world.session.putThreshold = async (change) => {
      calls += 1;
      if (world.now() < resumesAt) early += 1;
      if (calls === 10) {
        resumesAt = world.now() + 4 * MINUTES;
        throw new AdminThrottledError('set threshold', 4 * MINUTES);
      }
      return put?.(change) ?? {};
    };
    await world.confirm('paused');

    await world.startProcess().work();

    expect(early).toBeLessThan(4);
    expect((await world.records.readEnds('paused'))?.every(({ kind }) => kind === 'verified')).toBe(true);
    expect(world.puts).toHaveLength(60);
  });

  it('looks again in the end at what did not show at once', async () => {
    const world = aBulkWorld(5, sqlite);
    const read = world.session.readThresholds;
    world.session.readThresholds = async () => {
      const shown = (await read?.()) ?? [];
      return Array.isArray(shown) && world.now() < NOW + 9_000 ? [] : shown;
    };
    await world.confirm('slow');

    await world.startProcess().work();

    expect((await world.records.readEnds('slow'))?.every(({ kind }) => kind === 'verified')).toBe(true);
    const [last] = await world.store.audit.list({ limit: 1 });
    expect(last?.outcome).toEqual({ kind: 'verified', written: 'yes' });
  });

  it('reads the limits of the tenant a few times, however many agents there are', async () => {
    const world = aBulkWorld(200, sqlite);
    const read = world.session.readThresholds;
    let reads = 0;
    world.session.readThresholds = async () => {
      reads += 1;
      await new Promise((wake) => setTimeout(wake, 5));
      return (await read?.()) ?? [];
    };
    await world.confirm('many');

    await world.startProcess().work();

    expect(world.puts).toHaveLength(200);
    expect(reads).toBeLessThan(100);
  });

  it('ends with what is made where its admin stops it', async () => {
    const world = aBulkWorld(100, sqlite);
    const put = world.session.putThreshold;
    world.session.putThreshold = async (change) => {
      await world.records.stop('stopped', 'UKIM');
      await new Promise((wake) => setTimeout(wake, 400));
      return put?.(change) ?? {};
    };
    await world.confirm('stopped');

    await world.startProcess().work();

    const ends = (await world.records.readEnds('stopped')) ?? [];
    const made = ends.filter(({ kind }) => kind === 'verified').length;
    expect(made).toBeGreaterThan(0);
    expect(made).toBe(world.puts.length);
    expect(ends.filter(({ kind, reason }) => kind === 'skipped' && reason === 'stopped')).toHaveLength(100 - made);
    expect(world.told().at(-1)).toContain('It was stopped.');
  });

  it('goes on with the next process where its own is stopped', async () => {
    const world = aBulkWorld(100, sqlite);
    await world.confirm('later');
    const first = world.startProcess();
    const put = world.session.putThreshold;
    world.session.putThreshold = async (change) => {
      first.runs.stop();
      return put?.(change) ?? {};
    };

    await first.work();
    const made = world.puts.length;
    await world.startProcess().work();

    expect(made).toBeLessThan(100);
    expect(world.puts).toHaveLength(100);
    expect((await world.records.get('later'))?.ended?.why).toBe('done');
  });

  it('is reported, and holds up no other, where a fault of this app keeps it from its end', async () => {
    const world = aBulkWorld(1, sqlite);
    await world.confirm('first');
    await world.confirm('second', { by: LEE });
    const put = world.session.putThreshold;
    world.session.putThreshold = async (change) => {
      // Before it is known which of them this is: the first one fails three times.
      if (change.limit !== 2_000) throw new TypeError('a bug');
      return put?.(change) ?? {};
    };

    await world.startProcess().work();

    expect((await world.records.get('first'))?.ended?.why).toBe('fault');
    expect((await world.records.get('second'))?.ended?.why).toBeDefined();
    expect(world.told().join('\n')).toContain('this app failed; its log says how');
  });

  it('begins nothing more where another replica has taken over', async () => {
    const world = aBulkWorld(100, sqlite);
    await world.confirm('lost');
    const first = world.startProcess();

    await first.runs.run(() => world.puts.length < 10);
    const made = world.puts.length;

    expect(made).toBeLessThan(50);
    expect(world.told().join('\n')).not.toContain('read back');
    expect((await world.records.get('lost'))?.ended).toBeUndefined();
  });

  it('tells of a store that fails, and goes on with it later', async () => {
    const world = aBulkWorld(5, sqlite);
    await world.confirm('store');
    const { changes } = world.store;
    let isFailing = true;
    const begin: typeof changes.begin = async (change) => {
      if (isFailing && change.id === 'store-3') throw new StoreUnavailableError('gone');
      return changes.begin(change);
    };

    await expect(world.startProcess(undefined, { changes: { ...changes, begin } }).work()).rejects.toThrow('gone');
    isFailing = false;
    await world.startProcess().work();

    expect((await world.records.readEnds('store'))?.every(({ kind }) => kind === 'verified')).toBe(true);
    expect(world.puts).toHaveLength(5);
  });

  it.each([
    ['is no admin any more', { rules: [] }, 'not_admin'],
    [
      'is not signed in any more',
      {
        async openSession() {
          throw new AccountNotLinkedError('ended');
        },
      },
      'not_signed_in',
    ],
  ])('is not carried out where who confirmed it %s, and says so', async (_what, over, reason) => {
    const world = aBulkWorld(2, sqlite);
    await world.confirm('refused');

    await world.startProcess(undefined, over as object).work();

    expect(await world.records.readEnds('refused')).toEqual(Array(2).fill({ kind: 'skipped', reason }));
    expect(world.puts).toEqual([]);
    expect(world.told().at(-1)).toContain('It could not go on');
  });

  it('waits for an hour where nobody can tell whether it may be carried out, and then holds up no other', async () => {
    const world = aBulkWorld(2, sqlite);
    await world.confirm('waiting');
    await world.confirm('behind', { by: LEE });
    const usual = world.startProcess();
    const { runs } = world.startProcess(undefined, {
      async openSession({ user }) {
        if (user === KIM.user) throw new AdminUnreachableError('sign-in');
        return world.session as AdminSession;
      },
    });

    await runs.run(() => true);
    world.pass(59 * 60_000);
    await runs.run(() => true);
    const early = await world.records.get('waiting');
    world.pass(2 * 60_000);
    for (let turn = 0; turn < 4; turn += 1) await runs.run(() => true);
    await usual.work();

    expect(early?.ended).toBeUndefined();
    expect(await world.records.readEnds('waiting')).toEqual(Array(2).fill({ kind: 'skipped', reason: 'no_access' }));
    expect((await world.records.get('behind'))?.ended).toBeDefined();
  });

  it('tries no more where the service stays away, and says what was not tried', async () => {
    const world = aBulkWorld(100, sqlite);
    world.session.putThreshold = async () => {
      throw new AdminUnreachableError('set threshold');
    };
    await world.confirm('away');

    await world.startProcess().work();

    const ends = (await world.records.readEnds('away')) ?? [];
    expect(ends.filter(({ kind }) => kind === 'skipped').length).toBeGreaterThan(20);
    expect(ends.every(({ kind, reason }) => kind !== 'verified' && reason === 'admin_unreachable')).toBe(true);
    expect(world.told().at(-1)).toContain('the service did not answer, for too long');
  });

  it('has an entry before and after each of its changes in the audit log, with the one reason', async () => {
    const world = aBulkWorld(2, sqlite);
    await world.confirm('audited');

    await world.startProcess().work();

    const entries = await world.store.audit.list({ limit: 10 });
    expect(entries.map(({ subject, reason, outcome }) => [subject.changeId, reason, outcome.kind]).sort()).toEqual([
      ['audited-0', 'the first limits', 'begun'],
      ['audited-0', 'the first limits', 'verified'],
      ['audited-1', 'the first limits', 'begun'],
      ['audited-1', 'the first limits', 'verified'],
    ]);
  });
});
