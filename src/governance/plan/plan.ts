// A plan: edits of the policy, and what has to be written to the service so that it holds. A single limit is a plan with one
// item; a review is the plan for everything.
import { createHash } from 'node:crypto';
import type { Edit } from '../policy/edit.ts';
import { type AgentTarget, type EnvironmentTarget, toAgentTarget } from '../policy/target.ts';
import { toCanonicalJson } from '../shell/canonical-json.ts';
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
  /** Written before anything is read. */
  isStop: boolean;
  /** Of a stop: its limit is neither shown nor approved, and `after` has what was last sent, or none. */
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

/** What it is about, as an entry of the policy names it; of credits the environment, whatever their currencies. */
export function targetOf(item: Item): EnvironmentTarget | AgentTarget {
  if (item.resource === 'credits') return { environmentId: item.environmentId };
  return toAgentTarget(item.agent, item.currency);
}

/** Why a target is left out of a plan. */
export type LeftOutReason =
  | 'unreadable' // the service could not be read there just now
  | 'maybe_stopped' // the service does not show whether the agent is stopped, and nobody has said
  | 'no_amount' // credits of a currency that the service does not list, and the policy names no amount
  | 'changed' // not as the review found it any more
  | 'not_listed'; // the service does not list it just now

export type LeftOut = {
  environmentId: string;
  agent?: SeenAgent | undefined;
  /** Of one that the service does not list. */
  agentId?: string;
  currency?: string;
  reason: LeftOutReason;
};

export type Plan = {
  /** Shown to people and in the log: 12 hexadecimal digits. */
  id: string;
  /** Of everything that is carried out: an approval is bound to it. */
  hash: string;
  /** The revision of the policy that it was made from. */
  policy: number;
  /** Over the entries that it depends on: see hashBasis. Where others are changed meanwhile, it still holds. */
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

export function isStopItem(item: Item): boolean {
  return item.resource === 'threshold' && item.isStop;
}

export function isStopPlan({ items }: Pick<Plan, 'items'>): boolean {
  return items.length > 0 && items.every(isStopItem);
}

/** Whether carrying it out may allow more than now. A stop never does. */
export function allowsMore(plan: Pick<Plan, 'items'>): boolean {
  return plan.items.some((item) => item.way !== 'less' && !isStopItem(item));
}

/** More items than this, or this share of all that is governed, are no slip of the hand: the number has to be typed. */
const MAX_UNTYPED = 50;
const MAX_UNTYPED_SHARE = 0.25;

/** So few are seen at a glance. */
const FEW = 5;

/** The number to be typed; undefined where the plan is small. `all`: how many items could be written at all. */
export function toTypedNumber({ items }: Pick<Plan, 'items'>, all: number): number | undefined {
  return isMany(items.length, all) && !isStopPlan({ items }) ? items.length : undefined;
}

/** Whether so many of all are no slip of the hand. */
export function isMany(count: number, all: number): boolean {
  return count > MAX_UNTYPED || (count > FEW && count > all * MAX_UNTYPED_SHARE);
}
