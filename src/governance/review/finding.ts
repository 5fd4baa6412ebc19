// What a review finds: one row of its message each, in groups.
import { findCredits, toCreditsWay, toLimitWay } from '../plan/compare.ts';
import type { CreditsItem, Item, ThresholdItem, Way } from '../plan/plan.ts';
import type { SeenAgent } from '../plan/seen.ts';
import { type Day, type Entry, isOver } from '../policy/policy.ts';
import { toEntryKey, toTargetKey } from '../policy/target.ts';
import { RULE_TYPES } from '../policy/values.ts';

/** In the order in which they are kept. `more`, `less`: what is set allows more or less than the policy. */
export const GROUPS = ['new', 'more', 'less', 'ending', 'unknown'] as const;

export type Group = (typeof GROUPS)[number];

/** An environment without a class. `pool`: whether it draws on the tenant pool. Names are untrusted. */
export type NewEnvironment = {
  group: 'new';
  environmentId: string;
  name: string;
  ownerId: string | undefined;
  pool: boolean | 'unknown';
  agents: number;
};

/** `item`: what sets it back. */
export type Difference = { group: 'more' | 'less'; item: Item };

/**
 * A limit that the service does not show. `maybe_stopped`: nor does anybody know whether the agent is stopped, so it has no
 * item that could be sent.
 */
export type UnknownLimit = { group: 'unknown'; environmentId: string } & (
  | { why: 'hidden' | 'unreadable'; item: ThresholdItem }
  | { why: 'maybe_stopped'; agent: SeenAgent; currency: string }
);

/** `name`, `where`: of the agent or environment and of the agent's environment; untrusted. */
export type EndingException = { group: 'ending'; entry: Entry; name: string; where?: string | undefined; until: Day };

/** Plain JSON. */
export type Finding = NewEnvironment | Difference | UnknownLimit | EndingException;

/** So long before its last day an exception is listed. */
const ENDING_MS = 14 * 24 * 3_600_000;

export function isEnding(until: Day, now: number): boolean {
  return !isOver(until, now) && isOver(until, now + ENDING_MS);
}

/** The same in every review that finds it. */
export function toFindingKey(finding: Finding): string {
  switch (finding.group) {
    case 'new':
      return toEntryKey('new', { environmentId: finding.environmentId });
    case 'ending':
      return `ending:${toEntryKey(finding.entry.setting, finding.entry.target)}`;
    case 'unknown':
      return 'item' in finding ? toItemKey(finding.item) : toThresholdKey(finding.agent, finding.currency);
    default:
      return toItemKey(finding.item);
  }
}

/** Of what an item sets, whatever it sets it to. */
export function toItemKey(item: Item): string {
  return item.resource === 'threshold'
    ? toThresholdKey(item.agent, item.currency)
    : `credits:${toTargetKey({ environmentId: item.environmentId })}`;
}

export function toThresholdKey({ environmentId, agentId }: SeenAgent, currency: string): string {
  return `threshold:${toTargetKey({ environmentId, agentId, currency })}`;
}

/** Whether what was found allows more than the policy: the way of a write that would bring it about. */
export function toFoundWay(item: Item): Way {
  if (item.resource === 'credits') return toFoundCreditsWay(item);
  return item.before === 'unknown' ? 'unknown' : toLimitWay(item.after, item.before);
}

function toFoundCreditsWay({ before, after }: CreditsItem): Way {
  const ways = Object.entries(after).map(([currency, approved]): Way => {
    // Without an allocation in this currency nothing of it can be used.
    const found = findCredits(before, currency);
    if (found === undefined) return 'less';
    const way = toCreditsWay({ one: approved }, { one: { ...found, rules: { ...approved.rules, ...found.rules } } });
    const isPart = RULE_TYPES.some((rule) => found.rules[rule] === undefined);
    return way === 'less' && isPart ? 'unknown' : way;
  });
  return ways.find((way) => way !== 'less') ?? 'less';
}
