import { Provider } from 'oidc-provider';

type Payload = Record<string, unknown> & { accountId?: string; grantId?: string; consumed?: number };
type Stored = { readonly payload: Payload; readonly expiresAt: number };

/** What oidc-provider asks of the storage of one kind of record. */
type StorageAdapter = {
  upsert(id: string, payload: Payload, expiresInS?: number): Promise<void>;
  find(id: string): Promise<Payload | undefined>;
  findByUid(uid: string): Promise<Payload | undefined>;
  findByUserCode(): Promise<undefined>;
  consume(id: string): Promise<void>;
  destroy(id: string): Promise<void>;
  revokeByGrantId(grantId: string): Promise<void>;
};

export type TokenStorage = {
  adapter(kind: string): StorageAdapter;
  /** Removes the records of these kinds, of one person or of everybody. */
  remove(kinds: readonly string[], person?: string): void;
};

/** Keeps tokens in memory. Client records are not stored: `readClient` tells them, fresh for every request. */
export function createTokenStorage(
  readClient: (id: string, usesAssertion: boolean) => Payload | undefined,
): TokenStorage {
  const kinds = new Map<string, Map<string, Stored>>();
  const recordsOf = (kind: string) =>
    kinds.get(kind) ?? kinds.set(kind, new Map()).get(kind) ?? new Map<string, Stored>();
  return {
    adapter(kind) {
      const records = createRecords(recordsOf(kind));
      if (kind !== 'Client') return records;
      return { ...records, find: async (id) => readClient(id, isAssertionInUse()) };
    },
    remove(names, person) {
      for (const name of names) {
        for (const [id, { payload }] of recordsOf(name)) {
          if (person === undefined || payload.accountId === person) recordsOf(name).delete(id);
        }
      }
    },
  };
}

// A client has one way of authentication in oidc-provider; which one it is here depends on what the request brings.
function isAssertionInUse(): boolean {
  return Provider.ctx?.oidc.body?.client_assertion !== undefined;
}

function createRecords(records: Map<string, Stored>): StorageAdapter {
  const find = (id: string) => {
    const stored = records.get(id);
    return stored !== undefined && stored.expiresAt > Date.now() ? stored.payload : undefined;
  };
  return {
    async upsert(id, payload, expiresInS) {
      const lifetimeMs = expiresInS === undefined ? Number.POSITIVE_INFINITY : expiresInS * 1000;
      records.set(id, { payload, expiresAt: Date.now() + lifetimeMs });
    },
    find: async (id) => find(id),
    findByUid: async (uid) => [...records.values()].find(({ payload }) => payload.uid === uid)?.payload,
    findByUserCode: async () => undefined,
    async consume(id) {
      const payload = find(id);
      if (payload) payload.consumed = Math.floor(Date.now() / 1000);
    },
    async destroy(id) {
      records.delete(id);
    },
    async revokeByGrantId(grantId) {
      for (const [id, { payload }] of records) if (payload.grantId === grantId) records.delete(id);
    },
  };
}
