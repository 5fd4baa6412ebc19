import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { prepareSchema } from '../../src/backend/sqlite/schema.ts';
import type { AuditHead, AuditStore } from '../../src/governance/audit/audit-log.ts';

import { createAuditLog } from '../../src/governance/audit/chained-log.ts';
import { type ChainVerdict, verifyChain } from '../../src/governance/audit/verify-audit.ts';
import { createGroupCommit } from '../../src/storage/sqlite/group-commit.ts';
import { createSqliteKernel } from '../../src/storage/sqlite/sqlite-kernel.ts';
import { anEntry } from '../governance/audit/samples.ts';
import { tamperingWith } from './audit-tampering.ts';
import { besideRedis, besideSqlite } from './beside-store.ts';
import { useRedis } from './own-redis.ts';

const folder = mkdtempSync(join(tmpdir(), 'audit-instances-'));
const redis = useRedis();
let closings: (() => Promise<void> | void)[];
let count = 0;
let path: string;

afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(async () => {
  closings = [];
  path = join(folder, `${++count}.db`);
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
    await commit.write(() => undefined);
    database.close();
  });
  return createAuditLog(createSqliteKernel(database, commit, Date.now));
}

async function verify(audit: AuditStore, ...logged: AuditHead[]): Promise<ChainVerdict> {
  return verifyChain(audit.all(), { origin: await audit.origin(), noted: [await audit.head(), ...logged] });
}

describe.each([
  ['sqlite', joinSqlite, tamperingWith(besideSqlite(() => path))],
  ['redis', async () => (await redis.open()).audit, tamperingWith(besideRedis(() => redis))],
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

    await tamper.removeAfter({ seq, hash });

    expect(await verify(audit)).toMatchObject({ ok: true, entries: 3 });
    expect(await verify(audit, logged)).toEqual({ ok: false, seq: 4, problem: 'tail_missing' });
    await audit.append(anEntry({ at: 6 }));
    await audit.append(anEntry({ at: 7 }));
    expect(await verify(audit, logged)).toEqual({ ok: false, seq: 5, problem: 'other_than_noted' });
  });
});
