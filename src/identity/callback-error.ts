import type { Purpose } from './account-link.ts';
import { scopeVariable, toConfigurationFault } from './configuration-fault.ts';
import {
  IdentityProviderMisconfiguredError,
  IdentityProviderUnavailableError,
  LinkRefusedError,
} from './identity-errors.ts';
import type { StepName } from './link-step.ts';
import { toSafeCode } from './provider-errors.ts';

/** Somebody with more rights has to allow it first: OpenID Connect Core section 3.1.2.6. */
const CONSENT = new Set(['consent_required', 'interaction_required', 'account_selection_required']);

const TEMPORARY = new Set(['temporarily_unavailable', 'server_error']);

/**
 * What a callback without a code means; undefined where it has one. `error_description` is not read: anybody can write
 * it into an address.
 */
export function readCallbackError(name: StepName, callback: URLSearchParams, purpose: Purpose): Error | undefined {
  const error = callback.get('error');
  const failed = name === 'slack' ? 'slack_failed' : 'provider_failed';
  if (error === null) return callback.get('code') ? undefined : new LinkRefusedError(failed);
  const code = toSafeCode(error);
  const cause = new Error(`the callback says ${code}`);
  if (code === 'access_denied') return new LinkRefusedError('denied', { cause });
  if (name === 'slack') return new LinkRefusedError(TEMPORARY.has(code) ? 'slack_unavailable' : failed, { cause });
  if (TEMPORARY.has(code)) return new IdentityProviderUnavailableError(code, { cause });
  const fault = readAuthorizeFault(code, purpose);
  if (fault) return new IdentityProviderMisconfiguredError(code, { cause, fault });
  return new LinkRefusedError(CONSENT.has(code) ? 'consent_needed' : failed, { cause });
}

/** The authorize endpoint knows no secret: what it refuses of a client is its id. */
export function readAuthorizeFault(error: string, purpose: Purpose, codes: readonly number[] = []) {
  const names = { client: 'AUTH_CLIENT_ID', credential: 'AUTH_CLIENT_ID', scope: scopeVariable(purpose) };
  return toConfigurationFault({ error, codes }, names);
}
