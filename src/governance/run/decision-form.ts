// What every window ends with that decides something: the last day, why, and who approves.
import type { InputBlock } from '@slack/types';
import { compareAccounts } from '../../identity/directory-account.ts';
import { type Day, isDay, isOver } from '../policy/policy.ts';
import type { GovernanceServices } from '../services.ts';
import { type AccessPorts, type AccountPorts, requireOtherAdmin } from '../shell/access.ts';
import { isNotAdmin } from '../shell/admin-failure.ts';
import type { Caller } from '../shell/admin-rules.ts';
import {
  APPROVER_FIELD,
  buildApproverInput,
  buildInput,
  buildReasonInput,
  type FormValues,
  REASON_FIELD,
  readApprover,
  readReason,
} from '../shell/form-fields.ts';
import { parseReason } from '../shell/reason.ts';

/** The block id of the last day. */
const UNTIL_FIELD = 'until';

/** `approver`: `maybe` where it depends on what is filled in. `until`, `reason`: in the window from the beginning. */
export type DecisionFields = {
  hasUntil: boolean;
  until?: Day | undefined;
  approver: 'needed' | 'maybe' | 'none';
  reason?: string | undefined;
};

export function buildDecisionFields({ hasUntil, until, approver, reason }: DecisionFields): InputBlock[] {
  return [
    ...(hasUntil ? [buildUntilInput(until)] : []),
    buildReasonInput(reason),
    ...(approver === 'needed' ? [buildApproverInput()] : []),
    ...(approver === 'maybe' ? [buildApproverInput(MAYBE, true)] : []),
  ];
}

const MAYBE = 'Needed where this allows more than now: another administrator. They have 24 hours.';

function buildUntilInput(initial: Day | undefined): InputBlock {
  const hint = 'The last day, in UTC. Empty: for good.';
  const picker = { type: 'datepicker', ...(initial !== undefined && { initial_date: initial }) } as const;
  return buildInput(UNTIL_FIELD, 'Until', picker, { hint, isOptional: true });
}

/** As chosen; undefined: for good. */
export function readUntilField(values: FormValues): Day | undefined {
  return values[UNTIL_FIELD]?.value?.selected_date ?? undefined;
}

type FilledDecision = { until: Day | undefined; reason: string };

/** `errors`: a sentence by block id. */
function readDecisionFields(values: FormValues, now: number): FilledDecision | { errors: Record<string, string> } {
  const until = readUntilField(values);
  const reason = parseReason(readReason(values));
  const isPast = until !== undefined && (!isDay(until) || isOver(until, now));
  if (reason.ok && !isPast) return { until, reason: reason.reason };
  return {
    errors: {
      ...(isPast && { [UNTIL_FIELD]: 'This day is over. Choose a later one, or none.' }),
      ...(!reason.ok && { [REASON_FIELD]: reason.sentence }),
    },
  };
}

export type Decision = FilledDecision & { approver: string | undefined };

type Asked = {
  caller: Caller;
  /** What is wrong with the form's own fields, by block id. */
  errors: Record<string, string>;
  /** It is known already that a second administrator has to approve. */
  needsApprover: boolean;
};

/** All errors of the form at once. Slack waits for the answer. Throws AdminCheckFailedError. */
export async function readDecision(
  values: FormValues,
  { caller, errors: own, needsApprover }: Asked,
  services: GovernanceServices,
): Promise<Decision | { errors: Record<string, string> }> {
  const filled = readDecisionFields(values, services.now());
  const errors = { ...own, ...('errors' in filled ? filled.errors : {}) };
  if ('errors' in filled || Object.keys(errors).length > 0) return { errors };
  const chosen = readApprover(values);
  const approver = chosen === 'not_asked' ? undefined : chosen;
  if (!services.needsApproval || (!needsApprover && approver === undefined)) return { ...filled, approver };
  const problem = await findApproverProblem(approver, caller, services);
  return problem === undefined ? { ...filled, approver } : { errors: { [APPROVER_FIELD]: problem } };
}

/** Why somebody cannot be the second admin for `by`, in plain text; undefined where they can. Throws AdminCheckFailedError. */
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

/** Who never signed in may be chosen: the accounts are compared when they approve. */
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

/** Also said where somebody asks with an account that is not known. */
export const OWN_UNKNOWN =
  'This app does not know which account you are signed in with, so it cannot tell you from an approver. Sign in again with /assistant-admin sign-in, and then ask again.';

const OTHER_UNKNOWN =
  'This app does not know which account they are signed in with. Ask them to sign in again with /assistant-admin sign-in, or choose somebody else.';
