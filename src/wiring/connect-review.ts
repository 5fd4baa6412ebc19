import type { AdminListenerPorts } from '../governance/admin-listeners.ts';
import { createReviewSchedule } from '../governance/scheduled-review/review-schedule.ts';
import { createScheduledReview, type ScheduledReview } from '../governance/scheduled-review/scheduled-review.ts';
import type { Identity } from '../identity/identity.ts';
import type { Parts } from './parts.ts';

/** Undefined where none is configured. */
export function connectReview(
  { config, backend, people, channels, call, messenger }: Parts,
  { directory }: Identity,
  admin: AdminListenerPorts | undefined,
): ScheduledReview | undefined {
  const { REVIEW_CRON: pattern, REVIEW_CHANNEL: channel, REVIEW_AS: reviewer } = config;
  const { DEFAULT_TIME_ZONE: timeZone } = config;
  if (!admin || !pattern || !channel || !reviewer) return undefined;
  return createScheduledReview({
    ...admin,
    schedule: createReviewSchedule(pattern, timeZone),
    ...{ channel, reviewer, timeZone, people, channels, directory, call, messenger },
    reviews: backend.store.reviews,
    once: backend.store.once,
  });
}
