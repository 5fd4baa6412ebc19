import type { OverlayRecord } from '../../src/governance/register/overlay.ts';
import type { OverlayStore } from '../../src/governance/register/overlay-store.ts';

/** The port as plain as can be, for tests of what stands on it; `records` is what it holds. */
export function createMemoryOverlayStore(): OverlayStore & { records: OverlayRecord[] } {
  const records: OverlayRecord[] = [];
  return {
    records,
    async add(record) {
      if (records.some(({ id }) => id === record.id)) return 'duplicate';
      records.push(record);
      return 'new';
    },
    list: async () => [...records],
  };
}
