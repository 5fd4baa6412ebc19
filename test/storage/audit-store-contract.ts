import { describe, expect, it } from 'vitest';
import type { Store } from '../../src/backend/store.ts';
import { type AuditStore, CHAIN_BEGIN } from '../../src/governance/audit/audit-log.ts';
import { verifyChain } from '../../src/governance/audit/verify-audit.ts';
import { anEntry, readAll } from '../governance/audit/samples.ts';

export function describeAuditStore(current: () => Store): void {
  describe('the audit log', () => {
    it('keeps entries as they were, linked from the first on', async () => {
      const { audit } = current();

      const first = await audit.append(anEntry({ at: 1, reason: 'Äpfel, "quoted"\n\u2028' }));
      const second = await audit.append(anEntry({ at: 2, before: undefined }));

      expect(first).toMatchObject({ seq: 1, previousHash: CHAIN_BEGIN.hash, reason: 'Äpfel, "quoted"\n\u2028' });
      expect(second).toMatchObject({ seq: 2, previousHash: first.hash });
      expect(await audit.list({ limit: 10 })).toEqual([second, first]);
      expect(await readAll(audit.all())).toEqual([first, second]);
      expect(await audit.head()).toEqual({ seq: 2, hash: second.hash });
    });

    it('keeps the accounts of who asked and who approved, beside entries without', async () => {
      const { audit } = current();
      const who = {
        user: 'UKIM',
        account: 'https://idp|oid|kim',
        approver: 'UBEN',
        approverAccount: 'https://idp|oid|ben',
      };

      await audit.append(anEntry({ who: { user: 'UKIM', approver: 'UBEN' } }));
      await audit.append(anEntry({ who }));

      expect((await readAll(audit.all())).map((entry) => entry.who)).toEqual([{ user: 'UKIM', approver: 'UBEN' }, who]);
      expect(await verify(audit)).toMatchObject({ ok: true, entries: 2 });
    });

    it('is empty at first, and whole', async () => {
      const { audit } = current();

      expect(await audit.head()).toEqual(CHAIN_BEGIN);
      expect(await audit.origin()).toEqual(CHAIN_BEGIN);
      expect(await audit.list({ limit: 10 })).toEqual([]);
      expect(await verify(audit)).toEqual({ ok: true, head: CHAIN_BEGIN, entries: 0 });
    });

    it('is listed from the latest on, as many as are wanted, and further from there', async () => {
      const { audit } = current();
      for (let at = 1; at <= 7; at += 1) await audit.append(anEntry({ at }));

      const first = await audit.list({ limit: 3 });
      const second = await audit.list({ limit: 3, before: first.at(-1)?.seq });
      const third = await audit.list({ limit: 3, before: second.at(-1)?.seq });

      expect([first, second, third].map((page) => page.map(({ at }) => at))).toEqual([[7, 6, 5], [4, 3, 2], [1]]);
    });

    it('is read whole where it is longer than one page', async () => {
      const { audit } = current();
      await Promise.all(Array.from({ length: 1_100 }, (_, at) => audit.append(anEntry({ at }))));

      const seqs = (await readAll(audit.all())).map(({ seq }) => seq);

      expect(seqs).toEqual(Array.from({ length: 1_100 }, (_, index) => index + 1));
    });

    it('lets others work while it is read', async () => {
      const { audit } = current();
      await Promise.all(Array.from({ length: 1_000 }, (_, at) => audit.append(anEntry({ at }))));
      let turns = 0;
      const timer = setInterval(() => {
        turns += 1;
      }, 1);

      for await (const _ of audit.all()) {
        // About as long as to verify one.
        const begin = performance.now();
        while (performance.now() - begin < 0.1);
      }

      clearInterval(timer);
      expect(turns).toBeGreaterThan(5);
    });

    it('forgets from its beginning what is past its time, and stays a chain', async () => {
      const { audit } = current();
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
      expect(await verify(audit)).toMatchObject({ ok: true, entries: 4 });
    });

    it('goes on where it was when all of it is forgotten, by the hundred', async () => {
      const { audit } = current();
      await Promise.all(Array.from({ length: 1_050 }, () => audit.append(anEntry({ at: 1 }))));

      expect(await audit.forget(2)).toBe(1_050);

      expect(await audit.append(anEntry({ at: 2 }))).toMatchObject({ seq: 1_052 });
      expect(await verify(audit)).toMatchObject({ ok: true, entries: 2 });
    });
  });
}

async function verify(audit: AuditStore) {
  return verifyChain(audit.all(), { origin: await audit.origin(), noted: [await audit.head()] });
}
