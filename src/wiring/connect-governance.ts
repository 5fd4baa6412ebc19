import type { App } from '@slack/bolt';
import type { BackgroundWork } from '../delivery/background-work.ts';
import { registerAdminListeners } from '../governance/admin-listeners.ts';
import { ADMIN_COMMAND } from '../governance/lists/admin-command.ts';
import type { ScheduledReview } from '../governance/scheduled-review/scheduled-review.ts';
import { registerNotSetUp } from '../governance/shell/admin-shell.ts';
import type { Identity } from '../identity/identity.ts';
import type { AnswerClicks } from '../slack/answer-clicks.ts';
import type { ReadGroupMembers } from '../slack/user-groups.ts';
import { connectAdmin } from './connect-admin.ts';
import { connectReview } from './connect-review.ts';
import type { Parts } from './parts.ts';

type Rest = {
  identity: Identity;
  background: BackgroundWork;
  groupMembers: ReadGroupMembers;
  clicks: AnswerClicks;
  interactions: App;
};

/** What administrators do, and what is done for them; the review is undefined where none is configured. */
export type Governance = { review: ScheduledReview | undefined };

/** Listens to administrators from now on. */
export function connectGovernance(parts: Parts, { identity, interactions, ...rest }: Rest): Governance {
  const admin = connectAdmin(parts, identity, rest);
  if (admin) registerAdminListeners(interactions, admin);
  else registerNotSetUp(interactions, ADMIN_COMMAND);
  return { review: connectReview(parts, identity, admin) };
}
