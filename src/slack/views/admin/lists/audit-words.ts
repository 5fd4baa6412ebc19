// What an entry of the audit log says, in words.
import type { AuditEntry } from '../../../../governance/audit/audit-entry.ts';
import { toMrkdwnLine } from '../../shown-text.ts';

/** Of kinds that this release does not know the word itself is shown. */
export function describeAction(what: string): string {
  return ACTIONS.get(what) ?? toPlainWords(what);
}

const ACTIONS = new Map<string, string>([
  ['limit_change', 'Agent limit'],
  ['allocation_change', 'Allocation'],
  ['approval_requested', 'Approval asked for'],
  ['approval_refused', 'Approval refused'],
  ['environment_classified', 'Environment classified'],
  ['limit_approved', 'Agent limit approved in the register'],
  ['exception_accepted', 'Exception accepted'],
  ['exception_withdrawn', 'Exception withdrawn'],
  ['review_run', 'Review'],
] satisfies [AuditEntry['what'], string][]);

/** With its sign. `isOpen`: see AuditRow. */
export function describeOutcome({ what, outcome, subject }: AuditEntry, isOpen: boolean): string {
  if (isOpen && DECISIONS.has(what)) {
    return ':hourglass: *begun, and not recorded*: it does not count. `/assistant-admin review` offers it again.';
  }
  if (isOpen) {
    const [what, command] = subject.agentResourceId === undefined ? ['environment', 'allocation'] : ['agent', 'limit'];
    return `:hourglass: *begun, and not known to have ended*: it may have been written. Open the ${what} with \`/assistant-admin ${command}\` to find out.`;
  }
  const { kind, written, reason } = outcome;
  const words = OUTCOMES.get(kind) ?? `*${toPlainWords(kind)}*`;
  const unchanged = kind === 'failed' && written === 'no' ? ', nothing was changed' : '';
  const why = reason === undefined ? '' : `: ${REASONS.get(reason) ?? toPlainWords(reason)}`;
  return `${words}${unchanged}${why}`;
}

const DECISIONS = new Set<AuditEntry['what']>(['environment_classified', 'limit_approved', 'exception_accepted']);

const OUTCOMES = new Map<string, string>([
  ['done', ':white_check_mark: *done*'],
  ['refused', ':no_entry_sign: *refused*'],
  ['verified', ':white_check_mark: *verified*'],
  ['applied_not_verified', ':warning: *applied, not verified*'],
  ['conflict', ':x: *conflict*'],
  ['failed', ':x: *failed*'],
] satisfies [AuditEntry['outcome']['kind'], string][]);

/** The codes of outcomes that are written to the log. */
const REASONS = new Map([
  ['not_offered', 'the service does not show the limits of agents'],
  ['read_back_failed', 'reading it back failed'],
  ['not_listed', 'the service did not list it yet'],
  ['stop_not_told', 'the service did not tell whether the agent is stopped'],
  ['still_old', 'the service still showed the old values'],
  ['no_answer', 'the service did not answer, so it may or may not have been written'],
  ['before_write', 'somebody changed it meanwhile, so nothing was written'],
  ['after_write', 'it was written, and something else was there at once'],
  ['unanswered', 'the service did not answer, and then showed neither the old values nor the new ones'],
  ['overtaken', 'it took so long that another change began meanwhile, so it was not sent'],
  ['not_logged', 'this log could not be written, so nothing was sent'],
  ['store_unavailable', 'this app could not read or write its own records'],
  ['fault', 'something went wrong in this app'],
  ['interrupted', 'it broke off, and this is what a later look has shown'],
  ['approver_not_told', 'the approver could not be told, so it was withdrawn'],
  ['not_recorded', 'it could not be kept; whether it holds shows in the next review'],
  ['admin_unauthorized', 'the service did not accept the sign-in'],
  ['admin_forbidden', 'the service did not allow it to that account'],
  ['admin_not_found', 'the service did not know the agent or environment'],
  ['admin_not_offered', 'the service does not offer this'],
  ['admin_locked_by_policy', "a policy of the environment's group decides the rule"],
  ['admin_rejected', 'the service refused it'],
  ['admin_throttled', 'the service had too much to do'],
  ['admin_unreachable', 'the service did not answer'],
  ['admin_failed', 'the service reported an internal error'],
  ['admin_unreadable', 'the service answered in a way that could not be read'],
]);

/** What an entry holds of a kind that has no words of its own: names and values as they stand there, on one line. */
export function describeDetails(value: unknown): string {
  return toMrkdwnLine(flatten(value), MAX_DETAILS_LENGTH);
}

const MAX_DETAILS_LENGTH = 300;

/** A hash says nothing to a reader, and what is empty neither. */
function flatten(value: unknown): string {
  if (Array.isArray(value)) return value.map(flatten).join('; ');
  if (typeof value !== 'object' || value === null) return String(value ?? '');
  return Object.entries(value)
    .filter(([name, one]) => name !== 'registerHash' && flatten(one) !== '')
    .map(([name, one]) => `${splitWords(name)}: ${flatten(one)}`)
    .join(', ');
}

/** `expiresOn` and `expires_on` become `expires on`. */
function splitWords(name: string): string {
  return name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();
}

function toPlainWords(code: string): string {
  return toMrkdwnLine(splitWords(code), 60);
}
