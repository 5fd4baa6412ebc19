import { BridgeError } from '../errors.ts';
import { type ConfigurationFault, faultOf } from './configuration-fault.ts';
import { IdentityProviderUnavailableError } from './identity-errors.ts';
import { toSilence } from './provider-errors.ts';

/**
 * What a look at a value says. `unchecked` is not `right`: nobody can tell, and `reason` says why; `variable` is what to
 * check first then, where there is such a thing.
 */
export type Verdict =
  | { verdict: 'right' }
  | { verdict: 'wrong'; fault: ConfigurationFault }
  | { verdict: 'unchecked'; reason: string; variable?: string };

export function toVerdict(error: unknown): Verdict {
  const fault = faultOf(error);
  if (fault) return { verdict: 'wrong', fault };
  if (!(error instanceof BridgeError)) return unchecked('an unexpected error');
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : '';
  const isAway = error instanceof IdentityProviderUnavailableError;
  return { ...unchecked(error.message + cause), ...(isAway && { variable: 'AUTH_URL' }) };
}

/** A request that got no answer. */
export function unreachable(error: unknown): Verdict {
  return toVerdict(new IdentityProviderUnavailableError(toSilence(error)));
}

export function unchecked(reason: string): Verdict & { verdict: 'unchecked' } {
  return { verdict: 'unchecked', reason };
}
