import { beforeEach, describe, expect, it } from 'vitest';
import { type AuditStore, CHAIN_BEGIN } from '../../src/audit/audit-log.ts';
import { verifyAudit } from '../../src/audit/verify-audit.ts';
import { forgetOld } from '../../src/backend/store.ts';
import { anEntry, readAll } from '../audit/samples.ts';
import { createMemoryStore } from './memory-store.ts';

let audit: AuditStore;

beforeEach(() => {
  ({ audit } = createMemoryStore());
});

/** One after the other in the log, though they are added at once. */
const addMany = (count: number, toTime: (index: number) => number) =>
  Promise.all(Array.from({ length: count }, (_, index) => audit.append(anEntry({ at: toTime(index) }))));

describe('the audit log', () => {
  it('is empty at first, and whole', async () => {
    expect(await audit.head()).toEqual(CHAIN_BEGIN);
    expect(await audit.list({ limit: 10 })).toEqual([]);
    expect(await verifyAudit(audit)).toEqual({ ok: true, head: CHAIN_BEGIN, entries: 0 });
  });

  it('keeps entries as they were, linked from the first on', async () => {
    const who = {
      user: 'UKIM',
      account: 'https://idp|oid|kim',
      approver: 'UBEN',
      approverAccount: 'https://idp|oid|ben',
    };
    const first = await audit.append(anEntry({ at: 1, reason: 'Äpfel, "quoted"\n\u2028' }));
    const second = await audit.append(anEntry({ at: 2, before: undefined, who }));

    expect(first).toMatchObject({ seq: 1, previousHash: CHAIN_BEGIN.hash, reason: 'Äpfel, "quoted"\n\u2028' });
    expect(second).toMatchObject({ seq: 2, previousHash: first.hash, who });
    expect(await audit.list({ limit: 10 })).toEqual([second, first]);
    expect(await readAll(audit.all())).toEqual([first, second]);
    expect(await audit.head()).toEqual({ seq: 2, hash: second.hash });
    expect(await verifyAudit(audit)).toMatchObject({ ok: true, entries: 2 });
  });

  it('is listed from the latest on, as many as are wanted, and further from there', async () => {
    await addMany(7, (index) => index + 1);

    const first = await audit.list({ limit: 3 });
    const second = await audit.list({ limit: 3, before: first.at(-1)?.seq });
    const third = await audit.list({ limit: 3, before: second.at(-1)?.seq });

    expect([first, second, third].map((page) => page.map(({ at }) => at))).toEqual([[7, 6, 5], [4, 3, 2], [1]]);
  });

  it('is read whole where it is longer than one page, and lets others work meanwhile', async () => {
    await addMany(450, (index) => index);
    const seqs: number[] = [];
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 1);

    for await (const { seq } of audit.all()) {
      seqs.push(seq);
      // About as long as to verify one.
      const begin = performance.now();
      while (performance.now() - begin < 0.1);
    }

    clearInterval(timer);
    expect(seqs).toEqual(Array.from({ length: 450 }, (_, index) => index + 1));
    expect(turns).toBeGreaterThan(1);
  });

  it('forgets from its beginning what is past its time, and stays a chain', async () => {
    for (const at of [10, 20, 5, 30, 40]) await audit.append(anEntry({ at }));

    expect(await audit.forget(25)).toBe(3);
    expect(await audit.forget(25)).toBe(0);

    const next = await audit.append(anEntry({ at: 50 }));
    const kept = await readAll(audit.all());
    const [, , said] = kept;
    expect(kept.map(({ at, seq }) => (seq === said?.seq ? 'said' : at))).toEqual([30, 40, 'said', 50]);
    expect(said).toMatchObject({
      ...{ what: 'entries_forgotten', who: {}, origin: 3 },
      after: { upTo: { seq: 3 }, madeBefore: '1970-01-01T00:00:00.025Z' },
    });
    expect(await audit.origin()).toMatchObject({ seq: 3 });
    expect(await audit.head()).toEqual({ seq: 7, hash: next.hash });
    expect(await verifyAudit(audit)).toMatchObject({ ok: true, entries: 4 });
  });

  it('goes on where it was when all of it is forgotten, by the hundred', async () => {
    await addMany(450, () => 1);

    expect(await audit.forget(2)).toBe(450);

    expect(await audit.append(anEntry({ at: 2 }))).toMatchObject({ seq: 452 });
    expect(await verifyAudit(audit)).toMatchObject({ ok: true, entries: 2 });
  });

  it('is forgotten by whole days, and says so once a day', async () => {
    const DAY_MS = 24 * 3_600_000;
    let now = 1;
    const store = createMemoryStore(() => now, { now: () => now });
    for (const at of [DAY_MS, DAY_MS + 5, 2 * DAY_MS, 9 * DAY_MS]) await store.audit.append(anEntry({ at }));
    now = (3 * 365 + 3) * DAY_MS + 60_000;
    for (let hour = 0; hour < 2; hour += 1) {
      await forgetOld(store, now, { days: 180, linkDays: 0, onForgotten: async () => undefined });
      now += 3_600_000;
    }

    const said = (await readAll(store.audit.all())).filter(({ what }) => what === 'entries_forgotten');

    const upTo = await store.audit.origin();
    expect(said.map(({ after }) => after)).toEqual([{ upTo, madeBefore: '1970-01-04T00:00:00.000Z' }]);
    expect(await verifyAudit(store.audit)).toMatchObject({ ok: true, origin: { upTo } });
  });
});
