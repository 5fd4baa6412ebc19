// Finds environments that have used much of their credits, and agents of their limits. Reported once a month per level.
import type { AdminSession } from '../../admin-api/admin-session.ts';
import { type AgentTarget, type EnvironmentTarget, toTargetKey } from '../../policy/target.ts';
import { readUsages, startOfMonth } from '../consumption/credit-usage.ts';
import type { Seen } from '../plan/seen.ts';
import { toPercentUsed } from '../shell/numbers.ts';

/** What an environment has used of its credits, or an agent of its limit. `name`, `where`: untrusted. */
export type ConsumptionLevel = {
  target: EnvironmentTarget | AgentTarget;
  name: string;
  where?: string | undefined;
  /** The highest configured level that it has reached, in percent. */
  level: number;
  consumed: number;
  /** What is allocated, or the monthly limit. */
  capacity: number;
  /** For an agent: whether it stops at its limit. */
  stopsAtLimit?: boolean;
};

type LevelOptions = {
  session: Pick<AdminSession, 'readEntitlements'>;
  /** REVIEW_LEVELS: percent, highest first. If empty, nothing is read. */
  levels: readonly number[];
  /** The currency of agents' limits. */
  currency: string;
  /** A time in the month to report (epoch ms). */
  at: number;
};

/** What is used, before it is compared with the levels. */
type Used = Omit<ConsumptionLevel, 'level' | 'consumed' | 'capacity'> & {
  consumed: number | undefined;
  capacity: number | undefined;
  asOf: number | undefined;
};

/**
 * Reads the usage of each environment. The usage of agents comes with their limits, if the service shows them. `unread`:
 * how many environments could not be read.
 */
export async function readLevels(
  seen: Seen,
  { session, levels: wanted, currency, at }: LevelOptions,
): Promise<{ levels: ConsumptionLevel[]; unread: number }> {
  if (wanted.length === 0) return { levels: [], unread: 0 };
  const read = await readUsages(seen.environments, { session, now: () => at });
  const ofEnvironments = read.flatMap(({ environmentId, name, usages }): Used[] => {
    const all = usages === 'unreadable' ? [] : usages;
    return all.map(({ currencyType, consumed, capacity, asOf }) => ({
      ...{ name, target: { environmentId, currency: currencyType }, consumed, capacity, asOf },
    }));
  });
  const levels = [...ofEnvironments, ...listAgents(seen, currency)]
    .filter(({ asOf }) => isOfThisMonth(asOf, at))
    .flatMap((used) => toLevel(used, wanted));
  return { levels, unread: read.filter(({ usages }) => usages === 'unreadable').length };
}

function listAgents(seen: Seen, currency: string): Used[] {
  return seen.agents.flatMap((agent) => {
    const shown = seen.threshold(agent, currency);
    if (typeof shown !== 'object' || shown.limit === 'none') return [];
    const { environmentId, agentId, name, environmentName: where = environmentId } = agent;
    const { credits: capacity, stopAtLimit: stopsAtLimit } = shown.limit;
    const target = { environmentId, agentId, currency };
    return [{ name, where, target, stopsAtLimit, consumed: shown.used, capacity, asOf: undefined }];
  });
}

function toLevel({ consumed, capacity, asOf: _, ...used }: Used, wanted: readonly number[]): ConsumptionLevel[] {
  if (consumed === undefined || capacity === undefined || capacity <= 0) return [];
  const percent = toPercentUsed(consumed / capacity);
  const level = wanted.find((one) => percent >= one);
  return level === undefined ? [] : [{ ...used, consumed, capacity, level }];
}

const DAY_MS = 24 * 3_600_000;

/** On the first day of a month, a figure without a time may still be of the month before. */
function isOfThisMonth(asOf: number | undefined, now: number): boolean {
  const begin = startOfMonth(now);
  return asOf === undefined ? now - begin >= DAY_MS : asOf >= begin;
}

/** The highest level that was reported in a calendar month (UTC), by toTargetKey. */
export type SaidLevels = { month: string; levels: Record<string, number> };

/**
 * `fresh`: levels above those that were reported this month. `toSaid`: adds the levels that are reported now; the others
 * are found again. `at`: epoch ms.
 */
export function findNewLevels(levels: readonly ConsumptionLevel[], before: SaidLevels | undefined, at: number) {
  const month = new Date(at).toISOString().slice(0, 7);
  const last = before?.month === month ? before.levels : {};
  const fresh = levels.filter(({ target, level }) => level > (last[toTargetKey(target)] ?? 0));
  const toSaid = (said: readonly ConsumptionLevel[]): SaidLevels => {
    const added = Object.fromEntries(said.map(({ target, level }) => [toTargetKey(target), level]));
    return { month, levels: { ...last, ...added } };
  };
  return { fresh, toSaid };
}
