import type { GovernedAgent, KnownLimit } from '../inventory/agent-limit.ts';
import {
  findThreshold,
  indexThresholds,
  type LimitSources,
  toDeploymentLimit,
  toLastSetLimit,
} from '../limits/known-limit.ts';

/** `agent` comes back with the id that its limit is filed under. */
export type ReadLimit = (agent: GovernedAgent) => Promise<{ agent: GovernedAgent; known: KnownLimit }>;

/**
 * Reads the thresholds of the tenant once, for a look at many agents; where the deployment does not offer to read them,
 * each limit is the one last set from here. Throws where it does, and they could not be read: what was last set from
 * here would hide what was changed elsewhere.
 */
export async function openLimits({ session, changes, now }: LimitSources): Promise<ReadLimit> {
  const thresholds = await session.readThresholds();
  if (thresholds === 'not_offered') {
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
