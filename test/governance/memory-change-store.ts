import type { ChangeStore, LimitChange } from '../../src/governance/change-store.ts';

/** The port as plain as can be, for tests of what stands on it; `changes` is what it holds. */
export function createMemoryChangeStore(): ChangeStore & { changes: Map<string, LimitChange> } {
  const changes = new Map<string, LimitChange>();
  return {
    changes,
    async begin(change) {
      if (changes.has(change.id)) return 'duplicate';
      changes.set(change.id, change);
      return 'new';
    },
    async finish(id, outcome) {
      const change = changes.get(id);
      if (change) changes.set(id, { ...change, outcome });
    },
    async lastSet(environmentId, agentResourceId, exceptId) {
      const isWanted = (change: LimitChange) =>
        change.id !== exceptId &&
        change.outcome?.written !== 'no' &&
        change.environmentId.toLowerCase() === environmentId.toLowerCase() &&
        change.agentResourceId.toLowerCase() === agentResourceId.toLowerCase();
      return [...changes.values()].filter(isWanted).sort((one, other) => other.at - one.at)[0];
    },
  };
}
