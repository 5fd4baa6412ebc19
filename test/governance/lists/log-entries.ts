// Entries of the log with values that no test looks at.
import type { AuditEntry, LinkedEntry } from '../../../src/audit/audit-log.ts';

function anEntry(values: Partial<LinkedEntry> = {}): LinkedEntry {
  const entry: AuditEntry = {
    ...{ schema: 1, at: Date.parse('2026-03-04T13:05:00Z'), what: 'item_ended', team: 'T1', workspace: 'T1' },
    ...{ who: { user: 'U0KIM' }, subject: {}, outcome: { kind: 'verified' }, requestIds: [] },
  };
  return { ...entry, seq: 1, previousHash: '', hash: '', ...values };
}

/** As a store keeps them: the first has the number 1. */
export function aLog(entries: readonly Partial<LinkedEntry>[]) {
  const linked = entries.map((entry, index) => anEntry({ seq: index + 1, ...entry }));
  let reads = 0;
  return {
    list: async ({ limit, before = Number.POSITIVE_INFINITY }: { limit: number; before?: number | undefined }) => {
      reads += 1;
      return linked
        .filter(({ seq }) => seq < before)
        .slice(-limit)
        .reverse();
    },
    head: async () => ({ seq: linked.length, hash: '' }),
    origin: async () => ({ seq: 0, hash: '' }),
    reads: () => reads,
  };
}
