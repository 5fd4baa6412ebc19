import {
  findThreshold,
  indexThresholds,
  type LimitSources,
  toDeploymentLimit,
  toLastSetLimit,
  toReadable,
} from '../known-limit.ts';
import type { GovernedAgent, KnownLimit } from '../limit.ts';

/** `agent` comes back with the id that its limit is filed under. */
export type ReadLimit = (agent: GovernedAgent) => Promise<{ agent: GovernedAgent; known: KnownLimit }>;

/**
 * Reads the thresholds of the tenant once, for a look at many agents; where the deployment does not tell them, each
 * limit is the one last set from here. Throws where reading may work later.
 */
export async function openLimits({ readThresholds, changes, now }: LimitSources): Promise<ReadLimit> {
  const thresholds = await toReadable(readThresholds);
  if (!Array.isArray(thresholds)) {
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
