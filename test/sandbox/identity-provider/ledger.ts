/** One authorize request as it came in; secrets (state, nonce, challenge) are not kept. */
type AuthorizeRecord = {
  readonly at: number;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly scope: string;
  readonly prompt: string | undefined;
  readonly claims: string | undefined;
  readonly hasState: boolean;
  readonly hasNonce: boolean;
  readonly codeChallengeMethod: string | undefined;
};

/** One token request; codes, tokens and secrets are not kept. */
export type TokenRecord = {
  readonly at: number;
  readonly grantType: string;
  readonly clientAuthentication: 'secret' | 'assertion' | 'none';
  readonly scope: string | undefined;
  /** Known once the grant was found. */
  person?: string;
  /** What the provider decided, before any fault touched it; undefined while open. */
  status?: number;
  error?: string;
  /** What was sent; undefined while open, and where the connection was cut. */
  sentStatus?: number;
  /** Epoch ms of the end, however it came. */
  closedAt?: number;
};

export type IdentityLedger = {
  readonly authorizeRequests: readonly AuthorizeRecord[];
  readonly tokenRequests: readonly TokenRecord[];
  /** Successful token requests by grant type. */
  readonly grants: Readonly<Record<string, number>>;
  /** Successful refreshes. */
  readonly refreshes: number;
  /** Refresh tokens that were used twice; each revoked its grant. */
  readonly reuseDetections: number;
  clear(): void;
};

export type RecordingIdentityLedger = IdentityLedger & {
  addAuthorize(record: AuthorizeRecord): void;
  addToken(record: TokenRecord): TokenRecord;
  addReuse(): void;
};

export function createIdentityLedger(): RecordingIdentityLedger {
  const authorizeRequests: AuthorizeRecord[] = [];
  const tokenRequests: TokenRecord[] = [];
  let reuseDetections = 0;
  const countGrants = () => {
    const counts: Record<string, number> = {};
    for (const { grantType, status } of tokenRequests) {
      if (status === 200) counts[grantType] = (counts[grantType] ?? 0) + 1;
    }
    return counts;
  };
  return {
    authorizeRequests,
    tokenRequests,
    get grants() {
      return countGrants();
    },
    get refreshes() {
      return countGrants().refresh_token ?? 0;
    },
    get reuseDetections() {
      return reuseDetections;
    },
    clear() {
      authorizeRequests.length = 0;
      tokenRequests.length = 0;
      reuseDetections = 0;
    },
    addAuthorize: (record) => {
      authorizeRequests.push(record);
    },
    addToken(record) {
      tokenRequests.push(record);
      return record;
    },
    addReuse: () => {
      reuseDetections += 1;
    },
  };
}
