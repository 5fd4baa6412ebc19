// When an environment has used much of its credits, or an agent of its limit: what its owners are told once a month.
import { createHash } from 'node:crypto';
import type { Entitlement } from '../../admin/entitlement-wire.ts';
import type { Threshold } from '../../admin/threshold-wire.ts';
import { shareUsed } from '../allocation/forecast.ts';
import { toIdKey } from '../register/register.ts';
import type { AgentFinding, EnvironmentFinding, Finding } from '../review/finding.ts';

/** Percent. At the first there is time to do something, at the second it is used up. */
const LEVELS = [100, 80] as const;

export type ConsumptionLevel = {
  /** What has used it. */
  finding: Finding;
  environmentName: string | undefined;
  /** Of an environment: which of its credits. Untrusted. */
  currency: string | undefined;
  level: (typeof LEVELS)[number];
  consumed: number;
  /** What is allocated, or the monthly limit. */
  capacity: number;
  /** Epoch ms of the figures, where the service tells it. */
  asOf: number | undefined;
  /** Of an agent: whether it stops at its limit. */
  stopsWhenReached: boolean | undefined;
};

/** On the first day of a month, a figure without a time may still be of the month before. */
const FIRST_DAY_MS = 24 * 60 * 60 * 1000;

export function findEnvironmentLevels(
  finding: EnvironmentFinding,
  entitlements: readonly Entitlement[],
  now: number,
): ConsumptionLevel[] {
  return entitlements.flatMap(({ entitlementId: currency, consumed, capacity, asOf }) => {
    const used = { finding, environmentName: undefined, currency, stopsWhenReached: undefined };
    return currency === undefined ? [] : toLevels({ ...used, consumed, capacity, asOf }, now);
  });
}

export function findAgentLevels(
  { finding, environmentName }: { finding: AgentFinding; environmentName: string | undefined },
  { consumption: consumed, limit: capacity, stopIfOverCapacity }: Threshold,
  now: number,
): ConsumptionLevel[] {
  const stopsWhenReached = stopIfOverCapacity === 'unknown' ? undefined : stopIfOverCapacity;
  const used = { finding, environmentName, currency: undefined, asOf: undefined, stopsWhenReached };
  return toLevels({ ...used, consumed, capacity }, now);
}

/** The same for one recipient, subject, level and calendar month (UTC); a higher level speaks for the lower one as well. */
export function toNoticeKeys(recipient: string, { finding, currency, level }: ConsumptionLevel, now: number): string[] {
  const month = new Date(now).toISOString().slice(0, 7);
  const subject = toIdKey(finding.kind, finding.key, currency ?? '');
  // A digest: what is left after somebody has gone does not name them.
  const digest = createHash('sha256').update(`${recipient}\n${subject}`).digest('base64url');
  return LEVELS.filter((one) => one <= level).map((one) => `level:${month}:${one}:${digest}`);
}

/** In UTC: 1 is the next one. Epoch ms. */
export function startOfMonth(now: number, later = 0): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later, 1);
}

type Used = Omit<ConsumptionLevel, 'level' | 'consumed' | 'capacity'> & {
  consumed: number | undefined;
  capacity: number | undefined;
};

function toLevels({ consumed, capacity, ...used }: Used, now: number): ConsumptionLevel[] {
  const share = shareUsed(consumed, capacity);
  if (share === undefined || consumed === undefined || capacity === undefined) return [];
  if (!isOfThisMonth(used.asOf, now)) return [];
  const level = LEVELS.find((one) => share >= one / 100);
  return level === undefined ? [] : [{ ...used, consumed, capacity, level }];
}

function isOfThisMonth(asOf: number | undefined, now: number): boolean {
  const begin = startOfMonth(now);
  return asOf === undefined ? now - begin >= FIRST_DAY_MS : asOf >= begin;
}
