import type { AdminClient } from '../../src/admin-api/admin-client.ts';
import type { AdminSession } from '../../src/admin-api/admin-session.ts';
import { UserError } from '../../src/errors.ts';

class SignInEndedError extends UserError {}

/** Of somebody whose token cannot be renewed: what refuses it has the last word. */
export function aSession(client: AdminClient, token: string): AdminSession {
  return client.openSession({ token, renew: () => Promise.reject(new SignInEndedError('ended', 'ended')) });
}
