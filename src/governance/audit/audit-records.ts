import { setImmediate } from 'node:timers/promises';
import { amend, type Document, dropAll, type Kernel, read } from '../../storage/kernel.ts';
import { type Addition, type AuditEnds, type AuditTable, CHAIN_BEGIN, type LinkedEntry } from './audit-log.ts';

/** The entries, by their sequence numbers. */
const AUDIT = 'audit';

/** Where the log begins and ends. */
const ENDS = 'audit-ends';

const NO_ENTRIES: AuditEnds = { head: CHAIN_BEGIN, origin: CHAIN_BEGIN };

/** Entries read at once: to verify them takes up to 20 ms, and the event loop has to turn in between. */
const PAGE = 100;

/**
 * Each entry is a document that is made once and never put again, and one more says where the log begins and ends. It is
 * written together with each entry: of any number of replicas that add one at once, all end up in one chain.
 */
export function createAuditTable(kernel: Kernel): AuditTable {
  /** Additions of one process are serialised, so that only replicas conflict. */
  let last: Promise<unknown> = Promise.resolve();

  const readEnds = async () => (await read<AuditEnds>(kernel, ENDS))?.body ?? NO_ENTRIES;

  /** Where one of a page is no JSON any more, those before it can still be read. */
  async function readPage(after: number, limit = PAGE): Promise<Document[]> {
    try {
      return await kernel.range(AUDIT, { after, limit });
    } catch (error) {
      if (limit === 1 || !(error instanceof SyntaxError)) throw error;
      return readPage(after, 1);
    }
  }

  async function add(link: Parameters<AuditTable['add']>[0]): Promise<LinkedEntry | undefined> {
    let added: Addition | undefined;
    let { origin } = NO_ENTRIES;
    await amend<AuditEnds>(kernel, [ENDS], ([found]) => {
      const ends = found?.body ?? NO_ENTRIES;
      added = link(ends);
      if (added === undefined) return undefined;
      const { entry, seal, cut } = added;
      const { seq, hash } = entry;
      origin = cut ?? ends.origin;
      return [
        { put: `audit:${seq}`, body: entry, ifVersion: 0, entries: [{ index: AUDIT, at: seq }] },
        { put: ENDS, body: { head: { seq, hash, seal }, origin } },
      ];
    });
    // The entry is there, whatever becomes of this: what a failure leaves goes with the next one.
    if (added) await dropAll(kernel, AUDIT, origin.seq).catch(() => undefined);
    return added?.entry;
  }

  return {
    add(link) {
      const added = last.then(() => add(link));
      last = added.catch(() => undefined);
      return added;
    },
    async list({ limit, before = Infinity }) {
      const { origin } = await readEnds();
      const found = await kernel.range(AUDIT, { from: origin.seq + 1, to: before - 1, limit, isReversed: true });
      return found.map(({ body }) => body as LinkedEntry);
    },
    head: async () => (await readEnds()).head,
    origin: async () => (await readEnds()).origin,
    async *all() {
      for (let { seq } = (await readEnds()).origin; ; ) {
        const page = await readPage(seq);
        const last = page.at(-1);
        if (last === undefined) return;
        for (const { body } of page) yield body as LinkedEntry;
        await setImmediate();
        seq = toSeq(last);
      }
    },
  };
}

/** By the key: an entry's own sequence number may have been tampered with. */
function toSeq({ key }: Document): number {
  return Number(key.split(':')[1]);
}
