import { Provider } from 'oidc-provider';

type Payload = Record<string, unknown> & { accountId?: string; grantId?: string; consumed?: number };
type Stored = { readonly payload: Payload; readonly expiresAt: number };

export type TokenStorage = ReturnType<typeof createTokenStorage>;

/** Keeps tokens in memory. Client records are not stored: `readClient` tells them, fresh for every request. */
export function createTokenStorage(readClient: (id: string, usesAssertion: boolean) => Payload | undefined) {
  const kinds = new Map<string, Map<string, Stored>>();
  const recordsOf = (kind: string) =>
    kinds.get(kind) ?? kinds.set(kind, new Map()).get(kind) ?? new Map<string, Stored>();
  return {
    adapter(kind: string) {
      const records = createRecords(recordsOf(kind));
      if (kind !== 'Client') return records;
      return { ...records, find: async (id: string) => readClient(id, isAssertionInUse()) };
    },
    /** Removes the records of these kinds, of one person or of everybody. */
    remove(names: readonly string[], person?: string): void {
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

/** What oidc-provider asks of the storage of one kind of record. */
function createRecords(records: Map<string, Stored>) {
  const find = (id: string) => {
    const stored = records.get(id);
    return stored !== undefined && stored.expiresAt > Date.now() ? stored.payload : undefined;
  };
  return {
    async upsert(id: string, payload: Payload, expiresInS?: number) {
      const lifetimeMs = expiresInS === undefined ? Number.POSITIVE_INFINITY : expiresInS * 1000;
      records.set(id, { payload, expiresAt: Date.now() + lifetimeMs });
    },
    find: async (id: string) => find(id),
    findByUid: async (uid: string) => [...records.values()].find(({ payload }) => payload.uid === uid)?.payload,
    findByUserCode: async () => undefined,
    async consume(id: string) {
      const payload = find(id);
      if (payload) payload.consumed = Math.floor(Date.now() / 1000);
    },
    async destroy(id: string) {
      records.delete(id);
    },
    async revokeByGrantId(grantId: string) {
      for (const [id, { payload }] of records) if (payload.grantId === grantId) records.delete(id);
    },
  };
}
