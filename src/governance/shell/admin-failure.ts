// What an administrator reads if an error stops their work: one sentence for each code.
import {
  type AdminRefusedError,
  AdminRejectedError,
  AdminThrottledError,
  isAdminRefusal,
  readRequestId,
} from '../../admin-api/admin-errors.ts';
import { QUERY_INVENTORY } from '../../admin-api/inventory-wire.ts';
import { BridgeError, codeOf, UserError } from '../../errors.ts';
import { english } from '../../languages/english.ts';
import { formatCount } from './numbers.ts';

/** `sentence`: what the admin has to know, in plain text of ours. */
export class SentenceError extends UserError {
  readonly sentence: string;

  constructor(code: string, sentence: string, options?: ErrorOptions) {
    super(code, sentence, options);
    this.sentence = sentence;
  }
}

/** Why somebody may not do something. */
const REFUSALS = {
  not_admin:
    'Only administrators of this app may use `/assistant-admin`, and you are not one of them. Nothing was looked up or changed. If you should be, ask whoever runs this app.',
  auditor:
    'As an auditor you may read `agents`, `environments`, `review`, `log` and `policy`, and change nothing. Nothing was changed.',
  not_admin_of_all:
    'This app is installed for your whole organisation, and this counts for all of it, but you are an administrator of one of its workspaces only. Nothing was looked up or changed. Whoever runs this app can list you in `ADMIN_USERS` with the id of the organisation.',
  not_of_installation:
    'These channels belong to another installation of this app: only its administrators decide about them. Nothing was changed.',
  no_admin_interface:
    'The administrative interface is not configured in this app, so this cannot be done here; whoever runs the app can configure it with `ADMIN_API_BASE_URL`.',
};

export const NO_INTERFACE = REFUSALS.no_admin_interface;

export function toRefused(code: keyof typeof REFUSALS): SentenceError {
  return new SentenceError(code, REFUSALS[code]);
}

export function isNotAdmin(error: unknown): boolean {
  return codeOf(error) === 'not_admin';
}

/** For errors of this app and its sign-in. */
const OWN: Record<string, string> = {
  admin_check_failed:
    'I could not find out from Slack whether you may use `/assistant-admin`, so nothing was looked up or changed. Try again in a minute. If it happens again, tell whoever runs this app.',
  identity_provider_unavailable:
    'The sign-in service does not answer at the moment, so nothing was looked up or changed. Try again in a few minutes.',
  busy: 'This change, or another one of the same thing, is being carried out already. Nothing more was done: look in a moment how it ended, and try again only if you still need to.',
  store_unavailable: english.controls.nothingWasDone,
};

const FAULT = 'Something went wrong in this app. Try again; if it happens again, tell whoever runs this app.';

/** Plain text, perhaps with the service's own words: untrusted. `isFault`: the error was not expected. */
export function describeError(error: unknown): { sentence: string; isFault: boolean } {
  const known =
    error instanceof SentenceError ? error.sentence : (OWN[codeOf(error)] ?? toAdminFailure(error)?.sentence);
  return { sentence: known ?? FAULT, isFault: known === undefined };
}

/** A failure of the service. `code`: stable. `requestId`: for those who run the service, if it gave one. */
export type AdminFailure = { code: string; sentence: string; requestId?: string | undefined };

/** Undefined for an error that is not the service's: a bug, or another part that failed. */
export function toAdminFailure(error: unknown): AdminFailure | undefined {
  if (!(error instanceof BridgeError)) return undefined;
  const sentence = describeService(error);
  return sentence === undefined ? undefined : { code: error.code, sentence, requestId: readRequestId(error) };
}

function describeService(error: BridgeError): string | undefined {
  if (error instanceof AdminThrottledError) return describeThrottling(error);
  if (error instanceof AdminRejectedError) return describeRejection(error);
  return isAdminRefusal(error, 'admin_forbidden') ? describeForbidden(error) : OF_SERVICE[error.code];
}

const OF_SERVICE: Record<string, string> = {
  admin_unauthorized:
    'The administrative service did not accept your sign-in. Sign in again as an administrator, then try again.',
  admin_not_found:
    'The administrative service does not know this agent or environment. It may have been deleted; look at the list again.',
  admin_not_offered:
    'The administrative service does not offer this. Tell whoever runs this app: its address or version there may be wrong.',
  admin_locked_by_policy:
    "A policy of the environment's group decides this rule, so it cannot be set for one environment. Leave the rule as it is, or have the policy changed in the admin console.",
  admin_unreachable: 'The administrative service does not answer at the moment. Try again in a few minutes.',
  admin_failed:
    'The administrative service reported an internal error. Try again in a few minutes; if it stays, report it to whoever runs that service.',
  admin_unreadable:
    'The administrative service answered in a way this app cannot read. If it happens again, tell whoever runs this app.',
  admin_outcome_unknown:
    'The administrative service did not answer: the change may or may not have been made. Look before you try again.',
};

/** By the operations of admin-client.ts. */
const RIGHTS: Record<string, string> = {
  [QUERY_INVENTORY]: 'query the inventory',
  'read allocation': 'read allocations',
  'update allocation': 'change allocations',
  'read entitlements': 'read what environments use',
  'read thresholds': 'read the limits of agents',
  'set threshold': 'set the limits of agents',
};

function describeForbidden({ operation }: AdminRefusedError): string {
  const right = RIGHTS[operation];
  const lacks = right === undefined ? '' : `: it lacks the right to ${right}`;
  return `The administrative service does not allow this to your account${lacks}. Ask for the administrator role there, or sign in with an account that has it.`;
}

function describeThrottling({ retryAfterMs }: AdminThrottledError): string {
  const wait = retryAfterMs === undefined ? 'in a minute' : `in ${describeSeconds(retryAfterMs)}`;
  return `The administrative service has too much to do. Try again ${wait}.`;
}

/** *1 second*, at least. */
export function describeSeconds(ms: number): string {
  return formatCount(Math.max(1, Math.ceil(ms / 1000)), 'second');
}

function describeRejection({ explanation }: AdminRejectedError): string {
  return explanation === undefined
    ? 'The administrative service refused this, and did not say why.'
    : `The administrative service refused this. It says: ${explanation}`;
}

/** For a read that the caller can do without: a failure is a `gap`. Throws if the sign-in has ended, and on a bug. */
export async function optional<T>(reading: Promise<T>): Promise<T | 'gap'> {
  try {
    return await reading;
  } catch (error) {
    if (endsReading(error)) throw error;
    return 'gap';
  }
}

/** Whether nothing more can be read: the sign-in has ended, or the error is not the service's. */
export function endsReading(error: unknown): boolean {
  return isAdminRefusal(error, 'admin_unauthorized') || toAdminFailure(error) === undefined;
}
