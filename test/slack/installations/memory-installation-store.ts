import type { InstallationStore, StoredInstallation } from '../../../src/slack/installation-store.ts';

export type MemoryInstallationStore = InstallationStore & {
  /** What is stored, as an outsider with access to the database sees it. */
  readonly stored: ReadonlyMap<string, StoredInstallation>;
};

export function createMemoryInstallationStore(): MemoryInstallationStore {
  const stored = new Map<string, StoredInstallation>();
  return {
    stored,
    get: async (workspace) => stored.get(workspace),
    async put(installation) {
      stored.set(installation.workspace, installation);
    },
    async remove(workspace, installedAt) {
      return stored.get(workspace)?.installedAt === installedAt && stored.delete(workspace);
    },
    list: async () => [...stored.keys()],
  };
}
