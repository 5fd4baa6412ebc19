// The last fields of every window that decides something: the last day, the reason, and who approves.
import type { InputBlock } from '@slack/types';
import { compareAccounts } from '../../identity/directory.ts';
import { type Day, isDay, isOver } from '../../policy/policy.ts';
import { buildPlainText } from '../../slack/views/content.ts';
import { buildField, buildTextField, type Fields } from '../../slack/views/fields.ts';
import type { GovernanceServices } from '../services.ts';
import { type AccessPorts, type AccountPorts, requireOtherAdmin } from '../shell/access.ts';
import { isNotAdmin } from '../shell/admin-failure.ts';
import type { Caller } from '../shell/admin-rules.ts';

const FIELDS = { until: 'until', reason: 'reason', approver: 'approver' };

/** `approver`: `maybe` if it depends on what the person fills in. `until` and `reason`: the initial values. */
export type DecisionFields = {
  hasUntil?: boolean;
  until?: Day | undefined;
  approver?: 'needed' | 'maybe' | undefined;
  reason?: string | undefined;
};

/** `needsApproval`: false if this deployment never asks for a second administrator. */
export function buildDecisionFields(
  { hasUntil = false, until, approver, reason }: DecisionFields,
  needsApproval: boolean,
): InputBlock[] {
  return [
    ...(hasUntil ? [buildUntilField(until)] : []),
    buildReasonField(reason),
    ...(approver !== undefined && needsApproval ? [buildApproverField(approver === 'maybe')] : []),
  ];
}

/** In characters. A shorter reason says nothing to somebody who reads it in a year. */
export const MIN_REASON_LENGTH = 10;

const MAX_REASON_LENGTH = 500;

/** One says about as much as three letters, so that four or five of these are a reason. */
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

type ParsedReason = { ok: true; reason: string } | { ok: false; sentence: string };

/** Returns the reason on one line, or a sentence that says what is wrong with it. */
export function parseReason(typed: string): ParsedReason {
  const reason = typed
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
  const length = [...reason].length;
  const dense = reason.match(DENSE)?.length ?? 0;
  if (length + 2 * dense < MIN_REASON_LENGTH) {
    return {
      ok: false,
      sentence: `Say why, in at least ${MIN_REASON_LENGTH} characters: it is kept in the audit log.`,
    };
  }
  if (length > MAX_REASON_LENGTH) return { ok: false, sentence: `Say it in at most ${MAX_REASON_LENGTH} characters.` };
  return { ok: true, reason };
}

/** More than parseReason accepts, so that the error comes from parseReason and not from Slack. */
const MAX_TYPED = 1_000;

export function buildReasonField(initial?: string): InputBlock {
  const hint = `At least ${MIN_REASON_LENGTH} characters. Kept in the audit log.`;
  return buildTextField({ name: FIELDS.reason, label: 'Reason', hint }, { initial, most: MAX_TYPED });
}

const OF_CHANGE =
  'The change may allow more than before. Another administrator has at most 24 hours to approve it; then it is made with their rights.';

const MAYBE = 'Needed if this allows more than now. The other administrator has at most 24 hours to approve it.';

function buildApproverField(isOptional: boolean): InputBlock {
  const field = { name: FIELDS.approver, label: 'Who approves?', hint: isOptional ? MAYBE : OF_CHANGE, isOptional };
  const picker = { type: 'users_select' as const, placeholder: buildPlainText('Another administrator') };
  return buildField(field, picker);
}

function buildUntilField(initial: Day | undefined): InputBlock {
  const field = {
    name: FIELDS.until,
    label: 'Until',
    hint: 'The last day, in UTC. Empty: for good.',
    isOptional: true,
  };
  const picker = { type: 'datepicker' as const, ...(initial !== undefined && { initial_date: initial }) };
  return buildField(field, picker);
}

/** As chosen; undefined: for good. */
export function readUntil(fields: Fields): Day | undefined {
  return fields.day(FIELDS.until);
}

type FilledDecision = { until: Day | undefined; reason: string };

/** `errors`: a sentence by block id. */
function readDecisionFields(fields: Fields, now: number): FilledDecision | { errors: Record<string, string> } {
  const until = readUntil(fields);
  const reason = parseReason(fields.text(FIELDS.reason));
  const isPast = until !== undefined && (!isDay(until) || isOver(until, now));
  if (reason.ok && !isPast) return { until, reason: reason.reason };
  return {
    errors: {
      ...(isPast && { [FIELDS.until]: 'This day is over. Choose a later one, or none.' }),
      ...(!reason.ok && { [FIELDS.reason]: reason.sentence }),
    },
  };
}

export type Decision = FilledDecision & { approver: string | undefined };

type DecisionContext = {
  caller: Caller;
  /** What is wrong with the form's own fields, by block id. */
  errors: Record<string, string>;
  /** It is known already that a second administrator has to approve. */
  needsApprover: boolean;
};

/** All errors of the form at once. Slack waits for the answer. Throws AdminCheckFailedError. */
export async function readDecision(
  fields: Fields,
  { caller, errors: own, needsApprover }: DecisionContext,
  services: GovernanceServices,
): Promise<Decision | { errors: Record<string, string> }> {
  const filled = readDecisionFields(fields, services.now());
  const errors = { ...own, ...('errors' in filled ? filled.errors : {}) };
  if ('errors' in filled || Object.keys(errors).length > 0) return { errors };
  const approver = fields.user(FIELDS.approver);
  if (!services.needsApproval || (!needsApprover && approver === undefined)) return { ...filled, approver };
  const problem = await findApproverProblem(approver, caller, services);
  return problem === undefined ? { ...filled, approver } : { errors: { [FIELDS.approver]: problem } };
}

/** Why `approver` cannot approve for `by`, in plain text; undefined if they can. Throws AdminCheckFailedError. */
async function findApproverProblem(
  approver: string | undefined,
  by: Caller,
  ports: AccessPorts & AccountPorts,
): Promise<string | undefined> {
  if (approver === undefined) return PICK_SOMEBODY;
  if (approver === by.user) return YOURSELF;
  try {
    await requireOtherAdmin({ by, user: approver }, ports);
  } catch (error) {
    if (isNotAdmin(error)) return NO_ADMIN;
    throw error;
  }
  return findAccountProblem(approver, by, ports);
}

/** An approver who never signed in may be chosen: accounts are compared again when they approve. */
async function findAccountProblem(
  approver: string,
  { team, user }: Caller,
  { adminAccount }: AccountPorts,
): Promise<string | undefined> {
  const [own, other] = await Promise.all([user, approver].map((one) => adminAccount({ team, user: one })));
  if (own?.account === undefined) return OWN_UNKNOWN;
  const accounts = compareAccounts(own.account, other?.account);
  if (accounts === 'same') return SAME_ACCOUNT;
  return accounts === 'unknown' && other?.isSignedIn ? OTHER_UNKNOWN : undefined;
}

const PICK_SOMEBODY = 'Choose the administrator who is to approve this.';

const YOURSELF = 'Choose somebody else: nobody approves their own change.';

const NO_ADMIN = 'This is not an administrator of this app. Choose somebody who may use /assistant-admin.';

const SAME_ACCOUNT =
  'Choose somebody else: this is you under another name. Both of you sign in to the administrative service with the same account.';

/** Also for a request whose requester has an unknown account. */
export const OWN_UNKNOWN =
  'This app does not know which account you are signed in with, so it cannot tell you from an approver. Sign in again with /assistant-admin sign-in, and then ask again.';

const OTHER_UNKNOWN =
  'This app does not know which account they are signed in with. Ask them to sign in again with /assistant-admin sign-in, or choose somebody else.';
