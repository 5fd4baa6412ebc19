import { ClientError, ResponseBodyError, WWWAuthenticateChallengeError } from 'openid-client';
import { PermanentError, TransientError, UserError } from '../errors.ts';
import { readConnectionFault } from '../http/connection-fault.ts';
import { OutcomeUnknownError, parseRetryAfter } from '../http/http-errors.ts';
import { parseObject } from '../json.ts';
import {
  type ConfigurationFault,
  toConfigurationFault,
  toShownValue,
  UNKNOWN_ERROR,
  type VariableNames,
} from './configuration-fault.ts';

/** No usable authorization: there was none (`never`) or it has ended (`ended`). The person must sign in. */
export class AccountNotLinkedError extends UserError {
  readonly reason: 'never' | 'ended';

  constructor(reason: AccountNotLinkedError['reason'], options?: ErrorOptions) {
    super('account_not_linked', `the person has to sign in: ${reason}`, options);
    this.reason = reason;
  }
}

/** No usable response from the identity provider. Says nothing about anybody's authorization. */
export class IdentityProviderUnavailableError extends TransientError {
  /** The value that an operator should check first. The cause may still be the network or the identity provider. */
  readonly fault: ConfigurationFault | undefined;

  constructor(detail: string, options?: ErrorOptions & { retryAfterMs?: number | undefined } & Faulty) {
    super('identity_provider_unavailable', `the identity provider cannot be used now: ${detail}`, options);
    this.fault = options?.fault;
  }
}

type Faulty = { fault?: ConfigurationFault | undefined };

/** The identity provider refuses this app, whoever signs in: the operator has to change the configuration. */
export class IdentityProviderMisconfiguredError extends PermanentError {
  readonly fault: ConfigurationFault | undefined;

  constructor(detail: string, options?: ErrorOptions & Faulty) {
    const check = options?.fault ? `; check ${options.fault.variable}` : '';
    super('identity_provider_misconfigured', `the identity provider refuses this app: ${detail}${check}`, options);
    this.fault = options?.fault;
  }
}

/** Slack refuses this app at Sign in with Slack, whoever signs in. */
export class SlackSignInMisconfiguredError extends PermanentError {
  readonly fault: ConfigurationFault;

  constructor(fault: ConfigurationFault, options?: ErrorOptions) {
    super('slack_sign_in_misconfigured', `Slack refuses this app; check ${fault.variable}`, options);
    this.fault = fault;
  }
}

/** The identity provider says that this authorization or code has ended: `invalid_grant` and similar. */
export class AuthorizationEndedError extends UserError {
  readonly oauthError: string;
  /** The identity provider's error numbers. */
  readonly codes: readonly number[];

  constructor(oauthError: string, options?: ErrorOptions & { codes?: readonly number[] }) {
    super('authorization_ended', `the identity provider asks for a new sign-in: ${oauthError}`, options);
    this.oauthError = oauthError;
    this.codes = options?.codes ?? [];
  }
}

/** Encrypted text that cannot be decrypted with any key. Never a reason to end a link: an operator has to check. */
export class TokenUnreadableError extends PermanentError {
  constructor(code: 'token_tampered' | 'token_malformed', detail: string) {
    super(code, detail);
  }
}

/** Encrypted with a key that we lack: another replica has a newer list already, or the operator removed the key. */
export class TokenKeyUnknownError extends TransientError {
  constructor(id: string) {
    super('token_key_unknown', `ENCRYPTION_KEYS has no key "${id}"`);
  }
}

/**
 * How a sign-in ended. `declined`: the person said no; `refused`: Slack or the identity provider did; `expired`: the
 * link or the page is over; `misconfigured`: a value of our configuration is wrong.
 */
export type SignInResult =
  | 'signed_in'
  | 'declined'
  | 'refused'
  | 'wrong_person'
  | 'wrong_browser'
  | 'expired'
  | 'misconfigured'
  | 'unavailable'
  | 'failed';

/** Why a sign-in stopped. Each reason has its own page, with this HTTP status. */
export const LINK_REFUSALS = {
  /** Unknown, used, or older than 10 minutes. */
  ticket_unknown: { status: 410, result: 'expired' },
  /** An unexpected callback: replayed, expired or forged. */
  step_unknown: { status: 410, result: 'expired' },
  /** No cookie, or the cookie of another browser. */
  other_browser: { status: 403, result: 'wrong_browser' },
  /** Signed in to Slack as somebody else. */
  wrong_person: { status: 403, result: 'wrong_person' },
  /** The person or the provider refused. */
  denied: { status: 403, result: 'declined' },
  /** An administrator has to allow the app first. */
  consent_needed: { status: 403, result: 'refused' },
  /** Slack did not confirm the person. */
  slack_failed: { status: 502, result: 'refused' },
  slack_unavailable: { status: 503, result: 'unavailable' },
  /** Signed in with an account of another tenant. */
  other_tenant: { status: 403, result: 'refused' },
  /** The identity provider did not confirm the sign-in. */
  provider_failed: { status: 502, result: 'refused' },
} as const satisfies Record<string, { status: number; result: SignInResult }>;

export type LinkRefusal = keyof typeof LINK_REFUSALS;

/** A sign-in stopped and nothing was linked. */
export class LinkRefusedError extends UserError {
  readonly reason: LinkRefusal;
  readonly fault: ConfigurationFault | undefined;

  constructor(reason: LinkRefusal, options?: ErrorOptions & Faulty) {
    super(`link_${reason}`, `the sign-in stopped: ${reason}`, options);
    this.reason = reason;
    this.fault = options?.fault;
  }
}

/** The person has to sign in again: RFC 6749 section 5.2, OpenID Connect Core section 3.1.2.6. */
const ENDED = new Set(['invalid_grant', 'interaction_required', 'consent_required', 'login_required']);

/** Error codes that allow a retry. */
export const TEMPORARY = new Set(['temporarily_unavailable', 'server_error', 'slow_down']);

/** openid-client's codes for an id token with the wrong issuer, audience or time. */
const WRONG_ID_TOKEN = new Set<string>([
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_INVALID_SERVER_METADATA',
]);

/**
 * Maps a failed token request to our errors, by its `error` code, never by text. openid-client's causes are dropped on
 * purpose: they contain whole responses with tokens.
 */
export function toProviderError(error: unknown, now: number, names: VariableNames): unknown {
  if (error instanceof ResponseBodyError) return fromErrorBody(error, now, names);
  if (error instanceof WWWAuthenticateChallengeError) {
    // RFC 6749 section 5.2: client authentication failed, without an error body.
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

/** Why a request got no response. */
export function toSilence(error: unknown): string {
  const fault = readConnectionFault(error);
  if (fault?.kind === 'certificate') return fault.code;
  if (fault?.kind === 'proxy') return `proxy_${fault.code}`;
  return error instanceof OutcomeUnknownError && error.reason === 'timeout' ? 'no_answer_in_time' : 'no_connection';
}

/** Nothing at that URL: it is wrong, or a gateway in front of it is not ready yet. */
function toStatusFault(status: number): ConfigurationFault | undefined {
  return status === 404 || status === 405 ? { variable: 'AUTH_TENANT_ID or AUTH_URL', status } : undefined;
}

/** openid-client puts the expected value of a claim, and all claims, into its cause. */
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
 * Whether the body of a 5xx is about this request or this app's registration: JSON with an `error` code that does not
 * mean a failure of the provider itself.
 */
export function isVerdict(body: string): boolean {
  const { error } = parseObject(body);
  return typeof error === 'string' && !TEMPORARY.has(error);
}

/** The `error` code, if it has only lower-case letters and underscores. Anything else is not logged. */
export function toSafeCode(code: string | null): string {
  return code !== null && /^[a-z_]{1,40}$/.test(code) ? code : UNKNOWN_ERROR;
}

function readRetryAfter(answer: Response | undefined, now: number): number | undefined {
  return parseRetryAfter(answer?.headers.get('retry-after') ?? undefined, now);
}
