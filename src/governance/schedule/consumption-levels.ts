// Environments that have used much of their credits, and agents of their limits: said once a month for each level.
import { createHash } from 'node:crypto';
import type { AdminSession } from '../../admin-api/admin-session.ts';
import type { Entitlement } from '../../admin-api/licensing-wire.ts';
import type { Seen } from '../plan/seen.ts';
import { type AgentTarget, type EnvironmentTarget, toTargetKey } from '../policy/target.ts';
import { optional } from '../shell/admin-failure.ts';
import { mapConcurrently } from '../shell/concurrency.ts';
import { toPercentUsed } from '../shell/whole-number.ts';

/** What an environment has used of its credits, or an agent of its limit. `name`, `where`: untrusted. */
export type ConsumptionLevel = {
  target: EnvironmentTarget | AgentTarget;
  name: string;
  where: string | undefined;
  ownerId: string | undefined;
  /** Percent: the highest configured one that it has reached, and those below it. */
  level: number;
  lowerLevels: number[];
  consumed: number;
  /** What is allocated, or the monthly limit. */
  capacity: number;
  /** Of an agent: whether it stops at its limit. */
  stopsAtLimit: boolean | undefined;
};

export type LevelOptions = {
  session: Pick<AdminSession, 'readEntitlements'>;
  /** REVIEW_LEVELS: percent, highest first. Without any nothing is read. */
  levels: readonly number[];
  /** Of agents' limits. */
  currency: string;
  /** Epoch ms: of the month that it is about. */
  at: number;
};

/** `unread`: how many environments could not be read. */
export type LevelReading = { levels: ConsumptionLevel[]; unread: number };

/** The service limits the calls of a whole tenant. */
const CONCURRENCY = 4;

/** One more read for each environment; limits show what agents used where the service shows limits. */
export async function readLevels(seen: Seen, options: LevelOptions): Promise<LevelReading> {
  if (options.levels.length === 0) return { levels: [], unread: 0 };
  let unread = 0;
  const ofEnvironments = await mapConcurrently(seen.environments, CONCURRENCY, async (environment) => {
    const { environmentId, name, ownerId } = environment;
    const entitlements = await optional(options.session.readEntitlements(environmentId));
    if (entitlements === 'gap') {
      unread += 1;
      return [];
    }
    const subject = { name, where: undefined, ownerId, stopsAtLimit: undefined };
    return entitlements.flatMap((one) => readEnvironmentLevel({ ...subject, environmentId }, one, options));
  });
  return { levels: [...ofEnvironments.flat(), ...readAgentLevels(seen, options)], unread };
}

type Subject = Pick<ConsumptionLevel, 'name' | 'where' | 'ownerId' | 'stopsAtLimit'>;

function readEnvironmentLevel(
  { environmentId, ...subject }: Subject & { environmentId: string },
  { entitlementId: currency, consumed, capacity, asOf }: Entitlement,
  options: LevelOptions,
): ConsumptionLevel[] {
  if (currency === undefined || !isOfThisMonth(asOf, options.at)) return [];
  return toLevels({ ...subject, target: { environmentId, currency }, consumed, capacity }, options);
}

function readAgentLevels(seen: Seen, options: LevelOptions): ConsumptionLevel[] {
  const { currency } = options;
  if (!isOfThisMonth(undefined, options.at)) return [];
  return seen.agents.flatMap((agent) => {
    const shown = seen.threshold(agent, currency);
    if (typeof shown !== 'object' || shown.limit === 'none') return [];
    const { environmentId, agentId, name, environmentName, ownerId } = agent;
    const { credits: capacity, stopAtLimit: stopsAtLimit } = shown.limit;
    const target = { environmentId, agentId, currency };
    const used = { name, where: environmentName ?? environmentId, ownerId, stopsAtLimit, target };
    return toLevels({ ...used, consumed: shown.used, capacity }, options);
  });
}

type Used = Omit<ConsumptionLevel, 'level' | 'lowerLevels' | 'consumed' | 'capacity'> & {
  consumed: number | undefined;
  capacity: number | undefined;
};

function toLevels({ consumed, capacity, ...used }: Used, { levels }: LevelOptions): ConsumptionLevel[] {
  if (consumed === undefined || capacity === undefined || capacity <= 0) return [];
  const percent = toPercentUsed(consumed / capacity);
  const [level, ...lowerLevels] = levels.filter((one) => percent >= one);
  return level === undefined ? [] : [{ ...used, consumed, capacity, level, lowerLevels }];
}

const DAY_MS = 24 * 3_600_000;

/** On the first day of a month, a figure without a time may still be of the month before. */
function isOfThisMonth(asOf: number | undefined, now: number): boolean {
  const begin = startOfMonth(now);
  return asOf === undefined ? now - begin >= DAY_MS : asOf >= begin;
}

/** Epoch ms, in UTC; `later`: 1 is the next month. */
export function startOfMonth(at: number, later = 0): number {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later, 1);
}

/** One key for each recipient, subject, level and calendar month (UTC), the highest level first: it includes the lower ones. */
export function toNoticeKeys(
  recipient: string,
  { target, level, lowerLevels }: ConsumptionLevel,
  at: number,
): string[] {
  const month = new Date(at).toISOString().slice(0, 7);
  // A digest, so that keys do not name people who have left.
  const digest = createHash('sha256')
    .update(`${recipient}\n${toTargetKey(target)}`)
    .digest('base64url');
  return [level, ...lowerLevels].map((one) => `notice:level:${month}:${one}:${digest}`);
}
