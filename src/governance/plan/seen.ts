// What the service showed, in the types of the policy, so that a plan can compare the two.
import type { Allocation, CurrencyAllocation, Threshold } from '../../admin-api/licensing-wire.ts';
import { toTargetKey } from '../../policy/target.ts';
import { type Credits, type Limit, RULE_TYPES, type RuleType } from '../../policy/values.ts';
import type { SeenAgent } from '../inventory/inventory.ts';

export type { SeenAgent } from '../inventory/inventory.ts';

/** `ownerId`: a person in the directory. `name` is as its maker wrote it: untrusted. */
export type SeenEnvironment = { environmentId: string; name: string; ownerId: string | undefined };

/** What the service holds for one agent in one currency. `used`: credits of this month, never compared. */
export type ThresholdState = { limit: Limit; stopped: boolean; used?: number | undefined };

/**
 * `hidden`: the service offers no read of limits, or it is switched off; `unreadable`: the read failed, or this part of it
 * cannot be understood. Nothing is ever concluded from either.
 */
export type SeenThreshold = ThresholdState | 'hidden' | 'unreadable';

/** By currency, as the service names them. A rule that is not listed, or unreadable, is left out. */
export type CreditsState = Record<string, Credits>;

/** `raw`: as received, for a complete update. `none`: the service knows no allocation of this environment. */
export type SeenCredits = { credits: CreditsState; raw: Allocation | 'none' } | 'unreadable';

export type Seen = {
  /** Epoch ms. */
  at: number;
  environments: readonly SeenEnvironment[];
  agents: readonly SeenAgent[];
  /** False: the service did not list everything, so what is missing is not gone. */
  isWhole: boolean;
  threshold(agent: SeenAgent, currency: string): SeenThreshold;
  /** Undefined: not looked at. */
  credits(environmentId: string): SeenCredits | undefined;
};

/**
 * What was last sent from here for an agent and currency. `at`: epoch ms. `run`: the run that sent it. `inDoubt`: it is not
 * known whether the service took it.
 */
export type Sent = { limit: Limit; stopped: boolean; at: number; run: string; inDoubt?: true | undefined };

/** `key`: toTargetKey of the agent with the currency. */
export type ReadSent = (key: string) => Sent | undefined;

/** The keys of these agents for ReadSent. */
export function listSentKeys(agents: readonly SeenAgent[], currencies: readonly string[]): string[] {
  return agents.flatMap((agent) => currencies.map((currency) => toTargetKey({ ...agent, currency })));
}

/** The service stores an agent's threshold under either of its two ids. */
export function findThreshold(rows: readonly Threshold[], agent: SeenAgent): Threshold | undefined {
  const index = toIndex(rows);
  const { environmentId, resourceId, agentId } = agent;
  return index.get(toKey(environmentId, resourceId)) ?? index.get(toKey(environmentId, agentId));
}

/** `threshold`: undefined if the list was complete and has none for this agent. */
export function toThresholdState(threshold: Threshold | undefined): SeenThreshold {
  if (threshold === undefined) return { limit: 'none', stopped: false };
  const { stopResource: stopped, consumption: used } = threshold;
  const limit = toLimit(threshold);
  if (limit === undefined || stopped === 'unknown') return 'unreadable';
  return { limit, stopped, ...(used !== undefined && { used }) };
}

/** A stop is for the agent, and shown in the default currency. */
export function withStop(shown: SeenThreshold, inDefault: SeenThreshold): SeenThreshold {
  if (typeof shown === 'string') return shown;
  return typeof inDefault === 'string' ? inDefault : { ...shown, stopped: shown.stopped || inDefault.stopped };
}

/** The service's default, which is 0 with nothing switched on, is no limit. */
function toLimit(threshold: Threshold): Limit | undefined {
  const { limit: credits, notifyIfOverCapacity: notify, notificationThreshold, stopIfOverCapacity } = threshold;
  if (credits === undefined || notify === 'unknown' || stopIfOverCapacity === 'unknown') return undefined;
  if (credits === 0 && !notify && !stopIfOverCapacity) return 'none';
  if (!notify) return { credits, noticeAt: 'off', stopAtLimit: stopIfOverCapacity };
  if (notificationThreshold === 'unknown') return undefined;
  return { credits, noticeAt: notificationThreshold, stopAtLimit: stopIfOverCapacity };
}

/** Leaves out rules and amounts that are missing or cannot be read. */
export function toCreditsState(allocation: Allocation | 'none'): CreditsState {
  if (allocation === 'none') return {};
  return Object.fromEntries(allocation.currencyAllocations.map((one) => [one.currencyType, toCredits(one)]));
}

function toCredits({ allocated, enforcementRules }: CurrencyAllocation): Credits {
  const rules: Partial<Record<RuleType, boolean>> = {};
  for (const rule of RULE_TYPES) {
    const found = enforcementRules.find(({ ruleType }) => ruleType.toLowerCase() === rule.toLowerCase());
    if (typeof found?.enabled === 'boolean') rules[rule] = found.enabled;
  }
  return { ...(allocated !== undefined && { allocated }), rules };
}

/** One index per answer, because thousands of agents are looked up in it. */
const INDEXES = new WeakMap<readonly Threshold[], ReadonlyMap<string, Threshold>>();

function toIndex(rows: readonly Threshold[]): ReadonlyMap<string, Threshold> {
  const index =
    INDEXES.get(rows) ?? new Map(rows.map((one) => [toKey(one.environmentId, one.resourceId), one] as const));
  INDEXES.set(rows, index);
  return index;
}

function toKey(environmentId: string, id: string): string {
  return `${environmentId}\n${id}`.toLowerCase();
}
