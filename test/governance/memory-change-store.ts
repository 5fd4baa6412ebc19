import type { AllocationChange, Change, ChangeStore, LimitChange } from '../../src/governance/change-store.ts';

/** The port as plain as can be, for tests of what stands on it; `changes` is what it holds. */
export function createMemoryChangeStore(): ChangeStore & { changes: Map<string, Change> } {
  const changes = new Map<string, Change>();
  const isOf = (change: Change, environmentId: string) =>
    change.outcome?.written !== 'no' && change.environmentId.toLowerCase() === environmentId.toLowerCase();
  const findLatest = <T extends Change>(found: T[]) => found.sort((one, other) => other.at - one.at)[0];
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
    get: async (id) => changes.get(id),
    async lastSet(environmentId, agentResourceId, exceptId) {
      const isWanted = (change: Change): change is LimitChange =>
        change.kind === 'agent_limit' &&
        change.id !== exceptId &&
        change.agentResourceId.toLowerCase() === agentResourceId.toLowerCase() &&
        isOf(change, environmentId);
      return findLatest([...changes.values()].filter(isWanted));
    },
    async lastAllocation(environmentId) {
      const isWanted = (change: Change): change is AllocationChange =>
        change.kind === 'allocation' && isOf(change, environmentId);
      return findLatest([...changes.values()].filter(isWanted));
    },
  };
}
