// What a bulk change would do about what a review found: looked up now, and nothing is written.
import { isStoppedFromHere, type StopDecision } from '../inventory/agent-limit.ts';
import { lookUpLimit } from '../limits/known-limit.ts';
import { planLimit } from '../limits/limit-plan.ts';
import type { Candidate } from '../review/bulk-candidates.ts';
import { toWanted } from '../review/correction.ts';
import { describeFinding, describeLeft } from '../review/decided-views.ts';
import { type Correction, type CorrectionSources, findCorrection, toPlannedChange } from '../review/find-correction.ts';
import { type AgentFinding, isLimitToSet, toGoverned } from '../review/finding.ts';
import { judgeAgentAgain } from '../review/judge-agent.ts';
import { describeStuck } from '../review-actions/correction-views.ts';
import {
  type BulkPlan,
  NOT_SAID_WHETHER_STOPPED,
  type PlannedItem,
  planItems,
  readingOnce,
} from './slack-plan-items.ts';

export type BulkWish = {
  candidates: readonly Candidate[];
  /** Of agents that may be stopped, where the service does not tell. Undefined: those are left out. */
  stopDecision: StopDecision | undefined;
};

const CHOICE =
  'an update has to set rules that the register leaves to the platform, so somebody has to choose. Use *Correct…* under it.';

/** Throws as planItems does. */
export function planBulk({ candidates, stopDecision }: BulkWish, sources: CorrectionSources): Promise<BulkPlan> {
  const once = { ...sources, session: readingOnce(sources.session) };
  return planItems(
    candidates,
    async (candidate) => {
      const planned = await plan(candidate, stopDecision, once);
      return 'why' in planned ? planned : { ...planned, kind: candidate.kind };
    },
    ({ finding, environmentName }) => describeFinding(finding, environmentName),
  );
}

type Planned = { why: string } | Omit<Extract<PlannedItem, { change: unknown }>, 'kind'>;

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
  if (decision === undefined) return { why: NOT_SAID_WHETHER_STOPPED };
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
  return result.kind === 'planned'
    ? { change: { kind: 'limit', plan: result.plan } }
    : { why: NOT_SAID_WHETHER_STOPPED };
}

function toPlanned(correction: Correction): Planned {
  switch (correction.kind) {
    case 'nothing':
    case 'amount_not_told':
      return { why: [describeStuck(correction), ...describeLeft(correction.left)].join('\n') };
    case 'needs_choice':
      return { why: CHOICE };
    case 'needs_stop_decision':
      return { why: NOT_SAID_WHETHER_STOPPED };
    default:
      return { change: toPlannedChange(correction) };
  }
}
