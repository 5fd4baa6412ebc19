// The administrative interface in the name of REVIEW_AS.
import type { AdminSession } from '../../admin-api/admin-session.ts';
import { AccountNotLinkedError } from '../../identity/identity-errors.ts';
import { type Caller, isAdmin } from '../shell/admin-rules.ts';
import { notAdmin, notSignedIn } from './problem-messages.ts';
import type { Attempt } from './review-attempt.ts';
import { isMember, isNotInstalled, patiently, type ScheduledServices } from './slack-delivery.ts';

export type ReviewerServices = Pick<
  ScheduledServices,
  'reviewer' | 'rules' | 'lookups' | 'people' | 'openSession' | 'findInstallation'
>;

export type Reviewer = { caller: Caller; session: AdminSession };

/** Who still has to be a member and an admin. Throws ReviewNotDoneError where they are not, or have to sign in. */
export async function openReviewerSession(attempt: Attempt, services: ReviewerServices): Promise<Reviewer> {
  const { reviewer, rules, lookups } = services;
  const { id: user } = reviewer;
  const { team, workspace } = await findReviewersInstallation(services);
  const caller = { team, workspace, user, ...(reviewer.team !== workspace && { homeTeam: reviewer.team }) };
  const isStill =
    (await isMember({ workspace, user }, attempt, services)) &&
    (await patiently(() => isAdmin(caller, rules, lookups), attempt));
  if (!isStill) throw notAdmin(user);
  try {
    return { caller, session: await services.openSession({ team, user }) };
  } catch (error) {
    throw error instanceof AccountNotLinkedError ? notSignedIn(user, { cause: error }) : error;
  }
}

/** Of their own team, which may not be the channel's. If the app is gone there, so is their sign-in. */
async function findReviewersInstallation({ reviewer, findInstallation }: ReviewerServices) {
  try {
    return await findInstallation(reviewer.team);
  } catch (error) {
    throw isNotInstalled(error) ? notSignedIn(reviewer.id, { cause: error }) : error;
  }
}
