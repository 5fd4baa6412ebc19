// How items and runs ended, in words.
import { toMrkdwnLine } from '../../slack/views/content.ts';
import { describeFound } from './item-words.ts';
import type { ItemResult, ResultKind } from './run.ts';

/** In the order in which they are listed. */
export const RESULT_WORDS: Record<ResultKind, string> = {
  verified: 'read back',
  sent_not_shown: 'sent, not shown by the service',
  conflict: 'changed by somebody else',
  failed: 'failed',
  left: 'not tried',
};

/** Why, as a sentence without a full stop; '' where nothing more is to be said. Mrkdwn. */
export function describeReason({ reason = '', said, found }: ItemResult): string {
  const why = REASONS[reason] ?? reason.replaceAll('_', ' ');
  const instead = found === undefined ? '' : `found: ${describeFound(found)}`;
  const words = said === undefined ? '' : `the service says: ${toMrkdwnLine(said, 200)}`;
  return [why, instead, words].filter((part) => part !== '').join('; ');
}

/** Codes of results, of the errors of admin-errors.ts, and of what ends runs. */
const REASONS: Record<string, string> = {
  was_so: 'it was so already',
  read_back_failed: 'it could not be read back',
  still_old: 'the service still shows the old values',
  no_answer: 'the service did not answer, so it may or may not be set',
  interrupted: 'this app was interrupted, so it may or may not be set',
  before_write: 'it was changed meanwhile, so nothing was sent',
  after_write: 'it was changed right afterwards',
  sent_since: 'something else was sent from here meanwhile, so nothing was sent',
  busy: 'it is being changed by somebody else',
  stopped: 'the rest was stopped',
  admin_unauthorized: 'the service did not accept the sign-in',
  admin_forbidden: 'the service does not allow it to that account',
  admin_not_found: 'the service does not know it any more',
  admin_not_offered: 'the service does not offer this',
  admin_locked_by_policy: "a policy of the environment's group decides the rule",
  admin_rejected: 'the service refused it',
  admin_throttled: 'the service has too much to do',
  admin_unreachable: 'the service does not answer',
  admin_failed: 'the service reported an internal error',
  admin_unreadable: 'the service answered in a way this app cannot read',
  not_admin: 'whoever confirmed or approved this is not an administrator of this app any more',
  not_admin_of_all: 'whoever confirmed or approved this may not administer all of it any more',
  auditor: 'whoever confirmed or approved this may only read by now',
  account_not_linked: 'whoever confirmed or approved this is not signed in for administration any more',
  no_access: 'for an hour it could not be found out whether this may still be done',
  no_admin_interface: 'the administrative interface is not configured any more',
  fault: 'something went wrong in this app',
};

/** Why a run ended before all of its items were tried: a sentence. */
export function describeEnd(why: string, left: number): string {
  const reason = REASONS[why] ?? why.replaceAll('_', ' ');
  return `:warning: Ended early: ${reason}. ${left} not tried: the policy has them, and the next review shows them.`;
}
