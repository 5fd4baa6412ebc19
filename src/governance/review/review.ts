import type { AgentFinding, EnvironmentFinding, Finding } from './finding.ts';
import type { InventoryGaps } from './readings.ts';
import type { ReviewSummary } from './review-summary.ts';

export type EnvironmentReview = {
  environment: EnvironmentFinding;
  /** All that were looked at, and those that the register names in vain. */
  agents: AgentFinding[];
};

/** Plain values only: it may be stored as JSON. Sorted, so that the same state gives the same review. */
export type Review = {
  /** Epoch ms: when it began. */
  at: number;
  registerHash: string;
  environments: EnvironmentReview[];
  /** Agents of which the service names no environment. */
  strayAgents: AgentFinding[];
  /** Why the inventory may lack some; undefined where it is complete. */
  gaps: InventoryGaps;
  summary: ReviewSummary;
};

/** Environment by environment, each before its agents. */
export function* listFindings({
  environments,
  strayAgents,
}: Pick<Review, 'environments' | 'strayAgents'>): Iterable<Finding> {
  for (const { environment, agents } of environments) {
    yield environment;
    yield* agents;
  }
  yield* strayAgents;
}
