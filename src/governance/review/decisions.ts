// What an admin decides about a finding in Slack, made a record of the overlay; or the sentence that says why not.
import { isDay, isExpired } from '../register/expiry.ts';
import { findAdditions } from '../register/find-additions.ts';
import type {
  AgentLimitRecord,
  ClassificationRecord,
  Decision,
  ExceptionRecord,
  OverlayRecord,
} from '../register/overlay.ts';
import type { AcceptedDrift, ApprovedLimit, Classification, Register, StatedAllocation } from '../register/register.ts';
import type { AgentFinding, Difference, EnvironmentFinding, Finding } from './finding.ts';

/** Who decides, when and why, beside which register. `id` is one per decision. */
export type DecisionRequest = Pick<OverlayRecord, 'id' | 'by' | 'approvedBy' | 'at' | 'registerHash'> & {
  /** As typed. */
  reason: string;
};

export type Decided<Kind extends OverlayRecord> = { record: Kind } | { problem: string };

/** As long as a line of the register may be. */
const MAX_REASON_LENGTH = 500;

/** Accepts all drift of the finding that can be told, at exactly the values that were found. `expiresOn`: YYYY-MM-DD. */
export function acceptDrift(
  finding: Finding,
  request: DecisionRequest & { expiresOn: string },
): Decided<ExceptionRecord> {
  const accepts = finding.differences.filter(isOpen).flatMap(toAccepted);
  if (finding.status !== 'drift' || accepts.length === 0) {
    return { problem: 'There is no drift here that could be accepted. Look at the review again.' };
  }
  const { expiresOn } = request;
  if (!isDay(expiresOn)) return { problem: 'Choose the last day on which the exception holds.' };
  if (isExpired(expiresOn, request.at)) return { problem: 'This day is over. Choose a later one.' };
  const decision = toDecision(finding, request);
  if ('problem' in decision) return decision;
  const { agentResourceId, agentName } = finding.kind === 'agent' ? finding : {};
  return { record: { ...decision, kind: 'exception', agentResourceId, agentName, accepts, expiresOn } };
}

/** Says what an environment is that the register does not name. Without `allocations` its defaults are approved. */
export function classifyEnvironment(
  finding: EnvironmentFinding,
  request: DecisionRequest & {
    register: Register;
    classification: Classification;
    owners?: string[];
    allocations?: StatedAllocation[] | 'none';
  },
): Decided<ClassificationRecord> {
  const { register, classification, owners = [], allocations } = request;
  const decision = toDecision(finding, request);
  if ('problem' in decision) return decision;
  const name = toLine(finding.name) || undefined;
  const record: ClassificationRecord = {
    ...decision,
    kind: 'classification',
    name,
    classification,
    owners,
    allocations,
  };
  switch (findAdditions(register, [record]).unused[0]?.reason) {
    case undefined:
      return { record };
    case 'defaults_incomplete':
      return {
        problem: `The register does not say all that is approved for ${classification} by default. Complete its defaults, or name this environment in it.`,
      };
    default:
      return {
        problem: 'The register names this environment by now, or somebody has classified it. Look at the review again.',
      };
  }
}

/** Says what limit an agent is to have that the register does not name. */
export function approveLimit(
  finding: AgentFinding,
  request: DecisionRequest & { limit: ApprovedLimit },
): Decided<AgentLimitRecord> {
  const decision = toDecision(finding, request);
  if ('problem' in decision) return decision;
  const { agentResourceId, agentName } = finding;
  const name = toLine(finding.name) || undefined;
  return {
    record: { ...decision, kind: 'agent_limit', agentResourceId, agentName, name, limit: request.limit },
  };
}

/**
 * Whether it approves more than the register's file and its defaults do for this environment or agent, or that cannot be
 * told: what is not named there has nothing approved. `finding`: with the exceptions of now.
 */
export function approvesMore(kind: OverlayRecord['kind'], finding: Finding): boolean {
  if (kind !== 'exception') return true;
  return finding.differences.some((one) => isOpen(one) && one.found !== 'unknown' && one.way !== 'tighter');
}

function toDecision(
  { environmentId }: Finding,
  { id, by, approvedBy, at, registerHash, reason: typed }: DecisionRequest,
): Decision | { problem: string } {
  const reason = toLine(typed);
  if (reason === '') return { problem: 'Write the reason: whoever reviews this later has nothing else to go by.' };
  return { schema: 1, id, environmentId, reason, by, approvedBy, at, registerHash };
}

/** What is written into a register is one line. */
function toLine(text: string): string {
  return text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_REASON_LENGTH)
    .toWellFormed();
}

function isOpen({ exception }: Difference): boolean {
  return exception === undefined || exception.isExpired;
}

function toAccepted({ setting, currency, found }: Difference): AcceptedDrift[] {
  return found === 'unknown' ? [] : [{ setting, currency, value: found }];
}
