// A whole review: its findings, and how many there are of each kind.
import {
  type AgentFinding,
  drawsOnTenantPool,
  type EnvironmentFinding,
  type Finding,
  type FindingStatus,
  type InventoryGaps,
  isOpen,
  type Way,
} from './finding.ts';

type StatusCounts = Record<FindingStatus, number>;

export type ReviewSummary = {
  environments: StatusCounts;
  agents: StatusCounts;
  /** Differences that nobody has accepted, of environments and agents in drift. */
  drifts: Record<Way, number>;
  /** Environments that the register does not name, and that draw on the tenant's unallocated credits. */
  newOnTenantPool: number;
  /** Findings with an exception that has run out. */
  expired: number;
  /** How many findings are unreadable, by reason. */
  unreadable: { [reason: string]: number };
  /** Agents that the register leaves out of reviews. */
  notReviewed: number;
  /** Everything was listed, and everything was read. */
  isComplete: boolean;
  /** Complete, and all of it compliant or an approved exception. */
  isCompliant: boolean;
};

export function summarize(findings: Iterable<Finding>, gaps: InventoryGaps, notReviewed: number): ReviewSummary {
  const summary: ReviewSummary = {
    environments: countNone(),
    agents: countNone(),
    drifts: { looser: 0, tighter: 0, unclear: 0 },
    newOnTenantPool: 0,
    expired: 0,
    unreadable: {},
    notReviewed,
    isComplete: gaps.environments === undefined && gaps.agents === undefined,
    isCompliant: false,
  };
  for (const finding of findings) count(finding, summary);
  const { unreadable, unclassified, drift, vanished } = add(summary.environments, summary.agents);
  summary.isComplete &&= Object.keys(summary.unreadable).length === 0;
  summary.isCompliant = summary.isComplete && unreadable + unclassified + drift + vanished === 0;
  return summary;
}

function count(finding: Finding, summary: ReviewSummary): void {
  const { kind, status, differences, reason } = finding;
  summary[kind === 'environment' ? 'environments' : 'agents'][status] += 1;
  if (reason !== undefined) summary.unreadable[reason] = (summary.unreadable[reason] ?? 0) + 1;
  if (kind === 'environment' && drawsOnTenantPool(finding)) summary.newOnTenantPool += 1;
  if (differences.some(({ exception }) => exception?.isExpired)) summary.expired += 1;
  if (status !== 'drift') return;
  for (const { way } of differences.filter(isOpen)) summary.drifts[way] += 1;
}

function countNone(): StatusCounts {
  return { compliant: 0, drift: 0, approved_exception: 0, unclassified: 0, vanished: 0, unreadable: 0 };
}

function add(one: StatusCounts, other: StatusCounts): StatusCounts {
  const sum = countNone();
  for (const status of Object.keys(sum) as FindingStatus[]) sum[status] = one[status] + other[status];
  return sum;
}

export type EnvironmentReview = {
  environment: EnvironmentFinding;
  /** All that were found, and those that only the register names. */
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
