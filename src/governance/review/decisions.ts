// What an admin decides about a finding in Slack, made a record of the overlay; or the sentence that says why not.

import { type LimitForm, type LimitFormErrors, parseLimitForm } from '../limits/limit-plan.ts';
import { findAdditions } from '../register/merge-overlay.ts';
import type {
  AgentLimitRecord,
  ClassificationRecord,
  Decision,
  ExceptionRecord,
  OverlayRecord,
} from '../register/overlay.ts';
import {
  type AcceptedDrift,
  type ApprovedLimit,
  type Classification,
  isDay,
  isExpired,
  type Register,
  type StatedAllocation,
  toIdKey,
} from '../register/register.ts';
import type { ReadyRegister } from './approved-state.ts';
import {
  type AgentFinding,
  type Difference,
  type EnvironmentFinding,
  type Finding,
  isAcceptable,
  isOpen,
  onlyDifferences,
  toDifferenceKey,
} from './finding.ts';

/** Who decides, when and why, beside which register. `id` is one per decision. */
export type DecisionRequest = Pick<
  OverlayRecord,
  'id' | 'by' | 'account' | 'approvedBy' | 'approverAccount' | 'at' | 'registerHash'
> & {
  /** As typed. */
  reason: string;
};

/** The sentence that says why not. */
export type Problem = { problem: string };

export type Decided<Kind extends OverlayRecord> = { record: Kind } | Problem;

/** As long as a line of the register may be. */
const MAX_REASON_LENGTH = 500;

const MAX_OWNERS = 20;

/** The address of one person, as directories have them; not all that mail allows. */
const ADDRESS = /^[^\s@<>"',;]+@[^\s@<>"',;]+\.[^\s@<>"',;]+$/;

export const NAMED_MEANWHILE =
  'The register names this environment by now, or somebody has classified it. Look at the review again.';

/** Accepts all drift of the finding whose value is known, at exactly the values that were found. `expiresOn`: YYYY-MM-DD. */
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
  finding: Pick<EnvironmentFinding, 'environmentId' | 'name'>,
  request: DecisionRequest & {
    register: Register;
    classification: Classification;
    owners?: string[];
    allocations?: StatedAllocation[] | 'none' | undefined;
    unnamedAgents?: ApprovedLimit | undefined;
  },
): Decided<ClassificationRecord> {
  const { register, classification, owners = [], allocations, unnamedAgents } = request;
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
    unnamedAgents,
  };
  switch (findAdditions(register, [record]).unused[0]?.reason) {
    case undefined:
      return { record };
    case 'defaults_incomplete':
      return {
        problem: `The register does not say all that is approved for ${classification} by default. Complete its defaults, or name this environment in it.`,
      };
    default:
      return { problem: NAMED_MEANWHILE };
  }
}

/** Says again what an environment is that was classified in Slack: `current` counts until then. */
export function reclassifyEnvironment(
  current: ClassificationRecord,
  request: DecisionRequest &
    Pick<ClassificationRecord, 'classification' | 'allocations' | 'unnamedAgents'> &
    Pick<ReadyRegister, 'own'>,
): Decided<ClassificationRecord> {
  const { environmentId, name = '', owners } = current;
  const { own: register, ...rest } = request;
  const decided = classifyEnvironment(
    { environmentId, name },
    { ...rest, at: after(current, rest.at), register, owners },
  );
  return 'problem' in decided ? decided : { record: { ...decided.record, replaces: current.id } };
}

/** From then on the environment is not in the register again. */
export function withdrawClassification(
  current: ClassificationRecord,
  request: DecisionRequest,
): Decided<ClassificationRecord> {
  const decision = toDecision(current, { ...request, at: after(current, request.at) });
  if ('problem' in decision) return decision;
  const { name, classification, owners } = current;
  const record = { name, classification, owners, allocations: undefined, isWithdrawn: true, replaces: current.id };
  return { record: { ...decision, kind: 'classification', ...record } };
}

/** The classification that counts, where it was made in Slack. */
export function findClassification(
  { own, records }: Pick<ReadyRegister, 'own' | 'records'>,
  environmentId: string,
): ClassificationRecord | undefined {
  const key = toIdKey(environmentId);
  return findAdditions(own, records).environments.find(({ record }) => toIdKey(record.environmentId) === key)?.record;
}

/** The later record counts, whatever the clocks of two replicas say. */
function after(current: ClassificationRecord, at: number): number {
  return Math.max(at, current.at + 1);
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
 * told: what is not named there has nothing approved. `finding`: with the exceptions of now. `accepts`: what of it is
 * accepted; undefined: all.
 */
export function approvesMore(
  kind: OverlayRecord['kind'],
  finding: Finding,
  accepts: readonly AcceptedDrift[] = finding.differences.flatMap(toAccepted),
): boolean {
  if (kind !== 'exception') return true;
  const keys = accepts.map(toDifferenceKey);
  const accepted = onlyDifferences(finding, keys).differences.filter(isAcceptable);
  return accepted.some(({ way }) => way !== 'tighter');
}

/** As typed and ticked; with `isNone` the rest does not count. */
export type ApprovedLimitForm = LimitForm & { isNone: boolean };

type ParsedApprovedLimit = { ok: true; limit: ApprovedLimit } | { ok: false; errors: LimitFormErrors };

/** The limit that an agent is to have, or one sentence for each field that cannot be. */
export function parseApprovedLimit({ isNone, ...form }: ApprovedLimitForm): ParsedApprovedLimit {
  if (isNone) return { ok: true, limit: { monthlyLimit: 'none' } };
  const parsed = parseLimitForm(form, { asksForStopDecision: false });
  if (!parsed.ok) return parsed;
  const { limit, notify, notificationThreshold, stopWhenReached } = parsed.wanted;
  const alertAt = notify ? notificationThreshold : 'off';
  return { ok: true, limit: { monthlyLimit: limit, alertAt, stopWhenReached: stopWhenReached ? 'on' : 'off' } };
}

/** Undefined where the day will do, else the sentence that says why not. `day`: YYYY-MM-DD, of UTC. */
export function findLastDayProblem(day: string, now: number): string | undefined {
  if (!isDay(day)) return 'Choose the last day on which the exception holds.';
  const today = toDay(now);
  if (day <= today) return `Choose a day after today, which is ${formatDay(today)} in UTC.`;
  const latest = toLatestDay(now);
  if (day > latest) {
    return `Choose a day up to ${formatDay(latest)}: an exception holds for a year at most, and can be made again then.`;
  }
  return undefined;
}

/** A year ahead: exceptions should be reconsidered at least once a year. */
export function toLatestDay(now: number): string {
  const date = new Date(now);
  return toDay(Date.UTC(date.getUTCFullYear() + 1, date.getUTCMonth(), date.getUTCDate()));
}

type ParsedOwners = { ok: true; owners: string[] } | { ok: false; sentence: string };

/** E-mail addresses as typed, apart by commas, semicolons or blanks, after the Slack user ids that were chosen. */
export function parseOwners(typed: string, users: readonly string[]): ParsedOwners {
  const addresses = typed.split(/[\s,;]+/).filter((part) => part !== '');
  const wrong = addresses.find((address) => !ADDRESS.test(address) || address.length > 254);
  if (wrong !== undefined) {
    return { ok: false, sentence: `“${wrong.slice(0, 60)}” is not an e-mail address. Put commas between them.` };
  }
  const owners = [...new Set([...users, ...addresses.map((address) => address.toLowerCase())])];
  if (owners.length > MAX_OWNERS) return { ok: false, sentence: `Name at most ${MAX_OWNERS} owners in all.` };
  return { ok: true, owners };
}

function toDecision(
  { environmentId }: Pick<Finding, 'environmentId'>,
  { reason: typed, id, by, account, approvedBy, approverAccount, at, registerHash }: DecisionRequest,
): Decision | Problem {
  const reason = toLine(typed);
  if (reason === '') return { problem: 'Write the reason: whoever reviews this later has nothing else to go by.' };
  const who = { by, account, approvedBy, approverAccount };
  return { schema: 1, id, environmentId, reason, ...who, at, registerHash };
}

/** What is written into a register is one line. */
function toLine(text: string): string {
  return text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_REASON_LENGTH)
    .toWellFormed();
}

function toAccepted({ setting, currency, found }: Difference): AcceptedDrift[] {
  return found === 'unknown' ? [] : [{ setting, currency, value: found }];
}

function toDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** 2027-11-21 → 21 Nov 2027. */
function formatDay(day: string): string {
  const options = { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat('en-GB', options).format(new Date(day));
}
