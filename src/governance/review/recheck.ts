// Whether what a report shows can still be decided: it may be a day old, and others decide meanwhile.

import { isAdminRefusal } from '../../admin-api/admin-errors.ts';
import type { AdminSession } from '../../admin-api/admin-session.ts';
import type { WithLock } from '../../with-lock.ts';
import { lookUpAllocation } from '../allocations/known-allocation.ts';
import type { ChangeStore } from '../changes/change.ts';
import { type LimitSources, lookUpLimit } from '../limits/known-limit.ts';
import { findAdditions } from '../register/merge-overlay.ts';
import type { ClassificationRecord, ExceptionRecord, OverlayRecord } from '../register/overlay.ts';
import { type AcceptedDrift, toIdKey } from '../register/register.ts';
import { toAdminFailure } from '../shell/admin-failure.ts';
import { toCanonicalJson } from '../shell/canonical-json.ts';
import type { ReadyRegister } from './approved-state.ts';
import {
  acceptDrift,
  classifyEnvironment,
  type Decided,
  findClassification,
  NAMED_MEANWHILE,
  type Problem,
} from './decisions.ts';
import {
  type AgentFinding,
  type Difference,
  type EnvironmentFinding,
  explainReason,
  type Finding,
  isAcceptable,
  type ReviewedFinding,
  toGoverned,
} from './finding.ts';
import { judgeAgentAgain } from './judge-agent.ts';
import { type JudgeOptions, judgeEnvironmentAgain } from './judge-environment.ts';
import { findAgentExceptions, findApprovedLimit, judge, type Standards, toStandards } from './standards.ts';

export type RecheckPorts = {
  changes: ChangeStore;
  exclusively: WithLock;
  /** The credit currency that agents use. */
  currency: string;
  /** See JudgeOptions. */
  limitStaleMs: number;
  now: () => number;
};

/** What each decision is about. */
type Subjects = { exception: Finding; classification: EnvironmentFinding; agent_limit: AgentFinding };

export type DecisionKind = keyof Subjects;

/** `finding` has only the differences that are still as they were found; `moved` has those that have changed since. */
export type StillOpen<Kind extends DecisionKind = DecisionKind> = { finding: Subjects[Kind]; moved: Difference[] };

/** Asked again for each newer register. `decided`: what the admin reads if others have decided meanwhile. */
type Recheck<Kind extends DecisionKind> = (approved: ReadyRegister, decided?: string) => StillOpen<Kind> | Problem;

type Reading = { openSession(): Promise<AdminSession>; ports: RecheckPorts };

/** A decision that waits for its approval. */
type Planned = ReviewedFinding & { record: OverlayRecord };

/** `at`: epoch ms. */
type Approval = Required<Pick<OverlayRecord, 'approvedBy' | 'at'>> & Pick<OverlayRecord, 'approverAccount'>;

/** The later of two who decide about the same thing. */
const DECIDED_MEANWHILE =
  'Somebody else has decided about this meanwhile, so nothing more was recorded. Look at the review again.';

const MOVED =
  'Something else is there by now than this review found, so nothing was accepted. Review again, and decide from what it says now.';

const NO_AGENT = 'This is not about an agent, so there is no limit to approve. Look at the review again.';

const IN_FILE =
  "The register's file has an exception for some of this with a last day of its own, and what the file says counts. Change the last day there, and review again.";

const NOT_ALL_THERE =
  'Some of what was to be accepted is not there any more, so nothing was recorded. Review again, and decide from what it says now.';

const REGISTER_CHANGED =
  "The register's file was changed since this was asked for. Review again, and decide from what it says now.";

/**
 * Reads what the decision rests on, or says why that cannot be read. Throws the refusal `admin_unauthorized`, where a
 * sign-in helps, and StoreUnavailableError.
 */
export async function recheck<Kind extends DecisionKind>(
  kind: Kind,
  reviewed: ReviewedFinding,
  reading: Reading,
): Promise<Recheck<Kind> | Problem> {
  try {
    return await RECHECKS[kind](reviewed, reading);
  } catch (error) {
    const failure = toAdminFailure(error);
    if (failure === undefined || isAdminRefusal(error, 'admin_unauthorized')) throw error;
    return { problem: `What is there now could not be read, so nothing was accepted. ${failure.sentence}` };
  }
}

/**
 * For a decision that a second admin approves: reads what it rests on in their name, and then gives its record, or the
 * sentence that says why it cannot be recorded any more. Throws the errors of admin-errors.ts, and StoreUnavailableError.
 */
export async function recheckPlanned(
  planned: Planned,
  reading: Reading,
): Promise<(approved: ReadyRegister, approval: Approval) => Decided<OverlayRecord>> {
  const { record } = planned;
  if (record.kind !== 'exception') return (approved, approval) => decideAgain(planned, approved, approval);
  const look = await recheckValues(planned, reading);
  return (approved, approval) => {
    const still = look(approved);
    if ('problem' in still) return still;
    const { differences } = still.finding;
    const areAllThere = record.accepts.every((one) => differences.some((difference) => isSame(difference, one)));
    return areAllThere ? decideAgain(planned, approved, approval) : { problem: NOT_ALL_THERE };
  };
}

/** Exactly what was approved, or the sentence that says why it cannot be recorded beside this register. */
export function decideAgain(
  { record, finding }: Pick<Planned, 'record' | 'finding'>,
  approved: ReadyRegister,
  { approvedBy, approverAccount, at }: Approval,
): Decided<OverlayRecord> {
  if (approved.registerHash !== record.registerHash) return { problem: REGISTER_CHANGED };
  const problem = findProblem({ ...record, at }, finding, approved);
  // What it replaces is earlier, whatever the clocks of two replicas say.
  const decided = { ...record, approvedBy, approverAccount, at: Math.max(at, record.at) };
  return problem === undefined ? { record: decided } : { problem };
}

/** The sentence that says why accepting this would change nothing; undefined: it would. */
export function findShadowedByFile(record: ExceptionRecord, { own, records }: ReadyRegister): string | undefined {
  const { exceptions } = findAdditions(own, [...records, record]);
  const added = exceptions.find(({ id }) => id === record.id);
  return added !== undefined && added.accepts.length === record.accepts.length ? undefined : IN_FILE;
}

/** What is judged beside a register, as of now. */
export function toJudging({ register }: ReadyRegister, { currency, limitStaleMs, now }: RecheckPorts): JudgeOptions {
  return { standards: toStandards(register), currency, limitStaleMs, now: now() };
}

const RECHECKS: { [Kind in DecisionKind]: (reviewed: ReviewedFinding, reading: Reading) => Promise<Recheck<Kind>> } = {
  exception: recheckValues,
  // These two go by no values.
  classification:
    async ({ finding }) =>
    ({ register }) => {
      const key = toIdKey(finding.environmentId);
      const isNamed = register.environments.some(({ id }) => toIdKey(id) === key);
      return isNamed || finding.kind !== 'environment' ? { problem: NAMED_MEANWHILE } : { finding, moved: [] };
    },
  agent_limit:
    async ({ finding }) =>
    ({ register }) => {
      if (finding.kind !== 'agent') return { problem: NO_AGENT };
      const problem = findLimitProblem(finding, toStandards(register));
      return problem === undefined ? { finding, moved: [] } : { problem };
    },
};

async function recheckValues(
  { finding, environmentName }: ReviewedFinding,
  { openSession, ports }: Reading,
): Promise<Recheck<'exception'>> {
  const sources = { ...ports, session: await openSession() };
  const judgeAgain = await readAgain(finding, environmentName, sources);
  return (approved, decided = DECIDED_MEANWHILE) =>
    findStillOpen(finding, judgeAgain(toJudging(approved, ports)), decided);
}

async function readAgain(
  finding: Finding,
  environmentName: string | undefined,
  sources: RecheckPorts & { session: AdminSession },
): Promise<(options: JudgeOptions) => Finding> {
  if (finding.kind === 'environment') {
    const { allocation } = await lookUpAllocation(finding.environmentId, sources);
    return (options) => judgeEnvironmentAgain(finding, allocation, options);
  }
  const looked = await lookUpFound(finding, environmentName, sources);
  return (options) => judgeAgentAgain(finding, looked, options);
}

/** Throws where the service told the limit earlier and does not now: what was last set here must not take its place. */
export function lookUpFound(finding: AgentFinding, environmentName: string | undefined, sources: LimitSources) {
  const { limitSource } = finding;
  const wasTold = limitSource === 'deployment' || limitSource === 'none';
  const planned = wasTold ? ({ source: 'none', readAt: sources.now() } as const) : undefined;
  return lookUpLimit(toGoverned(finding, environmentName), sources, { planned });
}

function findStillOpen(reviewed: Finding, current: Finding, decided: string): StillOpen<'exception'> | Problem {
  switch (current.status) {
    case 'drift':
      break;
    case 'compliant':
    case 'as_far_as_told':
      return { problem: 'This is as approved by now: there is nothing to accept. Review again.' };
    case 'unreadable': {
      const reason = explainReason(current.reason ?? 'unexpected', current.kind);
      return { problem: `What is there now cannot be told, because ${reason}, so nothing was accepted. Review again.` };
    }
    default:
      return { problem: decided };
  }
  const wasFound = (one: Difference) =>
    reviewed.differences.some((other) => isSame(one, { ...other, value: other.found }));
  const differences = current.differences.filter(wasFound);
  if (!differences.some(isAcceptable)) return { problem: MOVED };
  const moved = current.differences.filter((one) => !differences.includes(one));
  return { finding: { ...current, differences }, moved };
}

function isSame(
  { setting, currency, found }: Difference,
  other: Omit<AcceptedDrift, 'value'> & { value: Difference['found'] },
): boolean {
  return (
    setting === other.setting && toIdKey(currency ?? '') === toIdKey(other.currency ?? '') && found === other.value
  );
}

function findProblem(record: OverlayRecord, finding: Finding, approved: ReadyRegister): string | undefined {
  const standards = toStandards(approved.register);
  switch (record.kind) {
    case 'exception': {
      const current = withExceptionsOfNow(finding, standards, record.at);
      if (current.status !== 'drift') return DECIDED_MEANWHILE;
      const accepted = current.differences.filter((one) => record.accepts.some((other) => isSame(one, other)));
      const again = acceptDrift({ ...current, differences: accepted }, record);
      if ('problem' in again) return again.problem;
      return toCanonicalJson(again.record.accepts) === toCanonicalJson(record.accepts) ? undefined : DECIDED_MEANWHILE;
    }
    case 'classification':
      return findClassifyProblem(record, finding, approved);
    case 'agent_limit':
      return finding.kind === 'agent' ? findLimitProblem(finding, standards) : DECIDED_MEANWHILE;
  }
}

function findClassifyProblem(
  record: ClassificationRecord,
  finding: Finding,
  approved: ReadyRegister,
): string | undefined {
  if (finding.kind !== 'environment') return DECIDED_MEANWHILE;
  if (record.replaces !== undefined) {
    return findClassification(approved, record.environmentId)?.id === record.replaces ? undefined : DECIDED_MEANWHILE;
  }
  const again = classifyEnvironment(finding, { ...record, register: approved.register });
  return 'problem' in again ? again.problem : undefined;
}

/** Why no limit can be approved for this agent now; undefined where one can. */
export function findLimitProblem(
  { environmentId, agentResourceId, agentName }: AgentFinding,
  standards: Standards,
): string | undefined {
  const standard = standards.environments.get(toIdKey(environmentId));
  if (standard === undefined) {
    return 'Nobody has said yet what the environment of this agent is. Classify the environment first: only then does a limit of its agents count.';
  }
  const approved = findApprovedLimit(standard, { agentResourceId, name: agentName });
  return (
    approved &&
    'The register, or somebody in Slack, says by now which limit this agent is to have. Look at the review again.'
  );
}

/** The finding with the exceptions of now; the values are those that were reviewed. */
export function withExceptionsOfNow<Some extends Finding>(finding: Some, standards: Standards, now: number): Some {
  const standard = standards.environments.get(toIdKey(finding.environmentId));
  if (standard === undefined || finding.status !== 'drift') return finding;
  const exceptions =
    finding.kind === 'environment'
      ? (standard.exceptions.get('') ?? [])
      : findAgentExceptions(standard, { agentResourceId: finding.agentResourceId, name: finding.agentName });
  const differences = finding.differences.map(({ exception: _, ...bare }) => bare);
  return { ...finding, ...judge({ differences, exceptions, now, reason: finding.reason }) };
}
