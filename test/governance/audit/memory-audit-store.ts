import { CHAIN_BEGIN, linkEntry } from '../../../src/governance/audit/audit-chain.ts';
import type { LinkedEntry } from '../../../src/governance/audit/audit-entry.ts';
import type { AuditStore } from '../../../src/governance/audit/audit-store.ts';

/** The port as plain as can be, for tests of what stands on it; `entries` is what it holds. */
export function createMemoryAuditStore(): AuditStore & { entries: LinkedEntry[] } {
  const entries: LinkedEntry[] = [];
  const toHead = ({ seq, hash } = CHAIN_BEGIN) => ({ seq, hash });
  let origin = CHAIN_BEGIN;
  return {
    entries,
    async append(entry) {
      const linked = linkEntry(entry, entries.at(-1) ?? origin);
      entries.push(linked);
      return linked;
    },
    list: async ({ limit, before = Number.POSITIVE_INFINITY }) =>
      entries
        .filter(({ seq }) => seq < before)
        .toReversed()
        .slice(0, limit),
    head: async () => toHead(entries.at(-1) ?? origin),
    origin: async () => origin,
    async *all() {
      yield* entries;
    },
    async forget(before) {
      const kept = entries.findIndex(({ at }) => at >= before);
      const gone = entries.splice(0, kept === -1 ? entries.length : kept);
      origin = toHead(gone.at(-1) ?? origin);
      return gone.length;
    },
  };
}
