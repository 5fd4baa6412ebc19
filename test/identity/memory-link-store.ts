import type { AccountLink, LinkKey, LinkStore } from '../../src/identity/account-link.ts';
import { toLinkText } from '../../src/identity/sealed-tokens.ts';

export type MemoryLinkStore = LinkStore & {
  /** Whatever the store holds. */
  readonly links: AccountLink[];
  /** Called before each save is looked at: a test puts another writer, or an error, in between. */
  beforeSave: () => Promise<void> | void;
};

/** The port in memory, as strict about versions as a database. */
export function createMemoryLinkStore(): MemoryLinkStore {
  const stored = new Map<string, AccountLink>();
  const store: MemoryLinkStore = {
    get links() {
      return [...stored.values()];
    },
    beforeSave: () => {},
    async get(key: LinkKey) {
      const link = stored.get(toLinkText(key));
      return link && { ...link };
    },
    async save(link, expected) {
      await store.beforeSave();
      const name = toLinkText(link);
      if ((stored.get(name)?.version ?? 0) !== expected) return false;
      stored.set(name, { ...link, version: expected + 1 });
      return true;
    },
    async delete(key) {
      stored.delete(toLinkText(key));
    },
  };
  return store;
}
