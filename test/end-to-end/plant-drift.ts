// What goes out of order in a tenant: changed in the stand-in itself, as if in the admin console. Each returns the places, as
// `environment|agent`.
import { type AdminState, type Allocation, CURRENCY, type Threshold } from '@assistant-bridge/sandbox/admin/model.ts';

export function withRules(allocation: Allocation, rules: Readonly<Record<string, boolean>>): Allocation {
  return mapCurrency(allocation, (first) => ({
    ...first,
    enforcementRules: first.enforcementRules.map((rule) => ({
      ...rule,
      enabled: rules[rule.ruleType] ?? rule.enabled,
    })),
  }));
}

export function withCredits(allocation: Allocation, allocated: number): Allocation {
  return mapCurrency(allocation, (first) => ({ ...first, allocated }));
}

type Currency = Allocation['currencyAllocations'][number];

function mapCurrency(allocation: Allocation, change: (first: Currency) => Currency): Allocation {
  const [first, ...others] = allocation.currencyAllocations;
  if (first?.currencyType !== CURRENCY) throw new Error(`${allocation.environmentId} has no such credits`);
  return { ...allocation, currencyAllocations: [change(first), ...others] };
}

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
