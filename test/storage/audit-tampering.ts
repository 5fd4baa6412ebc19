// What somebody could do to the audit log who has the store: through documents, as it is kept in both.
import type { AuditEnds, AuditHead } from '../../src/audit/audit-log.ts';
import { dropAll, type Kernel, read } from '../../src/storage/kernel.ts';
import type { Beside } from './beside-store.ts';

export function tamperingWith(beside: Beside) {
  async function setEnds(kernel: Kernel, change: Partial<AuditEnds>): Promise<void> {
    const ends = await read<AuditEnds>(kernel, 'audit-ends');
    await kernel.commit([{ put: 'audit-ends', body: { ...ends?.body, ...change } }]);
  }

  return {
    /** In the text of one entry. */
    change: (seq: number, from: string, to: string) =>
      beside.with(async (kernel) => {
        const key = `audit:${seq}`;
        const text = JSON.stringify((await read(kernel, key))?.body);
        await kernel.commit([{ put: key, body: JSON.parse(text.replaceAll(from, to)) }]);
      }),
    /** Cuts the end off, and makes the store's own note say so. */
    removeAfter: (head: AuditHead & { seal?: string | undefined }) =>
      beside.with(async (kernel) => {
        const entries = await kernel.range('audit', { from: head.seq + 1 });
        await kernel.commit(entries.map(({ key }) => ({ drop: key })));
        const { seq, hash, seal } = head;
        await setEnds(kernel, { head: { seq, hash, seal } });
      }),
    /** Cuts the beginning off, and makes the store's own note say so. */
    removeUpTo: ({ seq, hash }: AuditHead) =>
      beside.with(async (kernel) => {
        await dropAll(kernel, 'audit', seq);
        await setEnds(kernel, { origin: { seq, hash } });
      }),
  };
}

export type Tampering = ReturnType<typeof tamperingWith>;
