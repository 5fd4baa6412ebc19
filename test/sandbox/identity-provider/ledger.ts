/** One authorize request as it came in; secrets (state, nonce, challenge) are not kept. */
type AuthorizeRecord = ReturnType<typeof readAuthorize>;

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

export type IdentityLedger = Omit<ReturnType<typeof createIdentityLedger>, 'addAuthorize' | 'addToken' | 'addReuse'>;

export function createIdentityLedger() {
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
    authorizeRequests: authorizeRequests as readonly AuthorizeRecord[],
    tokenRequests: tokenRequests as readonly TokenRecord[],
    /** Successful token requests by grant type. */
    get grants(): Readonly<Record<string, number>> {
      return countGrants();
    },
    /** Successful refreshes. */
    get refreshes(): number {
      return countGrants().refresh_token ?? 0;
    },
    /** Refresh tokens that were used twice; each revoked its grant. */
    get reuseDetections(): number {
      return reuseDetections;
    },
    clear(): void {
      authorizeRequests.length = 0;
      tokenRequests.length = 0;
      reuseDetections = 0;
    },
    addAuthorize: (query: URLSearchParams) => void authorizeRequests.push(readAuthorize(query)),
    addToken(record: TokenRecord): TokenRecord {
      tokenRequests.push(record);
      return record;
    },
    addReuse(): void {
      reuseDetections += 1;
    },
  };
}

function readAuthorize(query: URLSearchParams) {
  const read = (name: string) => query.get(name) ?? undefined;
  return {
    at: Date.now(),
    clientId: read('client_id'),
    redirectUri: read('redirect_uri'),
    scope: read('scope'),
    prompt: read('prompt'),
    claims: read('claims'),
    hasState: query.has('state'),
    hasNonce: query.has('nonce'),
    codeChallengeMethod: read('code_challenge_method'),
  };
}
