import { AdminForbiddenError, AdminUnreadableError } from '../../admin/admin-errors.ts';
import type { Threshold } from '../../admin/threshold-wire.ts';
import {
  findThreshold,
  indexThresholds,
  type LimitSources,
  toDeploymentLimit,
  toLastSetLimit,
} from '../known-limit.ts';
import type { GovernedAgent, KnownLimit } from '../limit.ts';

/** `agent` comes back with the id that its limit is filed under. */
export type ReadLimit = (agent: GovernedAgent) => Promise<{ agent: GovernedAgent; known: KnownLimit }>;

/**
 * Reads the thresholds of the tenant once, for a look at many agents; where the deployment does not tell them, each
 * limit is the one last set from here. Throws where reading may work later.
 */
export async function openLimits({ readThresholds, changes, now }: LimitSources): Promise<ReadLimit> {
  const thresholds = await readIfTold(readThresholds);
  if (thresholds === undefined) {
    return async (agent) => {
      return { agent, known: toLastSetLimit(await changes.lastSet(agent.environmentId, agent.agentResourceId)) };
    };
  }
  const index = indexThresholds(thresholds);
  const readAt = now();
  return async (agent) => {
    const threshold = findThreshold(index, agent);
    const { agentResourceId } = agent;
    return {
      agent: { ...agent, agentResourceId: threshold?.resourceId ?? agentResourceId },
      known: toDeploymentLimit(threshold, readAt),
    };
  };
}

async function readIfTold(readThresholds: LimitSources['readThresholds']): Promise<Threshold[] | undefined> {
  try {
    const thresholds = await readThresholds();
    return thresholds === 'not_offered' ? undefined : thresholds;
  } catch (error) {
    if (error instanceof AdminForbiddenError || error instanceof AdminUnreadableError) return undefined;
    throw error;
  }
}
