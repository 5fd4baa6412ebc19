import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AuditHead, AuditStore } from '../../src/governance/audit/audit-log.ts';
import { createAuditLog } from '../../src/governance/audit/chained-log.ts';
import { type ChainVerdict, verifyChain } from '../../src/governance/audit/verify-chain.ts';
import { openRedisStore } from '../../src/storage/redis/redis-store.ts';
import { createGroupCommit } from '../../src/storage/sqlite/group-commit.ts';
import { prepareSchema } from '../../src/storage/sqlite/schema.ts';
import { createSqliteAudit } from '../../src/storage/sqlite/sqlite-audit.ts';
import { anEntry } from '../governance/audit/samples.ts';
import { type RedisServer, startRedis } from '../sandbox/redis-server.ts';
import { asOperator } from './redis-world.ts';

const folder = mkdtempSync(join(tmpdir(), 'audit-instances-'));
let server: RedisServer;
let closings: (() => Promise<void> | void)[];
let count = 0;
let path: string;

beforeAll(async () => {
  server = await startRedis();
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});
beforeEach(async () => {
  closings = [];
  path = join(folder, `${++count}.db`);
  await asOperator(server, (client) => client.flushAll());
});
afterEach(async () => {
  for (const close of closings) await close();
});

/** As two processes would have it: the lock of the file is not in the way here. */
async function joinSqlite(): Promise<AuditStore> {
  const database = new DatabaseSync(path, { timeout: 0 });
  database.exec('PRAGMA journal_mode = WAL');
  prepareSchema(database);
  const commit = createGroupCommit(database);
  closings.push(async () => {
    await commit.idle();
    database.close();
  });
  return createAuditLog(createSqliteAudit(database, commit));
}

async function joinRedis(): Promise<AuditStore> {
  const store = await openRedisStore({ url: server.url, now: Date.now });
  closings.push(() => store.close());
  return store.audit;
}

async function verify(audit: AuditStore, ...logged: AuditHead[]): Promise<ChainVerdict> {
  return verifyChain(audit.all(), { origin: await audit.origin(), noted: [await audit.head(), ...logged] });
}

type Tamper = {
  change(seq: number, from: string, to: string): Promise<void>;
  remove(seq: number): Promise<void>;
  swap(one: number, other: number): Promise<void>;
  /** Cuts the end off, and makes the store's own note say so. */
  truncate(head: AuditHead): Promise<void>;
};

const SQLITE: Tamper = {
  change: async (seq, from, to) =>
    tamperWith(`UPDATE audit SET body = replace(body, '${from}', '${to}') WHERE seq = ${seq}`),
  remove: async (seq) => tamperWith(`DELETE FROM audit WHERE seq = ${seq}`),
  swap: async (one, other) =>
    tamperWith(`UPDATE audit SET seq = -1 WHERE seq = ${one};
      UPDATE audit SET seq = ${one} WHERE seq = ${other};
      UPDATE audit SET seq = ${other} WHERE seq = -1`),
  truncate: async ({ seq, hash }) =>
    tamperWith(`DELETE FROM audit WHERE seq > ${seq}; UPDATE audit_ends SET head_seq = ${seq}, head_hash = '${hash}'`),
};

function tamperWith(statements: string): void {
  const database = new DatabaseSync(path);
  database.exec(`DROP TRIGGER audit_unchanged; ${statements}`);
  database.close();
}

const LOG = 'bridge:audit';
const REDIS: Tamper = {
  change: (seq, from, to) =>
    asOperator(server, async (client) => {
      const [body = ''] = await client.zRangeByScore(LOG, seq, seq);
      await client.zRem(LOG, body);
      await client.zAdd(LOG, { score: seq, value: body.replace(from, to) });
    }),
  remove: (seq) => asOperator(server, async (client) => void (await client.zRemRangeByScore(LOG, seq, seq))),
  swap: (one, other) =>
    asOperator(server, async (client) => {
      const [[first = ''], [second = '']] = [
        await client.zRangeByScore(LOG, one, one),
        await client.zRangeByScore(LOG, other, other),
      ];
      await client.zAdd(LOG, [
        { score: other, value: first },
        { score: one, value: second },
      ]);
    }),
  truncate: ({ seq, hash }) =>
    asOperator(server, async (client) => {
      await client.zRemRangeByScore(LOG, `(${seq}`, '+inf');
      await client.hSet('bridge:audit:ends', { headSeq: seq, headHash: hash });
    }),
};

describe.each([
  ['sqlite', joinSqlite, SQLITE],
  ['redis', joinRedis, REDIS],
])('the audit log in %s', (_, join, tamper) => {
  it('is one chain where two instances add 50 entries at the same time', async () => {
    const instances = [await join(), await join()];

    const entries = await Promise.all(
      Array.from({ length: 50 }, (_entry, at) => (at % 2 ? instances[0] : instances[1])?.append(anEntry({ at }))),
    );

    expect(new Set(entries.map((entry) => entry?.seq)).size).toBe(50);
    for (const audit of instances) expect(await verify(audit)).toMatchObject({ ok: true, entries: 50 });
  });

  it('is forgotten by one of two that try at once', async () => {
    const [first, second] = [await join(), await join()];
    for (let at = 1; at <= 9; at += 1) await first.append(anEntry({ at }));

    const gone = await Promise.all([first.forget(5), second.forget(5)]);

    expect(gone.toSorted()).toEqual([0, 4]);
    expect(await verify(second)).toMatchObject({ ok: true, entries: 6 });
  });

  it('stays a chain where two forget at once, and not up to the same time', async () => {
    const [first, second] = [await join(), await join()];
    for (let at = 1; at <= 9; at += 1) await first.append(anEntry({ at }));

    await Promise.all([first.forget(7), second.forget(3)]);

    expect(await first.origin()).toMatchObject({ seq: 6 });
    expect(await verify(second)).toMatchObject({ ok: true, origin: { upTo: { seq: 6 } } });
  });

  it.each<[string, () => Promise<void>, object]>([
    ['a changed figure', () => tamper.change(3, '"limit":2', '"limit":3'), { seq: 3, problem: 'changed' }],
    ['another person', () => tamper.change(2, 'UKIM', 'UANA'), { seq: 2, problem: 'changed' }],
    ['a broken entry', () => tamper.change(4, '{', '['), { seq: 4, problem: 'unreadable' }],
    ['a removed entry', () => tamper.remove(3), { seq: 3, problem: 'missing' }],
    ['a removed beginning', () => tamper.remove(1), { seq: 1, problem: 'missing' }],
    ['a removed end', () => tamper.remove(5), { seq: 5, problem: 'tail_missing' }],
    ['entries that changed places', () => tamper.swap(2, 4), { seq: 2, problem: 'missing' }],
  ])('shows %s', async (_what, play, found) => {
    const audit = await join();
    for (let at = 1; at <= 5; at += 1) await audit.append(anEntry({ at }));

    await play();

    expect(await verify(audit)).toEqual({ ok: false, ...found });
  });

  it('shows an end that was cut off with the note of it, to whoever kept a head', async () => {
    const audit = await join();
    const third = [];
    for (let at = 1; at <= 5; at += 1) third.push(await audit.append(anEntry({ at })));
    const logged = await audit.head();
    const { seq, hash } = third[2] ?? logged;

    await tamper.truncate({ seq, hash });

    expect(await verify(audit)).toMatchObject({ ok: true, entries: 3 });
    expect(await verify(audit, logged)).toEqual({ ok: false, seq: 4, problem: 'tail_missing' });
    await audit.append(anEntry({ at: 6 }));
    await audit.append(anEntry({ at: 7 }));
    expect(await verify(audit, logged)).toEqual({ ok: false, seq: 5, problem: 'other_than_noted' });
  });
});

describe('the audit log in sqlite', () => {
  it('lets no entry be changed by mistake', async () => {
    const audit = await joinSqlite();
    await audit.append(anEntry());
    const database = new DatabaseSync(path);
    closings.push(() => database.close());

    expect(() => database.exec("UPDATE audit SET body = '{}'")).toThrow('only added to');
  });
});
