import { TransientError, UserError } from '../errors.ts';
import type { AdminClient } from './admin-client.ts';
import { AdminUnauthorizedError, AdminUnreachableError } from './admin-errors.ts';

/**
 * The same client for one piece of work of one admin: where the interface refuses the token with 401, it is renewed and
 * the call repeated, once. A 401 processed nothing, so that holds for writes as well. Where the renewal fails, the call
 * fails with an error of admin-errors.ts, so that nobody takes a write that was refused for one in doubt.
 */
export function createRenewingClient(client: AdminClient, renew: (rejected: string) => Promise<string>): AdminClient {
  let renewed: string | undefined;

  async function call<T>(token: string, use: (token: string) => Promise<T>): Promise<T> {
    const used = renewed ?? token;
    try {
      return await use(used);
    } catch (error) {
      if (!(error instanceof AdminUnauthorizedError)) throw error;
      renewed = await renewOrRefuse(used, error);
      return use(renewed);
    }
  }

  async function renewOrRefuse(used: string, refusal: AdminUnauthorizedError): Promise<string> {
    try {
      return await renew(used);
    } catch (error) {
      if (error instanceof UserError) throw refusal;
      if (error instanceof TransientError) throw new AdminUnreachableError('renew the sign-in', { cause: error });
      throw error;
    }
  }

  return {
    findAgents: (token, filter) => call(token, (current) => client.findAgents(current, filter)),
    findEnvironments: (token) => call(token, (current) => client.findEnvironments(current)),
    readAllocation: (token, environmentId) => call(token, (current) => client.readAllocation(current, environmentId)),
    updateAllocation: (token, allocation) => call(token, (current) => client.updateAllocation(current, allocation)),
    readEntitlements: (token, environmentId) =>
      call(token, (current) => client.readEntitlements(current, environmentId)),
    readThresholds: (token) => call(token, (current) => client.readThresholds(current)),
    putThreshold: (token, change) => call(token, (current) => client.putThreshold(current, change)),
  };
}
