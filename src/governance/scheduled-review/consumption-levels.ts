// Environments that have used much of their credits, and agents of their limits: it is told once a month, to their owners or,
// where nobody owns them, to the channel.

import { createHash } from 'node:crypto';
import type { AdminSession } from '../../admin-api/admin-session.ts';
import type { Entitlement, Threshold } from '../../admin-api/licensing-wire.ts';
import { startOfMonth } from '../allocations/consumption.ts';
import { findThreshold, indexThresholds, type ThresholdIndex } from '../limits/known-limit.ts';
import { toIdKey } from '../register/register.ts';
import { type AgentFinding, type EnvironmentFinding, isUnreadable } from '../review/finding.ts';
import { createPatientReader, type PatientReaderOptions } from '../review/patient-reader.ts';
import type { EnvironmentReview, Review } from '../review/review-summary.ts';
import { mapConcurrently } from '../shell/concurrency.ts';
import { toPercentUsed } from '../shell/whole-number.ts';
import type { ConsumptionLevel } from './owner-items.ts';

type LevelSources = PatientReaderOptions & {
  session: Pick<AdminSession, 'readEntitlements' | 'readThresholds'>;
  /** REVIEW_LEVELS: percent, highest first. Without any nothing is read. */
  levels: readonly number[];
  /** Epoch ms: of the month that it is about. */
  at: number;
};

type Measure = Pick<LevelSources, 'levels' | 'at'>;

export type LevelReading = {
  levels: ConsumptionLevel[];
  /** Environments whose consumption could not be read. */
  unread: number;
  /** The limits of agents, which tell their consumption, could not be read. */
  isLimitsUnread: boolean;
};

/** The service limits the calls of a whole tenant. */
const CONCURRENCY = 4;

/** On the first day of a month, a figure without a time may still be of the month before. */
const FIRST_DAY_MS = 24 * 60 * 60 * 1000;

/**
 * The consumption levels: one more read per environment, and one of all thresholds where the deployment offers it. What
 * cannot be read is left for the next run. Rejects only once the signal is aborted.
 */
export async function readLevels(review: Review, sources: LevelSources): Promise<LevelReading> {
  const { session, levels } = sources;
  if (levels.length === 0) return { levels: [], unread: 0, isLimitsUnread: false };
  const read = createPatientReader(sources);
  const thresholds = await read(() => session.readThresholds(), { isVital: true });
  const index = indexThresholds(Array.isArray(thresholds) ? thresholds : []);
  let unread = 0;
  const listed = review.environments.filter(({ environment }) => environment.status !== 'vanished');
  const ofEnvironments = await mapConcurrently(listed, CONCURRENCY, async ({ environment }) => {
    const entitlements = await read(() => session.readEntitlements(environment.environmentId));
    if (!isUnreadable(entitlements)) return findEnvironmentLevels(environment, entitlements, sources);
    unread += 1;
    return [];
  });
  const ofAgents = review.environments.map((one) => findLevelsOfAgents(one, index, sources));
  const isLimitsUnread = isUnreadable(thresholds) && review.environments.some(({ agents }) => agents.length > 0);
  return { levels: [...ofEnvironments.flat(), ...ofAgents.flat()], unread, isLimitsUnread };
}

function findEnvironmentLevels(
  finding: EnvironmentFinding,
  entitlements: readonly Entitlement[],
  measure: Measure,
): ConsumptionLevel[] {
  return entitlements.flatMap(({ entitlementId: currency, consumed, capacity, asOf }) => {
    const used = { finding, environmentName: undefined, currency, stopsWhenReached: undefined };
    return currency === undefined ? [] : toLevels({ ...used, consumed, capacity, asOf }, measure);
  });
}

function findLevelsOfAgents(
  { environment, agents }: EnvironmentReview,
  index: ThresholdIndex,
  measure: Measure,
): ConsumptionLevel[] {
  return agents.flatMap((finding) => {
    const { environmentId, agentResourceId, agentName: name } = finding;
    const threshold = findThreshold(index, { environmentId, agentResourceId, name });
    return threshold ? findAgentLevels({ finding, environmentName: environment.name }, threshold, measure) : [];
  });
}

function findAgentLevels(
  { finding, environmentName }: { finding: AgentFinding; environmentName: string | undefined },
  { consumption: consumed, limit: capacity, stopIfOverCapacity }: Threshold,
  measure: Measure,
): ConsumptionLevel[] {
  const stopsWhenReached = stopIfOverCapacity === 'unknown' ? undefined : stopIfOverCapacity;
  const used = { finding, environmentName, currency: undefined, asOf: undefined, stopsWhenReached };
  return toLevels({ ...used, consumed, capacity }, measure);
}

type Used = Omit<ConsumptionLevel, 'level' | 'lowerLevels' | 'consumed' | 'capacity'> & {
  consumed: number | undefined;
  capacity: number | undefined;
};

function toLevels({ consumed, capacity, ...used }: Used, { levels, at }: Measure): ConsumptionLevel[] {
  if (consumed === undefined || capacity === undefined || capacity <= 0 || !isOfThisMonth(used.asOf, at)) return [];
  const percent = toPercentUsed(consumed / capacity);
  const [level, ...lowerLevels] = levels.filter((one) => percent >= one);
  return level === undefined ? [] : [{ ...used, consumed, capacity, level, lowerLevels }];
}

function isOfThisMonth(asOf: number | undefined, now: number): boolean {
  const begin = startOfMonth(now);
  return asOf === undefined ? now - begin >= FIRST_DAY_MS : asOf >= begin;
}

/** One key per recipient, subject, level and calendar month (UTC); a higher level includes the lower ones. */
export function toNoticeKeys(recipient: string, item: ConsumptionLevel, now: number): string[] {
  const { finding, currency, level, lowerLevels } = item;
  const month = new Date(now).toISOString().slice(0, 7);
  const subject = toIdKey(finding.kind, finding.key, currency ?? '');
  // A digest, so that keys do not name people who have left.
  const digest = createHash('sha256').update(`${recipient}\n${subject}`).digest('base64url');
  return [level, ...lowerLevels].map((one) => `level:${month}:${one}:${digest}`);
}
