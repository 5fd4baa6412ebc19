import type { FaultQueue } from '../loopback/fault-queue.ts';
import type { Reply } from '../loopback/reply.ts';

/** Answered by the token endpoint before it looks at the grant. */
export type TokenRefusal = 'invalid-grant' | 'invalid-client' | 'temporarily-unavailable' | 'html-502';

/** Played on a grant that the token endpoint did process: a refresh token is spent. */
type TokenOddity = 'delay' | 'reset-after-processing';

type AuthorizeFault = 'access-denied';
export type IdentityFault = TokenRefusal | TokenOddity | AuthorizeFault;

export type IdentityFaultOptions = {
  /** Which grant a token fault fits; default both. */
  readonly on?: 'code' | 'refresh';
  readonly times?: number;
  /** Length of `delay`; default 200. */
  readonly ms?: number;
};

export type IdentityFaults = FaultQueue<IdentityFault, IdentityFaultOptions>;

/** An error text that does harm where it gets into a page unescaped. */
export const HOSTILE_DESCRIPTION = `<img src=x onerror="document.title='owned'"><script>document.title='owned'</script>Denied & "quoted"`;

export const TOKEN_REFUSALS: Readonly<Record<TokenRefusal, () => Reply>> = {
  'invalid-grant': () => playTokenError(400, 'invalid_grant', { suberror: 'bad_token' }),
  'invalid-client': () => playTokenError(401, 'invalid_client'),
  'temporarily-unavailable': () => playTokenError(400, 'temporarily_unavailable'),
  'html-502': () => ({ status: 502, body: '<html><body><h1>502 Bad Gateway</h1></body></html>' }),
};

export function isTokenRefusal(fault: IdentityFault): fault is TokenRefusal {
  return fault in TOKEN_REFUSALS;
}

function playTokenError(status: number, error: string, more?: Readonly<Record<string, string>>): Reply {
  return buildTokenError(status, error, 50_000, `SANDBOX: the fault ${error} was asked for.`, more);
}

/** `code`: a number that stands beside `error`, for whoever set the client up. */
export function buildTokenError(status: number, error: string, code: number, text: string, more: object = {}): Reply {
  const timestamp = `${new Date().toISOString().slice(0, 19).replace('T', ' ')}Z`;
  const error_description = `${text} Timestamp: ${timestamp}`;
  return { status, body: { error, error_description, error_codes: [code], timestamp, ...more } };
}
