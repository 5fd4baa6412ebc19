// What somebody could do to the audit log who has the store: through documents, as it is kept in both.
import { type AuditEnds, type AuditHead, type LinkedEntry, linkEntry } from '../../src/governance/audit/audit-log.ts';
import { dropAll, type Kernel, read } from '../../src/storage/kernel.ts';
import { anEntry } from '../governance/audit/samples.ts';
import type { Beside } from './beside-store.ts';

export function tamperingWith(beside: Beside) {
  const putEntry = (seq: number, entry: unknown) => ({
    put: `audit:${seq}`,
    body: entry,
    entries: [{ index: 'audit', at: seq }],
  });

  async function setEnds(kernel: Kernel, change: Partial<AuditEnds>): Promise<void> {
    const ends = await read<AuditEnds>(kernel, 'audit-ends');
    await kernel.commit([{ put: 'audit-ends', body: { ...ends?.body, ...change } }]);
  }

  const entryAt = async (kernel: Kernel, seq: number) => (await read<LinkedEntry>(kernel, `audit:${seq}`))?.body;

  return {
    change: (seq: number, from: string, to: string) => beside.corrupt(`audit:${seq}`, from, to),
    remove: (seq: number) => beside.remove(`audit:${seq}`),
    swap: (one: number, other: number) =>
      beside.with(async (kernel) => {
        const [first, second] = [await entryAt(kernel, one), await entryAt(kernel, other)];
        await kernel.commit([putEntry(one, second), putEntry(other, first)]);
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
    /** As somebody who knows neither seals nor origins would add one. */
    addUnsealed: (head: AuditHead, at: number) =>
      beside.with(async (kernel) => {
        const linked = linkEntry(anEntry({ at }), head);
        await kernel.commit([putEntry(linked.seq, linked)]);
        await setEnds(kernel, { head: { seq: linked.seq, hash: linked.hash } });
      }),
  };
}

export type Tampering = ReturnType<typeof tamperingWith>;
