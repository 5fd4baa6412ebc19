// What a bulk change would do about what a review found: looked up now, and nothing is written.
import { isAdminRefusal } from '../../admin-api/admin-errors.ts';
import { toMrkdwnLine } from '../../slack/views/content.ts';
import { needsSecondApprover } from '../changes/change.ts';
import type { PlannedChange } from '../changes/change-kind.ts';
import { isStoppedFromHere, type StopDecision } from '../inventory/agent-limit.ts';
import { lookUpLimit } from '../limits/known-limit.ts';
import { planLimit } from '../limits/limit-plan.ts';
import type { Candidate, CandidateKind } from '../review/bulk-candidates.ts';
import { toWanted } from '../review/correction.ts';
import { describeFinding, describeLeft } from '../review/decided-views.ts';
import { type Correction, type CorrectionSources, findCorrection, toPlannedChange } from '../review/find-correction.ts';
import { type AgentFinding, isLimitToSet, toGoverned } from '../review/finding.ts';
import { judgeAgentAgain } from '../review/judge-agent.ts';
import { isShownWhole } from '../review-actions/correct-page-views.ts';
import { describeStuck } from '../review-actions/correction-views.ts';
import { toAdminFailure } from '../shell/admin-failure.ts';
import { mapConcurrently } from '../shell/concurrency.ts';
import type { LeftOutGroup } from './bulk-records.ts';

export type BulkPlan = { items: { kind: CandidateKind; change: PlannedChange }[]; leftOut: LeftOutGroup[] };

export type BulkWish = {
  candidates: readonly Candidate[];
  /** Of agents that may be stopped, where the service does not tell. Undefined: those are left out. */
  stopDecision: StopDecision | undefined;
};

/** `needsApproval`: REQUIRE_SECOND_APPROVER. */
type PlanPorts = { sources: CorrectionSources; needsApproval: boolean };

/** The requests are limited by the session: see paced-session.ts. */
const AT_ONCE = 8;

const MAX_NAMES = 5;

const BY_ITSELF = 'Use *Correct…* under it.';

const WHY = {
  choice: `an update has to set rules that the register leaves to the platform, so somebody has to choose. ${BY_ITSELF}`,
  stopped:
    'the service does not tell whether the agent is stopped, and you did not say it. Begin again, and answer the question; or set the limit by itself.',
  approval: `it allows more than now, so a second admin has to approve it. ${BY_ITSELF}`,
  large: `so much changes that it is to be seen by itself. ${BY_ITSELF}`,
  done: 'by now it is as the register approves. There is nothing to be done.',
};

/** Throws the refusal `admin_unauthorized`, StoreUnavailableError, and bugs; any other failure leaves out one candidate. */
export async function planBulk(
  { candidates, stopDecision }: BulkWish,
  { sources, needsApproval }: PlanPorts,
): Promise<BulkPlan> {
  const thresholds = sources.session.readThresholds();
  // Read once; a failure is thrown where the value is used.
  thresholds.catch(() => undefined);
  const once = { ...sources, session: { ...sources.session, readThresholds: () => thresholds } };
  const plans = await mapConcurrently(candidates, AT_ONCE, async (candidate) => {
    const found = await planOne(candidate, stopDecision, { sources: once, needsApproval });
    return { candidate, found };
  });
  const items = plans.flatMap(({ candidate: { kind }, found }) =>
    'change' in found ? [{ kind, change: found.change }] : [],
  );
  const left = plans.flatMap(({ candidate, found }) => ('why' in found ? [{ candidate, why: found.why }] : []));
  return { items, leftOut: toGroups(left) };
}

type Planned = { change: PlannedChange } | { why: string };

async function planOne(
  candidate: Candidate,
  stopDecision: StopDecision | undefined,
  ports: PlanPorts,
): Promise<Planned> {
  try {
    const planned = await plan(candidate, stopDecision, ports.sources);
    if ('why' in planned) return planned;
    const { change } = planned;
    if (needsSecondApprover(change.plan, ports)) return { why: WHY.approval };
    return isShownWhole(change) ? planned : { why: WHY.large };
  } catch (error) {
    const failure = toAdminFailure(error);
    if (failure === undefined || isAdminRefusal(error, 'admin_unauthorized')) throw error;
    return { why: toMrkdwnLine(failure.sentence, 400) };
  }
}

async function plan(
  { kind, finding, environmentName }: Candidate,
  stopDecision: StopDecision | undefined,
  sources: CorrectionSources,
): Promise<Planned> {
  if (kind === 'untold_limit' && finding.kind === 'agent') {
    const again = await planUntold(finding, { environmentName, stopDecision }, sources);
    if (again !== undefined) return again;
  }
  const first = await findCorrection(finding, { environmentName }, sources);
  if (first.kind !== 'needs_stop_decision') return toPlanned(first);
  // A stopped agent stays stopped.
  const decision = first.stopped === true || first.isStoppedFromHere ? 'keep_stopped' : stopDecision;
  if (decision === undefined) return { why: WHY.stopped };
  return toPlanned(await findCorrection(finding, { environmentName, stopDecision: decision }, sources));
}

/** What the register approves, whatever is set. Undefined where the limit can be told by now. */
async function planUntold(
  finding: AgentFinding,
  { environmentName, stopDecision }: { environmentName: string | undefined; stopDecision: StopDecision | undefined },
  sources: CorrectionSources,
): Promise<Planned | undefined> {
  const { agent, known } = await lookUpLimit(toGoverned(finding, environmentName), sources);
  const current = judgeAgentAgain(finding, { agent, known }, sources.judging);
  const { approvedLimit } = current;
  if (!isLimitToSet(current) || approvedLimit === undefined || approvedLimit.monthlyLimit === 'none') return undefined;
  const decision = isStoppedFromHere(known) ? 'keep_stopped' : stopDecision;
  const result = planLimit({ agent, before: known, wanted: toWanted(approvedLimit), stopDecision: decision });
  return result.kind === 'planned' ? { change: { kind: 'limit', plan: result.plan } } : { why: WHY.stopped };
}

function toPlanned(correction: Correction): Planned {
  switch (correction.kind) {
    case 'nothing':
      if (correction.finding.status === 'compliant') return { why: WHY.done };
      return { why: [describeStuck(correction), ...describeLeft(correction.left)].join('\n') };
    case 'amount_not_told':
      return { why: [describeStuck(correction), ...describeLeft(correction.left)].join('\n') };
    case 'needs_choice':
      return { why: WHY.choice };
    case 'needs_stop_decision':
      return { why: WHY.stopped };
    default:
      return { change: toPlannedChange(correction) };
  }
}

function toGroups(left: readonly { candidate: Candidate; why: string }[]): LeftOutGroup[] {
  const byReason = Map.groupBy(left, ({ why }) => why);
  const groups = [...byReason].map(([why, same]) => ({
    why,
    count: same.length,
    names: same
      .slice(0, MAX_NAMES)
      .map(({ candidate }) => describeFinding(candidate.finding, candidate.environmentName)),
  }));
  return groups.sort((one, other) => other.count - one.count);
}
