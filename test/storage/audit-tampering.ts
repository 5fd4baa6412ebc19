// What somebody could do to the audit log who has the store: through documents, as it is kept in both.
import type { AuditEnds, AuditHead } from '../../src/audit/audit-log.ts';
import { dropAll, type Kernel, read } from '../../src/storage/kernel.ts';

export function tamperingWith(kernel: Kernel) {
  async function setEnds(change: Partial<AuditEnds>): Promise<void> {
    const ends = await read<AuditEnds>(kernel, 'audit-ends');
    await kernel.commit([{ put: 'audit-ends', body: { ...ends?.body, ...change } }]);
  }

  return {
    /** In the text of one entry. */
    async change(seq: number, from: string, to: string) {
      const key = `audit:${seq}`;
      const text = JSON.stringify((await read(kernel, key))?.body);
      await kernel.commit([{ put: key, body: JSON.parse(text.replaceAll(from, to)) }]);
    },
    /** Cuts the end off, and makes the store's own note say so. */
    async removeAfter({ seq, hash, seal }: AuditHead & { seal?: string | undefined }) {
      const entries = await kernel.range('audit', { from: seq + 1 });
      await kernel.commit(entries.map(({ key }) => ({ drop: key })));
      await setEnds({ head: { seq, hash, seal } });
    },
    /** Cuts the beginning off, and makes the store's own note say so. */
    async removeUpTo({ seq, hash }: AuditHead) {
      await dropAll(kernel, 'audit', seq);
      await setEnds({ origin: { seq, hash } });
    },
  };
}

export type Tampering = ReturnType<typeof tamperingWith>;
