// What somebody does who can write to the store, and has no key.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openRedisStore } from '../../src/backend/redis-store.ts';
import { openSqliteStore } from '../../src/backend/sqlite-store.ts';
import { forgetOld, type Store } from '../../src/backend/store.ts';
import type { AuditKey } from '../../src/governance/audit/audit-key.ts';
import { type AuditHead, type AuditStore, CHAIN_BEGIN } from '../../src/governance/audit/audit-log.ts';
import { verifyAudit, verifyNewest } from '../../src/governance/audit/verify-audit.ts';
import type { Log } from '../../src/log.ts';
import { anEntry, makeKeys, readAll } from '../governance/audit/samples.ts';
import { type Tampering, tamperingWith } from './audit-tampering.ts';
import { besideRedis, besideSqlite } from './beside-store.ts';
import { useRedis } from './own-redis.ts';

const DAY_MS = 24 * 3_600_000;

const { keys } = makeKeys(2);
const [key, olderKey] = keys as [AuditKey, AuditKey];

const folder = mkdtempSync(join(tmpdir(), 'audit-attacks-'));
const redis = useRedis();
let path: string;
let count = 0;
let stores: Store[];
let told: { level: string; message: string }[];

afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(async () => {
  [stores, told, path] = [[], [], join(folder, `${++count}.db`)];
});
afterEach(async () => {
  for (const store of stores) await store.close();
});

function createLog(): Log {
  const tell = (level: string) => (first: unknown, second?: string) => {
    told.push({ level, message: second ?? String(first) });
  };
  return { info: tell('info'), warn: tell('warn'), error: tell('error') } as unknown as Log;
}

const messages = (level: string) => told.filter((one) => one.level === level).map(({ message }) => message);

type Attacker = Tampering & { open(options: { keys?: AuditKey[] | undefined; now?: () => number }): Promise<Store> };

const SQLITE: Attacker = {
  ...tamperingWith(besideSqlite(() => path)),
  async open({ keys: own, now = Date.now }) {
    const audit = { keys: own, log: createLog(), now };
    return openSqliteStore({ path, lockWaitMs: 0, now, audit });
  },
};

const REDIS: Attacker = {
  ...tamperingWith(besideRedis(() => redis)),
  async open({ keys: own, now = Date.now }) {
    return openRedisStore({ url: redis.url, now, audit: { keys: own, log: createLog(), now } });
  },
};

describe.each([
  ['SQLite', SQLITE],
  ['Redis', REDIS],
])('an audit log in %s', (_, attacker) => {
  async function start(own: AuditKey[] = [], now: () => number = Date.now): Promise<AuditStore> {
    // One process at a time has the file.
    for (const store of stores.splice(0)) await store.close();
    const store = await attacker.open({ keys: own, now });
    stores.push(store);
    await store.audit.start();
    return store.audit;
  }

  async function add(audit: AuditStore, ...times: number[]): Promise<AuditHead[]> {
    const heads: AuditHead[] = [];
    for (const at of times) {
      const { seq, hash } = await audit.append(anEntry({ at }));
      heads.push({ seq, hash });
    }
    return heads;
  }

  const verify = (audit: AuditStore, own: AuditKey[] = [], ...kept: AuditHead[]) =>
    verifyAudit(audit, { keys: own, kept });

  const placeAt = (heads: AuditHead[], index: number) => heads.at(index) ?? CHAIN_BEGIN;

  describe.each([
    ['without a key', []],
    ['with a key', [key]],
  ])('%s', (_name, own) => {
    it('is broken where all entries were deleted and the origin set to the head', async () => {
      const audit = await start(own);
      await add(audit, 1, 2, 3, 4);
      const head = await audit.head();

      await attacker.removeUpTo(head);

      const broken = { ok: false, seq: head.seq + 1, problem: 'origin_unexplained' };
      expect(await verify(audit, own)).toEqual(broken);
      expect(await verifyNewest(audit, { limit: 100, keys: own })).toEqual(broken);
      // Nor does another start or another entry make it good.
      await add(await start(own), 5);
      expect(await verify(stores[0]?.audit as AuditStore, own)).toMatchObject(broken);
    });

    it('is broken where its first half was cut off, also after a start and for a quick look', async () => {
      const audit = await start(own);
      const heads = await add(audit, 1, 2, 3, 4, 5, 6);
      const cut = placeAt(heads, 2);

      await attacker.removeUpTo(cut);

      const broken = { ok: false, seq: cut.seq + 1, problem: 'origin_unexplained' };
      expect(await verify(audit, own)).toEqual(broken);
      expect(await verifyNewest(audit, { limit: 2, keys: own })).toEqual(broken);
      const again = await start(own);
      expect(await verify(again, own)).toEqual(broken);
      await add(again, 7);
      expect(await verify(again, own)).toMatchObject({ ok: false, problem: 'origin_unexplained' });
    });

    it('says what it has forgotten, day by day, and is whole', async () => {
      let now = 1;
      const audit = await start(own, () => now);
      const store = stores[0] as Store;
      await add(audit, DAY_MS, DAY_MS + 5, 2 * DAY_MS, 9 * DAY_MS);
      now = (3 * 365 + 3) * DAY_MS + 60_000;
      await forgetOld(store, now, { days: 180, linkDays: 0, onForgotten: async () => undefined });
      now += 3_600_000;
      await forgetOld(store, now, { days: 180, linkDays: 0, onForgotten: async () => undefined });

      const said = (await readAll(audit.all())).filter(({ what }) => what === 'entries_forgotten');

      const origin = await audit.origin();
      expect(said).toHaveLength(1);
      expect(said[0]?.after).toEqual({ upTo: origin, madeBefore: '1970-01-04T00:00:00.000Z' });
      expect(await verify(audit, own)).toMatchObject({ ok: true, origin: { upTo: origin } });
      expect(messages('info')).toHaveLength((await audit.head()).seq);
    });

    it('is forgotten no further where it is not whole, so that it stays known', async () => {
      const audit = await start(own);
      const heads = await add(audit, 1, 2, 3, 40, 50);
      await attacker.change(placeAt(heads, 1).seq, 'UKIM', 'UEVE');
      const origin = await audit.origin();

      expect(await audit.forget(10)).toBe(0);

      expect(await audit.origin()).toEqual(origin);
      expect(messages('error')).toEqual(own.length > 0 ? [] : ['audit log not whole']);
    });

    it('forgets nothing that was only made to look old', async () => {
      const audit = await start(own, () => 1);
      const heads = await add(audit, 40, 50, 60);
      for (const { seq } of heads) await attacker.change(seq, `"at":${seq === heads[0]?.seq ? 40 : 50}`, '"at":1');

      expect(await audit.forget(10)).toBe(0);

      expect(messages('error')).toEqual(['audit log not whole']);
    });

    it('does not believe a head that was logged and is before its begin', async () => {
      const audit = await start(own, () => 100);
      const heads = await add(audit, 101, 102, 103);
      await audit.forget(103);

      // The key proves that the app itself has forgotten it.
      expect(await verify(audit, own, placeAt(heads, 0))).toMatchObject(
        own.length > 0 ? { ok: true } : { ok: false, seq: 1, problem: 'head_before_origin' },
      );
      expect(await verify(audit, own, placeAt(heads, 2))).toMatchObject({ ok: true });
    });
  });

  it('is sealed from the first start with a key on, what was there included in the chain', async () => {
    await add(await start(), 1, 2);

    const audit = await start([key]);
    await add(audit, 3);
    await add(await start([key]), 4);

    const sealed = stores[0]?.audit as AuditStore;
    expect((await readAll(sealed.all())).map(({ what }) => what)).toEqual([
      ...['item_ended', 'item_ended', 'sealing_begun', 'item_ended', 'item_ended'],
    ]);
    expect(await verify(sealed, [key])).toMatchObject({ ok: true, sealedFrom: { seq: 3 } });
    expect(messages('warn')).toEqual(['audit sealing begun']);
  });

  it('shows an end that was cut off, with the note of it moved back', async () => {
    const audit = await start([key]);
    const heads = await add(audit, 1, 2, 3);
    const { seal } = await audit.head();
    const cut = placeAt(heads, 0);

    for (const forged of [cut, { ...cut, seal: seal ?? '' }]) {
      await attacker.removeAfter(forged);
      expect(await verify(audit, [key])).toEqual({ ok: false, seq: cut.seq, problem: 'end_not_sealed' });
    }
    // The app goes on from there, and says so in the log.
    await add(audit, 4);
    expect(await verify(audit, [key])).toEqual({ ok: false, seq: cut.seq + 1, problem: 'end_lost' });
    expect(messages('warn')).toContain('audit sealing begun');
  });

  it('shows an older state of the store that was put back, to whoever kept a head', async () => {
    const audit = await start([key]);
    await add(audit, 1);
    const older = await audit.head();
    const [later] = await add(audit, 2);

    await attacker.removeAfter({ ...older, seal: older.seal ?? '' });

    expect(await verify(audit, [key])).toMatchObject({ ok: true });
    const missing = { ok: false, seq: older.seq + 1, problem: 'tail_missing' };
    expect(await verify(audit, [key], later ?? CHAIN_BEGIN)).toEqual(missing);
  });

  it('that is sealed gets no entries of a process without the key', async () => {
    await add(await start([key]), 1);

    const audit = await start();

    expect(messages('error')).toEqual(['audit key missing']);
    await expect(add(audit, 2)).rejects.toMatchObject({ code: 'store_unavailable' });
    expect(await audit.forget(10)).toBe(0);
    expect(await verify(await start([key]), [key])).toMatchObject({ ok: true });
  });

  it('is broken by an entry of a release that seals nothing', async () => {
    const audit = await start([key]);
    const [head = CHAIN_BEGIN] = await add(audit, 1);
    await attacker.addUnsealed(head, 2);

    expect(await verify(audit, [key])).toEqual({ ok: false, seq: head.seq + 1, problem: 'not_sealed' });
  });

  it('goes over to a new key at the start, and needs the older one only for what that has sealed', async () => {
    await add(await start([olderKey]), 1);

    const audit = await start([key, olderKey]);
    await add(audit, 2);

    expect(await verify(audit, [key, olderKey])).toMatchObject({ ok: true, sealedFrom: { seq: 1 } });
    expect(await verify(audit, [key])).toMatchObject({ ok: true, sealedFrom: { seq: 3 } });
  });
});

describe('an audit log that nobody can read', () => {
  it.each([
    ['SQLite', SQLITE],
    ['Redis', REDIS],
  ])('keeps neither a start nor the sweeper from their work in %s', async (_, attacker) => {
    const store = await attacker.open({ keys: [key] });
    stores.push(store);
    await store.audit.start();
    await store.audit.append(anEntry({ at: 1 }));
    await attacker.change(2, '{', '[');

    await store.audit.start();

    expect(await store.audit.forget(10)).toBe(0);
    expect(await verifyAudit(store.audit, { keys: [key] })).toMatchObject({ problem: 'unreadable' });
  });
});

async function openTwo(keys?: AuditKey[]): Promise<[AuditStore, AuditStore]> {
  const [one, other] = [await REDIS.open({ keys }), await REDIS.open({ keys })];
  stores.push(one, other);
  return [one.audit, other.audit];
}

describe('replicas with different keys', () => {
  it('write only while they have the key of the last entry', async () => {
    const [before, after] = [await REDIS.open({ keys: [olderKey] }), await REDIS.open({ keys: [key, olderKey] })];
    stores.push(before, after);
    await before.audit.start();
    await before.audit.append(anEntry({ at: 1 }));

    await after.audit.start();

    await expect(before.audit.append(anEntry({ at: 2 }))).rejects.toMatchObject({ code: 'store_unavailable' });
    await after.audit.append(anEntry({ at: 3 }));
    expect(await verifyAudit(after.audit, { keys: [key, olderKey] })).toMatchObject({ ok: true, entries: 4 });
  });

  it('begin to seal once, whichever of them is first', async () => {
    const [first, second] = await openTwo([key]);

    await Promise.all([first.start(), second.start()]);

    expect(await verifyAudit(first, { keys: [key] })).toMatchObject({ ok: true, entries: 1 });
  });
});

describe('two replicas', () => {
  it('add 50 entries at the same time to one chain', async () => {
    const both = await openTwo();

    await Promise.all(Array.from({ length: 50 }, (_, at) => both[at % 2]?.append(anEntry({ at }))));

    for (const audit of both) expect(await verifyAudit(audit)).toMatchObject({ ok: true, entries: 50 });
  });

  it.each([
    [5, 5, 4],
    [7, 3, 6],
  ])('forget at once what is before %i and before %i, and it stays a chain', async (one, other, gone) => {
    const [first, second] = await openTwo();
    for (let at = 1; at <= 9; at += 1) await first.append(anEntry({ at }));

    const forgotten = await Promise.all([first.forget(one), second.forget(other)]);

    expect(forgotten[0] + forgotten[1]).toBe(gone);
    expect(await verifyAudit(second)).toMatchObject({ ok: true, origin: { upTo: { seq: gone } } });
  });
});
