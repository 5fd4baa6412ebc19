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
  /** Agents for which the service names no environment. */
  strayAgents: AgentFinding[];
  /** Why the inventory may lack some; undefined where it is complete. */
  gaps: InventoryGaps;
  summary: ReviewSummary;
};

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
  /** Complete, and everything is shown by the service to be compliant or an approved exception. */
  isCompliant: boolean;
  /** Undefined where the service shows limits. */
  untold?: Untold | undefined;
};

/** Agents in order whose limit the service does not show. Times in epoch ms. */
type Untold = {
  /** By what was last set from here, when the first and the last of these were set, and until when all of them count. */
  lastSet: number;
  firstSetAt?: number | undefined;
  lastSetAt?: number | undefined;
  staleAt?: number | undefined;
  /** No limit is approved for them, and none was set from here. */
  noneSet: number;
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
  summary.isComplete &&= Object.keys(summary.unreadable).length === 0;
  summary.isCompliant = summary.isComplete && countNotInOrder(summary) === 0 && summary.untold === undefined;
  return summary;
}

/** All is as approved, as far as the service tells: it does not show the limits of some agents. */
export function isInOrderAsTold(summary: ReviewSummary): boolean {
  return summary.isComplete && summary.untold !== undefined && countNotInOrder(summary) === 0;
}

/** How many findings are neither compliant nor accepted. */
export function countNotInOrder({ environments, agents }: Pick<ReviewSummary, 'environments' | 'agents'>): number {
  const count = ({ drift, unclassified, vanished, unreadable }: StatusCounts) =>
    drift + unclassified + vanished + unreadable;
  return count(environments) + count(agents);
}

function count(finding: Finding, summary: ReviewSummary): void {
  const { kind, status, differences, reason } = finding;
  summary[kind === 'environment' ? 'environments' : 'agents'][status] += 1;
  if (reason !== undefined) summary.unreadable[reason] = (summary.unreadable[reason] ?? 0) + 1;
  if (kind === 'environment' && drawsOnTenantPool(finding)) summary.newOnTenantPool += 1;
  if (differences.some(({ exception }) => exception?.isExpired)) summary.expired += 1;
  if (isUntold(finding)) summary.untold = addUntold(finding, summary.untold);
  if (status !== 'drift') return;
  for (const { way } of differences.filter(isOpen)) summary.drifts[way] += 1;
}

/** Also one whose difference from what is approved is accepted: whether it is still that one is not shown. */
function isUntold(finding: Finding): finding is AgentFinding {
  if (finding.kind !== 'agent') return false;
  const { status, limitSource } = finding;
  return status === 'as_far_as_told' || (status === 'approved_exception' && limitSource === 'last_set');
}

function addUntold(finding: AgentFinding, before: Untold = { lastSet: 0, noneSet: 0 }): Untold {
  const { limitSetAt: at, limitStaleAt: staleAt } = finding;
  if (at === undefined || staleAt === undefined) return { ...before, noneSet: before.noneSet + 1 };
  return {
    lastSet: before.lastSet + 1,
    firstSetAt: Math.min(before.firstSetAt ?? at, at),
    lastSetAt: Math.max(before.lastSetAt ?? at, at),
    staleAt: Math.min(before.staleAt ?? staleAt, staleAt),
    noneSet: before.noneSet,
  };
}

function countNone(): StatusCounts {
  return {
    compliant: 0,
    as_far_as_told: 0,
    drift: 0,
    approved_exception: 0,
    unclassified: 0,
    vanished: 0,
    unreadable: 0,
  };
}

/** The environment's own finding says all there is to say about its agents: it has to be dealt with first. */
export function isCovering({ status }: EnvironmentFinding): boolean {
  return status === 'unclassified' || status === 'vanished';
}

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
