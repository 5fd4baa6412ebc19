// The one place where an error of the administrative interface becomes a sentence to an admin.

import {
  type AdminRefusedError,
  AdminRejectedError,
  AdminThrottledError,
  isAdminRefusal,
  readRequestId,
} from '../../admin-api/admin-errors.ts';
import { QUERY_INVENTORY } from '../../admin-api/inventory-wire.ts';
import { BridgeError } from '../../errors.ts';

/**
 * `code` is stable; `sentence` is plain text that may end with the service's own words: untrusted. With `requestId` those
 * who run the service find the request, where it gave it one.
 */
export type AdminFailure = { code: string; sentence: string; requestId?: string | undefined };

/** Undefined for an error that is not the interface's: a bug, or another part that failed. */
export function toAdminFailure(error: unknown): AdminFailure | undefined {
  const requestId = readRequestId(error);
  if (error instanceof AdminThrottledError) return { code: error.code, sentence: describeThrottling(error), requestId };
  if (error instanceof AdminRejectedError) return { code: error.code, sentence: describeRejection(error), requestId };
  if (isAdminRefusal(error, 'admin_forbidden')) {
    return { code: error.code, sentence: describeForbidden(error), requestId };
  }
  if (!(error instanceof BridgeError)) return undefined;
  const sentence = SENTENCES.get(error.code);
  return sentence === undefined ? undefined : { code: error.code, sentence, requestId };
}

const SENTENCES = new Map([
  [
    'admin_unauthorized',
    'The administrative service did not accept your sign-in. Sign in again as an administrator, then try again.',
  ],
  [
    'admin_not_found',
    'The administrative service does not know this agent or environment. It may have been deleted; look at the list again.',
  ],
  [
    'admin_not_offered',
    'The administrative service does not offer this. Tell whoever runs this app: its address or version there may be wrong.',
  ],
  [
    'admin_locked_by_policy',
    "A policy of the environment's group decides this rule, so it cannot be set for one environment. Leave the rule as it is, or have the policy changed in the admin console.",
  ],
  ['admin_unreachable', 'The administrative service does not answer at the moment. Try again in a few minutes.'],
  [
    'admin_failed',
    'The administrative service reported an internal error. Try again in a few minutes; if it stays, report it to whoever runs that service.',
  ],
  [
    'admin_unreadable',
    'The administrative service answered in a way this app cannot read. If it happens again, tell whoever runs this app.',
  ],
  [
    'admin_outcome_unknown',
    'The administrative service did not answer: the change may or may not have been made. Look before you try again.',
  ],
]);

/** By the operations of admin-client.ts. */
const RIGHTS = new Map([
  [QUERY_INVENTORY, 'query the inventory'],
  ['read allocation', 'read allocations'],
  ['update allocation', 'change allocations'],
  ['read entitlements', 'read what environments use'],
  ['read thresholds', 'read the limits of agents'],
  ['set threshold', 'set the limits of agents'],
]);

function describeForbidden({ operation }: AdminRefusedError): string {
  const right = RIGHTS.get(operation);
  const lacks = right === undefined ? '' : `: it lacks the right to ${right}`;
  return `The administrative service does not allow this to your account${lacks}. Ask for the administrator role there, or sign in with an account that has it.`;
}

function describeThrottling({ retryAfterMs }: AdminThrottledError): string {
  const seconds = retryAfterMs === undefined ? undefined : Math.max(1, Math.ceil(retryAfterMs / 1000));
  const wait = seconds === undefined ? 'in a minute' : `in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
  return `The administrative service has too much to do. Try again ${wait}.`;
}

function describeRejection({ explanation }: AdminRejectedError): string {
  return explanation === undefined
    ? 'The administrative service refused this, and did not say why.'
    : `The administrative service refused this. It says: ${explanation}`;
}

/** Of what the rest can do without, where it cannot be read. A sign-in that has ended, or a bug, is thrown on. */
export async function optional<T>(reading: Promise<T>): Promise<T | 'gap'> {
  try {
    return await reading;
  } catch (error) {
    if (endsReading(error)) throw error;
    return 'gap';
  }
}

/** A sign-in that has ended, or an error that is not the interface's. */
export function endsReading(error: unknown): boolean {
  return isAdminRefusal(error, 'admin_unauthorized') || toAdminFailure(error) === undefined;
}
