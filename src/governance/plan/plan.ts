// A plan: edits of the policy, and items to write to the service so that both agree. A single limit is a plan with one
// item; a review makes the plan for everything.
import { createHash } from 'node:crypto';
import { toCanonicalJson } from '../../canonical-json.ts';
import type { Edit } from '../../policy/edit.ts';
import { type AgentTarget, type EnvironmentTarget, toAgentTarget } from '../../policy/target.ts';
import type { CreditsState, SeenAgent, ThresholdState } from './seen.ts';

/** Whether a write allows more than what it replaces. `unknown`: what it replaces was not shown. */
export type Way = 'more' | 'less' | 'unknown';

/** One threshold, complete: a write replaces all of it. `unknown`: the service did not show what is there. */
export type ThresholdItem = {
  resource: 'threshold';
  agent: SeenAgent;
  currency: string;
  before: ThresholdState | 'unknown';
  after: ThresholdState;
  way: Way;
  /** True: a stop, which is written before anything is read. */
  isStop: boolean;
  /** For a stop: its limit is neither shown nor approved, so `after` has the limit that was last sent, or none. */
  isLimitGuessed?: true | undefined;
};

/** The credits of one environment: `after` has the currencies that change, complete with all four rules. */
export type CreditsItem = {
  resource: 'credits';
  environmentId: string;
  environmentName: string;
  before: CreditsState;
  after: CreditsState;
  way: Way;
};

export type Item = ThresholdItem | CreditsItem;

/** The target in the policy. For credits it is the environment, without a currency. */
export function targetOf(item: Item): EnvironmentTarget | AgentTarget {
  if (item.resource === 'credits') return { environmentId: item.environmentId };
  return toAgentTarget(item.agent, item.currency);
}

/** Why a target is left out of a plan. */
export type LeftOutReason =
  | 'unreadable' // the service could not be read there just now
  | 'maybe_stopped' // it is not known whether the agent is stopped
  | 'stopped' // it is stopped, and a limit in another currency than the default could let it run
  | 'no_amount' // the service does not list the currency, and the policy names no amount
  | 'changed' // changed since the review
  | 'not_listed'; // the service does not list it just now

export type LeftOut = {
  environmentId: string;
  agent?: SeenAgent | undefined;
  /** Set if the service does not list the agent. */
  agentId?: string;
  currency?: string;
  reason: LeftOutReason;
};

export type Plan = {
  /** Shown to people and in the log: 12 hexadecimal digits. */
  id: string;
  /** The hash of all edits and items. */
  hash: string;
  /** The revision of the policy that the plan was made from. */
  policy: number;
  /** The hash of the entries that the plan depends on: see hashBasis. If it differs later, the plan is outdated. */
  basis: string;
  edits: Edit[];
  items: Item[];
  leftOut: LeftOut[];
};

export function createPlan(id: string, content: Omit<Plan, 'id' | 'hash'>): Plan {
  const { edits, items } = content;
  const hash = createHash('sha256').update(toCanonicalJson({ edits, items })).digest('hex');
  return { id, hash, ...content };
}

export function isStopItem(item: Item): item is ThresholdItem {
  return item.resource === 'threshold' && item.isStop;
}

export function isStopPlan({ items }: Pick<Plan, 'items'>): boolean {
  return items.length > 0 && items.every(isStopItem);
}

/** Whether the plan may allow more than now. A stop never does. */
export function allowsMore(plan: Pick<Plan, 'items'>): boolean {
  return plan.items.some((item) => item.way !== 'less' && !isStopItem(item));
}

/** For more items than this, or than this share of all, the person has to type the number, to prevent a slip. */
const MAX_UNTYPED = 50;
const MAX_UNTYPED_SHARE = 0.25;

/** So few can be checked at a glance, whatever share they are. */
const FEW = 5;

/** The number to type; undefined for a small plan or a stop. `all`: how many items there could be. */
export function toTypedNumber({ items }: Pick<Plan, 'items'>, all: number): number | undefined {
  return isMany(items.length, all) && !isStopPlan({ items }) ? items.length : undefined;
}

/** Whether there are so many that the person has to type the number. */
export function isMany(count: number, all: number): boolean {
  return count > MAX_UNTYPED || (count > FEW && count > all * MAX_UNTYPED_SHARE);
}
