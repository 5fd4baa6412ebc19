import type { AdminSession } from '../../admin-api/admin-session.ts';
import { isAdmin } from '../../governance/is-admin.ts';
import type { ScheduledReviewPorts } from '../../governance/scheduled-review/review-attempt.ts';
import { notAdmin, notSignedIn } from '../../governance/scheduled-review/review-problem.ts';
import { AccountNotLinkedError } from '../../identity/identity-errors.ts';
import { type Installation, UnknownWorkspaceError } from '../installation.ts';
import { isSlackError, SlackUnavailableError } from '../web/slack-errors.ts';
import type { Attempt } from './attempt.ts';
import { patiently } from './patiently.ts';

type SessionPorts = Pick<
  ScheduledReviewPorts,
  'reviewer' | 'rules' | 'lookups' | 'people' | 'openSession' | 'findInstallation'
>;

/**
 * The administrative interface in the name of REVIEW_AS, who still has to be a member and an admin. Throws
 * ReviewNotDoneError where they are not, or have to sign in.
 */
export async function openReviewerSession(attempt: Attempt, ports: SessionPorts): Promise<AdminSession> {
  const { reviewer, rules, lookups } = ports;
  const { id: user } = reviewer;
  const { team, workspace } = await findReviewersInstallation(ports);
  const caller = { team, workspace, user, ...(reviewer.team !== workspace && { homeTeam: reviewer.team }) };
  const isStill =
    (await isMember({ workspace, user }, attempt, ports)) &&
    (await patiently(() => isAdmin(caller, rules, lookups), attempt));
  if (!isStill) throw notAdmin(user);
  try {
    return await ports.openSession({ team, user });
  } catch (error) {
    throw error instanceof AccountNotLinkedError ? notSignedIn(user, { cause: error }) : error;
  }
}

/** Of their own team where it is not the channel's; with the app gone there, so is their sign-in. */
async function findReviewersInstallation({ reviewer, findInstallation }: SessionPorts): Promise<Installation> {
  try {
    return await findInstallation(reviewer.team);
  } catch (error) {
    throw error instanceof UnknownWorkspaceError ? notSignedIn(reviewer.id, { cause: error }) : error;
  }
}

async function isMember(
  { workspace, user }: { workspace: string; user: string },
  attempt: Attempt,
  { people }: SessionPorts,
): Promise<boolean> {
  try {
    return (await patiently(() => people.profile(workspace, user, { importance: 'notice' }), attempt)).isMember;
  } catch (error) {
    if (error instanceof SlackUnavailableError && isSlackError(error.cause, 'user_not_found')) return false;
    throw error;
  }
}
