// An agent that can be governed.
import type { InventoryRow } from './inventory.ts';

/** `agentId`: its id in the inventory; `resourceId`: the one that thresholds go by, often the same. Names: untrusted. */
export type SeenAgent = {
  environmentId: string;
  agentId: string;
  resourceId: string;
  name: string;
  environmentName: string | undefined;
  /** Of a person in the directory, not in Slack. */
  ownerId: string | undefined;
  isHarness: boolean | 'unknown';
};

/** Undefined where the service does not name the agent's environment: thresholds hang on environments. */
export function toSeenAgent(row: InventoryRow): SeenAgent | undefined {
  const { environmentId, environmentName, name: agentId, agentResourceId, displayName, ownerId, isHarness } = row;
  if (environmentId === undefined) return undefined;
  return {
    environmentId,
    agentId,
    resourceId: agentResourceId,
    name: displayName,
    environmentName,
    ownerId,
    isHarness,
  };
}

/** All of one environment, whatever the case of its id. */
export function listAgentsOf(rows: readonly InventoryRow[], environmentId: string): SeenAgent[] {
  const wanted = environmentId.toLowerCase();
  return rows.filter((row) => row.environmentId?.toLowerCase() === wanted).flatMap((row) => toSeenAgent(row) ?? []);
}
