import { readAuthorizeFault } from './configuration-fault.ts';
import {
  IdentityProviderMisconfiguredError,
  IdentityProviderUnavailableError,
  LinkRefusedError,
  TEMPORARY,
  toSafeCode,
} from './identity-errors.ts';
import type { StepName, Ticket } from './link-ticket.ts';

/** Attaches the ticket to errors of `work`: see ticketOf. */
export async function namingTicket<T>(ticket: Ticket, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error) tickets.set(error, ticket);
    throw error;
  }
}

const tickets = new WeakMap<Error, Ticket>();

/** The ticket of the sign-in that an error has stopped, if known: for the language and command of the error page. */
export function ticketOf(error: unknown): Ticket | undefined {
  return error instanceof Error ? tickets.get(error) : undefined;
}

/** An administrator has to consent first: OpenID Connect Core section 3.1.2.6. */
const CONSENT = new Set(['consent_required', 'interaction_required', 'account_selection_required']);

/**
 * Throws if a callback has an error or no code. Call it after the state was used up, so that a repeated callback fails
 * before its code is redeemed. Ignores `error_description`: anybody can write it into a URL.
 */
export function refuseCallbackError(name: StepName, callback: URLSearchParams, { purpose }: Ticket): void {
  const error = callback.get('error');
  const failed = name === 'slack' ? 'slack_failed' : 'provider_failed';
  if (error === null) {
    if (callback.get('code')) return;
    throw new LinkRefusedError(failed);
  }
  const code = toSafeCode(error);
  const cause = new Error(`the callback says ${code}`);
  if (code === 'access_denied') throw new LinkRefusedError('denied', { cause });
  if (name === 'slack') throw new LinkRefusedError(TEMPORARY.has(code) ? 'slack_unavailable' : failed, { cause });
  if (TEMPORARY.has(code)) throw new IdentityProviderUnavailableError(code, { cause });
  const fault = readAuthorizeFault(code, purpose);
  if (fault) throw new IdentityProviderMisconfiguredError(code, { cause, fault });
  throw new LinkRefusedError(CONSENT.has(code) ? 'consent_needed' : failed, { cause });
}
