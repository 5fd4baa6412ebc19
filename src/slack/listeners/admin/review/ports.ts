import { openLimits } from '../../../../governance/review/open-limits.ts';
import type { ReviewPorts } from '../../../../governance/review/run-review.ts';
import type { AdminPorts, AdminSession } from '../admin-ports.ts';

/** What a review reads, in the name of one admin. */
export function toReviewPorts(
  { client, token }: AdminSession,
  { changes, now }: Pick<AdminPorts, 'changes' | 'now'>,
): ReviewPorts {
  return {
    findEnvironments: () => client.findEnvironments(token),
    findAgents: () => client.findAgents(token),
    readAllocation: (environmentId) => client.readAllocation(token, environmentId),
    openLimits: () => openLimits({ readThresholds: () => client.readThresholds(token), changes, now }),
  };
}
