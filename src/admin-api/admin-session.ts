// The administrative interface in the name of one person. Nobody but the session ever holds their token.

import { TransientError, UserError } from '../errors.ts';
import { type AdminReceipt, AdminUnreachableError, isAdminRefusal } from './admin-errors.ts';
import type { Agent, Environment, Found } from './inventory-wire.ts';
import type { Allocation, Entitlement, Threshold, ThresholdBody } from './licensing-wire.ts';

export type ThresholdChange = ThresholdBody & { environmentId: string; agentResourceId: string };

/** The service filters, and compares ids as they are written: those of the inventory find what it lists. */
export type AgentFilter = {
  /** Agents of which the service does not know whether they are of the harness are then missing, too. */
  harnessOnly?: boolean;
  environmentId?: string;
  ownerId?: string;
};

/** Every method throws the errors of admin-errors.ts. */
export type AdminSession = {
  findAgents(filter?: AgentFilter): Promise<Found<Agent>>;
  findEnvironments(): Promise<Found<Environment>>;
  /** 'none': the service knows no allocation of this environment, or no such environment. */
  readAllocation(environmentId: string): Promise<Allocation | 'none'>;
  /** Replaces the allocation of the environment, all of it. AdminOutcomeUnknownError: perhaps it was applied. */
  updateAllocation(allocation: Allocation): Promise<AdminReceipt>;
  readEntitlements(environmentId: string): Promise<Entitlement[]>;
  /**
   * The thresholds of the whole tenant. The contract shows no such read: 'not_offered' is remembered for five minutes.
   * Once the deployment has answered it, a 404 is one of its troubles (AdminUnreachableError).
   */
  readThresholds(): Promise<Threshold[] | 'not_offered'>;
  /** Replaces the agent's threshold. AdminOutcomeUnknownError: it may or may not have been applied. */
  putThreshold(change: ThresholdChange): Promise<AdminReceipt>;
};

/** How a session proves whose it is. */
export type AdminAccess = {
  token: string;
  /** Resolves with another token of the same person, in place of one that was refused. */
  renew(rejected: string): Promise<string>;
};

/** Makes a call with the token that is good at the moment. */
export type WithToken = <T>(call: (token: string) => Promise<T>) => Promise<T>;

/**
 * Where the interface refuses the token with 401, it is renewed and the call repeated, once. A 401 processed nothing, so
 * that holds for writes as well. Where the renewal fails, the call fails with an error of admin-errors.ts, so that nobody
 * takes a write that was refused for one in doubt.
 */
export function createWithToken({ token, renew }: AdminAccess): WithToken {
  let current = token;
  return async (call) => {
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
