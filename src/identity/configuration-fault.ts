import type { Purpose } from './account-link.ts';

/** A value of the configuration that somebody else refuses, for operators: it goes into the log, and holds no secret. */
export type ConfigurationFault = {
  /** Its name; more than one, joined by `or`, where the answer fits them all. */
  variable: string;
  /** The `error` code of the identity provider. */
  providerError?: string;
  /** Its own number for it, where it has one. */
  providerCode?: number;
  slackError?: string;
  status?: number;
  expected?: string;
  found?: string;
};

/** `client`: what an `invalid_client` is about; `scope`: of which interface a scope was asked for. */
export type VariableNames = { client: string; credential: string; scope: string };

type Refusal = { error: string; codes: readonly number[] };

/**
 * Numbers that an identity provider of this kind sends beside `error`. They are documented as subject to change, so
 * they only choose the words for an operator: https://learn.microsoft.com/entra/identity-platform/reference-error-codes
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

/** Which value is at fault where the identity provider refuses; undefined where its words fit no value of ours. */
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

/** In place of a code that is missing, or not fit for a log. */
export const UNKNOWN_ERROR = 'unknown_error';

export function scopeVariable(purpose: Purpose): string {
  return purpose === 'admin' ? 'ADMIN_SCOPE' : 'ASSISTANT_SCOPE';
}

const SHOWN_LIMIT = 200;

/** A value that came from elsewhere, as far as it may go into a log. */
export function toShownValue(value: unknown): string {
  return typeof value === 'string' ? value.replace(/\p{C}/gu, '').slice(0, SHOWN_LIMIT) : 'no text';
}

/** What an error says about the configuration. */
export function faultOf(error: unknown): ConfigurationFault | undefined {
  return error instanceof Error && 'fault' in error ? (error.fault as ConfigurationFault | undefined) : undefined;
}
