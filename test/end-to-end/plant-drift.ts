// What goes out of order in a tenant: changed in the stand-in itself, as if in the admin console. Each returns the places, as
// `environment|agent`.
import type { AdminState, Allocation, Threshold } from '@assistant-bridge/sandbox/admin/model.ts';

/** In the environments from the place `from` on. */
export function driftAllocations(
  { environments, allocations }: AdminState,
  { from, count }: { from: number; count: number },
  change: (allocation: Allocation) => Allocation,
): string[] {
  return environments.slice(from, from + count).map(({ name }) => {
    const allocation = allocations.get(name);
    if (allocation === undefined) throw new Error(`${name} has no allocation`);
    allocations.set(name, change(allocation));
    return `${name}|`;
  });
}

/** Of the agents from the place `from` on. */
export function driftLimits(
  { agents, thresholds }: AdminState,
  { from, count }: { from: number; count: number },
  change: Partial<Threshold>,
): string[] {
  return agents.slice(from, from + count).map(({ name, environmentId, botId }) => {
    const key = `${environmentId}|${botId}`;
    const threshold = thresholds.get(key);
    if (threshold === undefined) throw new Error(`${key} has no limit`);
    thresholds.set(key, { ...threshold, ...change });
    return `${environmentId}|${name}`;
  });
}
