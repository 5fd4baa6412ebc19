import { type AdminClient, type AdminClientOptions, createAdminClient } from '../../src/admin-api/admin-client.ts';
import type { AdminSession } from '../../src/admin-api/admin-session.ts';
import { UserError } from '../../src/errors.ts';
import type { HttpClient } from '../../src/http/http-client.ts';

/** Of the stand-in of the administrative interface at this address. */
export function aClient(http: HttpClient, baseUrl: string, options: Partial<AdminClientOptions> = {}): AdminClient {
  return createAdminClient({
    http,
    baseUrl,
    apiVersion: '2024-10-01',
    resourceTypePrefix: 'vendor',
    tableName: 'PlatformResources',
    currency: 'ServiceMessages',
    agentIdProperty: 'botId',
    // Also of a busy machine: nothing here waits for it.
    timeoutMs: 60_000,
    now: Date.now,
    ...options,
  });
}

class SignInEndedError extends UserError {}

/** Of somebody whose token cannot be renewed: what refuses it has the last word. */
export function aSession(client: AdminClient, token: string): AdminSession {
  return client.openSession({ token, renew: () => Promise.reject(new SignInEndedError('ended', 'ended')) });
}
