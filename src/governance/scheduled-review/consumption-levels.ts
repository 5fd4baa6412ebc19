// When an environment has used much of its credits, or an agent of its limit: what its owners are told once a month.
import { createHash } from 'node:crypto';
import type { AdminSession } from '../../admin-api/admin-session.ts';
import type { Entitlement, Threshold } from '../../admin-api/licensing-wire.ts';
import { shareUsed } from '../allocations/consumption.ts';
import { findThreshold, indexThresholds, type ThresholdIndex } from '../limits/known-limit.ts';
import { toIdKey } from '../register/register.ts';
import { type AgentFinding, type EnvironmentFinding, type Finding, isUnreadable } from '../review/finding.ts';
import type { ReviewDiff } from '../review/review-diff.ts';
import type { EnvironmentReview, Review } from '../review/review-summary.ts';
import { createPatientReader, type PatientReaderOptions } from '../review/run-review.ts';
import { mapConcurrently } from '../shell/concurrency.ts';

/** Percent. At 80 there is time to do something, at 100 it is used up. */
const LEVELS = [100, 80] as const;

export type ConsumptionLevel = {
  /** What has used it. */
  finding: Finding;
  environmentName: string | undefined;
  /** Of an environment: which of its credits. Untrusted. */
  currency: string | undefined;
  level: (typeof LEVELS)[number];
  consumed: number;
  /** What is allocated, or the monthly limit. */
  capacity: number;
  /** Epoch ms of the figures, where the service tells it. */
  asOf: number | undefined;
  /** Of an agent: whether it stops at its limit. */
  stopsWhenReached: boolean | undefined;
};

/** On the first day of a month, a figure without a time may still be of the month before. */
const FIRST_DAY_MS = 24 * 60 * 60 * 1000;

function findEnvironmentLevels(
  finding: EnvironmentFinding,
  entitlements: readonly Entitlement[],
  now: number,
): ConsumptionLevel[] {
  return entitlements.flatMap(({ entitlementId: currency, consumed, capacity, asOf }) => {
    const used = { finding, environmentName: undefined, currency, stopsWhenReached: undefined };
    return currency === undefined ? [] : toLevels({ ...used, consumed, capacity, asOf }, now);
  });
}

function findAgentLevels(
  { finding, environmentName }: { finding: AgentFinding; environmentName: string | undefined },
  { consumption: consumed, limit: capacity, stopIfOverCapacity }: Threshold,
  now: number,
): ConsumptionLevel[] {
  const stopsWhenReached = stopIfOverCapacity === 'unknown' ? undefined : stopIfOverCapacity;
  const used = { finding, environmentName, currency: undefined, asOf: undefined, stopsWhenReached };
  return toLevels({ ...used, consumed, capacity }, now);
}

/** One key per recipient, subject, level and calendar month (UTC); a higher level includes the lower ones. */
export function toNoticeKeys(recipient: string, { finding, currency, level }: ConsumptionLevel, now: number): string[] {
  const month = new Date(now).toISOString().slice(0, 7);
  const subject = toIdKey(finding.kind, finding.key, currency ?? '');
  // A digest, so that keys do not name people who have left.
  const digest = createHash('sha256').update(`${recipient}\n${subject}`).digest('base64url');
  return LEVELS.filter((one) => one <= level).map((one) => `level:${month}:${one}:${digest}`);
}

/** In UTC: 1 is the next one. Epoch ms. */
export function startOfMonth(now: number, later = 0): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later, 1);
}

type Used = Omit<ConsumptionLevel, 'level' | 'consumed' | 'capacity'> & {
  consumed: number | undefined;
  capacity: number | undefined;
};

function toLevels({ consumed, capacity, ...used }: Used, now: number): ConsumptionLevel[] {
  const share = shareUsed(consumed, capacity);
  if (share === undefined || consumed === undefined || capacity === undefined) return [];
  if (!isOfThisMonth(used.asOf, now)) return [];
  const level = LEVELS.find((one) => share >= one / 100);
  return level === undefined ? [] : [{ ...used, consumed, capacity, level }];
}

function isOfThisMonth(asOf: number | undefined, now: number): boolean {
  const begin = startOfMonth(now);
  return asOf === undefined ? now - begin >= FIRST_DAY_MS : asOf >= begin;
}

export type LevelSources = PatientReaderOptions & {
  session: Pick<AdminSession, 'readEntitlements' | 'readThresholds'>;
  /** Epoch ms: of the month that it is about. */
  at: number;
};

export type LevelReading = {
  levels: ConsumptionLevel[];
  /** Environments whose consumption could not be read. */
  unread: number;
  /** The limits of agents, which tell their consumption, could not be read. */
  isLimitsUnread: boolean;
};

/** The service counts the calls of a whole tenant. */
const CONCURRENCY = 4;

/**
 * The consumption levels of what has an owner: one more read per environment, and one of all thresholds where the
 * deployment offers it. What cannot be read is left for the next run. Rejects only once the signal is aborted.
 */
export async function readLevels(review: Review, sources: LevelSources): Promise<LevelReading> {
  const { session, at } = sources;
  const read = createPatientReader(sources);
  const thresholds = await read(() => session.readThresholds(), { isVital: true });
  const index = indexThresholds(Array.isArray(thresholds) ? thresholds : []);
  let unread = 0;
  const owned = review.environments.filter(({ environment }) => {
    return environment.status !== 'vanished' && listOwners(environment).length > 0;
  });
  const ofEnvironments = await mapConcurrently(owned, CONCURRENCY, async ({ environment }) => {
    const entitlements = await read(() => session.readEntitlements(environment.environmentId));
    if (!isUnreadable(entitlements)) return findEnvironmentLevels(environment, entitlements, at);
    unread += 1;
    return [];
  });
  const ofAgents = review.environments.map((one) => findLevelsOfAgents(one, index, at));
  const isLimitsUnread = isUnreadable(thresholds) && review.environments.some(hasOwnedAgent);
  return { levels: [...ofEnvironments.flat(), ...ofAgents.flat()], unread, isLimitsUnread };
}

function hasOwnedAgent({ agents }: EnvironmentReview): boolean {
  return agents.some((finding) => listOwners(finding).length > 0);
}

function findLevelsOfAgents(
  { environment, agents }: EnvironmentReview,
  index: ThresholdIndex,
  at: number,
): ConsumptionLevel[] {
  return agents.flatMap((finding) => {
    const { environmentId, agentResourceId, agentName: name } = finding;
    const threshold = findThreshold(index, { environmentId, agentResourceId, name });
    if (threshold === undefined || listOwners(finding).length === 0) return [];
    return findAgentLevels({ finding, environmentName: environment.name }, threshold, at);
  });
}

/** `settled`: what the owner was told about is over, because it is as approved again or was accepted. */
export type FindingItem = {
  kind: 'finding';
  change: 'new' | 'changed' | 'settled';
  finding: Finding;
  environmentName: string | undefined;
  /** Of an agent's environment: told if no owner of the agent is found. */
  environmentOwners: string[];
};

export type LevelItem = { kind: 'level' } & ConsumptionLevel;

/** One thing for its owners, who are e-mail addresses, ids in the directory or Slack user ids. */
export type OwnerItem = FindingItem | LevelItem;

/** None of the first review: everybody would be told at once what the register lacks, before an admin has seen it. */
export function toFindingItems({ isFirst, changes }: ReviewDiff, review: Review): FindingItem[] {
  if (isFirst) return [];
  const environments = new Map(review.environments.map(({ environment }) => [environment.environmentId, environment]));
  return changes.flatMap(({ kind, before, finding }): FindingItem[] => {
    if (finding === undefined || kind === 'gone') return [];
    const change = toChange(kind, before, finding);
    if (change === undefined) return [];
    const environment = finding.kind === 'agent' ? environments.get(finding.environmentId) : undefined;
    const environmentOwners = environment === undefined ? [] : listOwners(environment);
    return [{ kind: 'finding', change, finding, environmentName: environment?.name, environmentOwners }];
  });
}

/** The people that the register names, and the one of the inventory; each once. */
export function listOwners({ owners, ownerId }: Pick<Finding, 'owners' | 'ownerId'>): string[] {
  const all = ownerId === undefined ? owners : [...owners, ownerId];
  return [...new Map(all.map((owner) => [owner.toLowerCase(), owner])).values()];
}

function toChange(
  kind: 'new' | 'changed' | 'resolved',
  before: string | undefined,
  { status }: Finding,
): FindingItem['change'] | undefined {
  const isOver = kind === 'resolved' || status === 'approved_exception';
  if (isOver) return before === 'drift' ? 'settled' : undefined;
  // What could not be read, or is gone, is for admins to look into.
  return status === 'drift' || status === 'unclassified' ? kind : undefined;
}
