import type { Purpose } from './account-link.ts';

/** A configured value that the identity provider or Slack refuses. Logged for operators; contains no secret. */
export type ConfigurationFault = {
  /** The name of the variable, or several names joined by `or` if the response fits them all. */
  variable: string;
  /** The `error` code of the identity provider. */
  providerError?: string;
  /** The identity provider's error number, if any. */
  providerCode?: number;
  slackError?: string;
  status?: number;
  expected?: string;
  found?: string;
};

/** The variables to blame. `client`: for `invalid_client`; `scope`: for the requested interface. */
export type VariableNames = { client: string; credential: string; scope: string };

type Refusal = { error: string; codes: readonly number[] };

/**
 * Error numbers that identity providers of this kind send with `error`. They are documented as subject to change, so they
 * are only used for hints to operators: https://learn.microsoft.com/entra/identity-platform/reference-error-codes
 */
const BY_CODE: Record<number, keyof VariableNames | readonly [string]> = {
  50011: ['PUBLIC_URL'],
  70011: 'scope',
  90002: ['AUTH_TENANT_ID'],
  500011: 'scope',
  700016: ['AUTH_CLIENT_ID or AUTH_TENANT_ID'],
  700027: 'credential',
  900023: ['AUTH_TENANT_ID'],
  7000215: 'credential',
  7000218: 'credential',
  7000222: 'credential',
};

/** RFC 6749 sections 4.1.2.1 and 5.2, RFC 8707 section 2. */
const BY_ERROR: Record<string, keyof VariableNames | readonly [string]> = {
  invalid_client: 'client',
  invalid_redirect_uri: ['PUBLIC_URL'],
  invalid_resource: 'scope',
  invalid_scope: 'scope',
  invalid_target: 'scope',
  invalid_tenant: ['AUTH_TENANT_ID'],
  unauthorized_client: ['AUTH_CLIENT_ID'],
};

/** The value that the identity provider refuses. Undefined: the error fits none of our variables. */
export function toConfigurationFault({ error, codes }: Refusal, names: VariableNames): ConfigurationFault | undefined {
  const providerCode = codes.find((code) => code in BY_CODE);
  const subject = providerCode === undefined ? BY_ERROR[error] : BY_CODE[providerCode];
  if (subject === undefined) return undefined;
  const variable = typeof subject === 'string' ? names[subject] : subject[0];
  return {
    variable,
    ...(error !== UNKNOWN_ERROR && { providerError: error }),
    ...(providerCode !== undefined && { providerCode }),
  };
}

/** Replaces a code that is missing or not safe to log. */
export const UNKNOWN_ERROR = 'unknown_error';

export function scopeVariable(purpose: Purpose): string {
  return purpose === 'admin' ? 'ADMIN_SCOPE' : 'ASSISTANT_SCOPE';
}

const SHOWN_LIMIT = 200;

/** An untrusted value, made safe for a log. */
export function toShownValue(value: unknown): string {
  return typeof value === 'string' ? value.replace(/\p{C}/gu, '').slice(0, SHOWN_LIMIT) : 'no text';
}

/** What an error says about the configuration. */
export function faultOf(error: unknown): ConfigurationFault | undefined {
  return error instanceof Error && 'fault' in error ? (error.fault as ConfigurationFault | undefined) : undefined;
}

/** The authorize endpoint gets no secret, so a refused client means a wrong id. */
export function readAuthorizeFault(error: string, purpose: Purpose, codes: readonly number[] = []) {
  const names = { client: 'AUTH_CLIENT_ID', credential: 'AUTH_CLIENT_ID', scope: scopeVariable(purpose) };
  return toConfigurationFault({ error, codes }, names);
}
