import { ClientError, ResponseBodyError, WWWAuthenticateChallengeError } from 'openid-client';
import { OutcomeUnknownError } from '../http/http-errors.ts';
import { parseRetryAfter } from '../http/retry-after.ts';
import {
  type ConfigurationFault,
  toConfigurationFault,
  toShownValue,
  UNKNOWN_ERROR,
  type VariableNames,
} from './configuration-fault.ts';
import {
  AuthorizationEndedError,
  IdentityProviderMisconfiguredError,
  IdentityProviderUnavailableError,
} from './identity-errors.ts';

/** The person has to sign in again: RFC 6749 section 5.2, OpenID Connect Core section 3.1.2.6. */
const ENDED = new Set(['invalid_grant', 'interaction_required', 'consent_required', 'login_required']);

const TEMPORARY = new Set(['temporarily_unavailable', 'server_error', 'slow_down']);

/** openid-client's words for an id token that is not from this provider, not for this app, or not of this time. */
const WRONG_ID_TOKEN = new Set<string>([
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_INVALID_SERVER_METADATA',
]);

/**
 * What a failed token request means. Only the `error` code decides, never a text. Causes of openid-client are left
 * behind on purpose: they hold whole answers of the provider, tokens included.
 */
export function toProviderError(error: unknown, now: number, names: VariableNames): unknown {
  if (error instanceof ResponseBodyError) return fromErrorBody(error, now, names);
  if (error instanceof WWWAuthenticateChallengeError) {
    // RFC 6749 section 5.2: the client could not be authenticated. No more is said: see token-answer.ts.
    const fault = error.status === 401 ? { variable: names.client, status: 401 } : undefined;
    return new IdentityProviderMisconfiguredError(`it challenges with HTTP ${error.status}`, { fault });
  }
  if (!(error instanceof ClientError)) return error;
  const code = error.code ?? toSilence(error.cause);
  if (WRONG_ID_TOKEN.has(code)) {
    return new IdentityProviderMisconfiguredError(`its id token is not acceptable (${code})`, {
      fault: toClaimFault(error),
    });
  }
  const answer = error.cause instanceof Response ? error.cause : undefined;
  const detail = answer ? `HTTP ${answer.status}` : code;
  return new IdentityProviderUnavailableError(detail, {
    retryAfterMs: readRetryAfter(answer, now),
    fault: answer && toStatusFault(answer.status),
  });
}

/** Why a request got no answer. */
export function toSilence(error: unknown): string {
  return error instanceof OutcomeUnknownError && error.reason === 'timeout' ? 'no_answer_in_time' : 'no_connection';
}

/** Nothing is there: the address is wrong, or a gateway in front of it is not ready yet. */
function toStatusFault(status: number): ConfigurationFault | undefined {
  return status === 404 || status === 405 ? { variable: 'AUTH_TENANT_ID or AUTH_URL', status } : undefined;
}

/** The causes are openid-client's own: what was expected of a claim, and all claims. */
function toClaimFault({ cause }: ClientError): ConfigurationFault | undefined {
  const comparison = cause instanceof Error ? cause.cause : undefined;
  if (typeof comparison !== 'object' || comparison === null || !('claim' in comparison)) return undefined;
  const { claim, expected, claims } = comparison as Comparison;
  const variable = CLAIM_VARIABLES[claim];
  if (variable === undefined) return undefined;
  return { variable, expected: toShownValue(expected), found: toShownValue(claims?.[claim]) };
}

const CLAIM_VARIABLES: Record<string, string> = { iss: 'AUTH_ISSUER', aud: 'AUTH_CLIENT_ID' };

type Comparison = { claim: string; expected?: unknown; claims?: Record<string, unknown> };

function fromErrorBody(error: ResponseBodyError, now: number, names: VariableNames): Error {
  const code = toSafeCode(error.error);
  if (ENDED.has(code)) return new AuthorizationEndedError(code, { codes: readCodes(error.cause) });
  if (TEMPORARY.has(code) || error.status === 429) {
    return new IdentityProviderUnavailableError(code, { retryAfterMs: readRetryAfter(error.response, now) });
  }
  const refusal = { error: code, codes: readCodes(error.cause) };
  const fault = toConfigurationFault(refusal, names) ?? toStatusFault(error.status);
  return new IdentityProviderMisconfiguredError(code, { fault });
}

function readCodes({ error_codes: codes }: ResponseBodyError['cause']): number[] {
  return Array.isArray(codes) ? codes.filter((code) => typeof code === 'number') : [];
}

/**
 * Whether the body of a 5xx says what is wrong with this request, or with this app's registration: an `error` code that
 * does not mean that the provider fails. Only JSON counts; a page of a gateway holds no code.
 */
export function isVerdict(body: string): boolean {
  try {
    const { error } = JSON.parse(body) as { error?: unknown };
    return typeof error === 'string' && !TEMPORARY.has(error);
  } catch {
    return false;
  }
}

/** An `error` code is lower case letters and underscores; whatever else is sent does not get into a log. */
export function toSafeCode(code: string | null): string {
  return code !== null && /^[a-z_]{1,40}$/.test(code) ? code : UNKNOWN_ERROR;
}

function readRetryAfter(answer: Response | undefined, now: number): number | undefined {
  return parseRetryAfter(answer?.headers.get('retry-after') ?? undefined, now);
}
