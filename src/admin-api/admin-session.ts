// The administrative interface on behalf of one person. Only the session holds their token.
import { TransientError, UserError } from '../errors.ts';
import { type AdminReceipt, AdminUnreachableError, isAdminRefusal } from './admin-errors.ts';
import type { Agent, Environment, Found } from './inventory-wire.ts';
import type { Allocation, Entitlement, Threshold, ThresholdBody } from './licensing-wire.ts';

/** `currencyType`: undefined for the configured currency. */
export type ThresholdChange = ThresholdBody & {
  environmentId: string;
  agentResourceId: string;
  currencyType?: string | undefined;
};

/** The service filters and compares ids exactly: use the ids of the inventory. */
export type AgentFilter = { environmentId: string };

/** Every method throws the errors of admin-errors.ts. */
export type AdminSession = {
  findAgents(filter?: AgentFilter): Promise<Found<Agent>>;
  findEnvironments(): Promise<Found<Environment>>;
  /** 'none': the service does not know the environment, or knows no allocation of it. */
  readAllocation(environmentId: string): Promise<Allocation | 'none'>;
  /** Replaces the whole allocation of the environment. AdminOutcomeUnknownError: perhaps it was applied. */
  updateAllocation(allocation: Allocation): Promise<AdminReceipt>;
  readEntitlements(environmentId: string): Promise<Entitlement[]>;
  /**
   * The thresholds of the whole tenant in one currency, by default the configured one. The contract has no such read:
   * 'not_offered' is remembered for five minutes. Once the deployment has answered, a 404 counts as a failure
   * (AdminUnreachableError). Both are remembered per currency.
   */
  readThresholds(currencyType?: string): Promise<Threshold[] | 'not_offered'>;
  /** Replaces the agent's threshold. AdminOutcomeUnknownError: it may or may not have been applied. */
  putThreshold(change: ThresholdChange): Promise<AdminReceipt>;
};

/** The token of the session's person. */
export type AdminAccess = {
  token: string;
  /** Resolves with a new token of the same person, to replace a refused one. */
  renew(rejected: string): Promise<string>;
};

/**
 * Makes calls with the current token. On 401 the token is renewed and the call is repeated, once. That is safe even for
 * writes, because a 401 processed nothing. If the renewal fails, the call fails with an error of admin-errors.ts that
 * does not suggest that a write may have been applied.
 */
export function createWithToken({ token, renew }: AdminAccess) {
  let current = token;
  return async <T>(call: (token: string) => Promise<T>): Promise<T> => {
    const used = current;
    try {
      return await call(used);
    } catch (error) {
      if (!isAdminRefusal(error, 'admin_unauthorized')) throw error;
      current = await renew(used).catch((failure: unknown) => {
        throw toRefusal(failure, error);
      });
      return call(current);
    }
  };
}

function toRefusal(failure: unknown, unauthorized: Error): unknown {
  if (failure instanceof UserError) return unauthorized;
  if (failure instanceof TransientError) return new AdminUnreachableError('renew the sign-in', { cause: failure });
  return failure;
}
