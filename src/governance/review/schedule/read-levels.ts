import type { AdminSession } from '../../../admin-api/admin-session.ts';
import { findThreshold, indexThresholds, type ThresholdIndex } from '../../limits/known-limit.ts';
import { mapConcurrently } from '../../map-concurrently.ts';
import {
  type ConsumptionLevel,
  findAgentLevels,
  findEnvironmentLevels,
} from '../../scheduled-review/consumption-levels.ts';
import { createPatientReader, type PatientReaderOptions } from '../patient-reader.ts';
import { isUnreadable } from '../readings.ts';
import type { EnvironmentReview, Review } from '../review.ts';
import { listOwners } from './owner-items.ts';

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
 * Who has used much, of what has an owner: one more read for each environment, and one of all thresholds where the
 * deployment offers it. What cannot be read is left for the next time. Rejects only where the signal says stop.
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
