// Makes the findings of a review from the differences between policy and service. Each is a row of the message. Pure.
import { type Day, type Entry, isOver, type Policy, readClass } from '../../policy/policy.ts';
import { type Target, toAgentTarget, toEntryKey, toTargetKey } from '../../policy/target.ts';
import { RULE_TYPES } from '../../policy/values.ts';
import { findCredits, toCreditsWay, toLimitWay } from '../plan/compare.ts';
import type { Differences } from '../plan/find-differences.ts';
import { type CreditsItem, type Item, type ThresholdItem, targetOf, type Way } from '../plan/plan.ts';
import type { Seen, SeenAgent, SeenEnvironment } from '../plan/seen.ts';

/** In the order of the findings. `more`, `less`: what is set allows more or less than the policy. */
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

/** `item`: corrects the difference. */
type Difference = { group: 'more' | 'less'; item: Item };

/**
 * A limit that the service does not show. `maybe_stopped`: it is not known either whether the agent is stopped, so there is
 * no item to send.
 */
export type UnknownLimit = { group: 'unknown' } & (
  | { why: 'hidden' | 'unreadable'; item: ThresholdItem }
  | { why: 'maybe_stopped'; agent: SeenAgent; currency: string }
);

/** `name`: of the agent or environment. `where`: the agent's environment. Both are untrusted. */
export type EndingException = { group: 'ending'; entry: Entry; name: string; where?: string | undefined; until: Day };

/** Plain JSON. `isSettled`: nothing is left to do about it, see settled-message.ts. */
export type Finding = { isSettled?: boolean } & (NewEnvironment | Difference | UnknownLimit | EndingException);

/** How long before its last day an exception is listed. */
const ENDING_MS = 14 * 24 * 3_600_000;

export function isEnding(until: Day, now: number): boolean {
  return !isOver(until, now) && isOver(until, now + ENDING_MS);
}

/** The target in the policy. */
export function toTarget(finding: Finding): Target {
  if (finding.group === 'ending') return finding.entry.target;
  if (finding.group === 'new') return { environmentId: finding.environmentId };
  return 'item' in finding ? targetOf(finding.item) : toAgentTarget(finding.agent, finding.currency);
}

/** The same in every review, whatever the values are. */
export function toFindingKey(finding: Finding): string {
  const target = toTarget(finding);
  if (finding.group === 'ending') return `ending:${toEntryKey(finding.entry.setting, target)}`;
  if (finding.group === 'new') return toEntryKey('new', target);
  return toItemKey(target);
}

/** The key of an item with this target. */
export function toItemKey(target: Target): string {
  return toEntryKey('agentId' in target ? 'threshold' : 'credits', target);
}

/** Whether what was found allows more than the policy: the way of a write from the policy to what was found. */
export function toFoundWay(item: Item): Way {
  if (item.resource === 'credits') return toFoundCreditsWay(item);
  return item.before === 'unknown' ? 'unknown' : toLimitWay(item.after, item.before);
}

function toFoundCreditsWay({ before, after }: CreditsItem): Way {
  const ways = Object.entries(after).map(([currency, approved]): Way => {
    // Without an allocation in this currency, none of it can be used.
    const found = findCredits(before, currency);
    if (found === undefined) return 'less';
    const way = toCreditsWay({ one: approved }, { one: { ...found, rules: { ...approved.rules, ...found.rules } } });
    const isPart = RULE_TYPES.some((rule) => found.rules[rule] === undefined);
    return way === 'less' && isPart ? 'unknown' : way;
  });
  return ways.find((way) => way !== 'less') ?? 'less';
}

/** `isAll`: there were no search words, so exceptions of channels and classes are listed as well. */
export type FindOptions = { now: number; isAll: boolean };

/** In the order of GROUPS, and in each group what matters most first. */
export function findFindings(
  policy: Policy,
  seen: Seen,
  differences: Pick<Differences, 'items' | 'leftOut'>,
  options: FindOptions,
): Finding[] {
  const findings: Finding[] = [
    ...findNew(policy, seen, options.now),
    ...differences.items.map((item) => toFinding(item, seen)),
    ...differences.leftOut.flatMap(toUnanswered),
    ...findEnding(policy, seen, options),
  ];
  const toRank = (finding: Finding) => GROUPS.indexOf(finding.group) * 10 + toGravity(finding);
  return findings.toSorted((one, other) => toRank(one) - toRank(other));
}

function findNew(policy: Policy, seen: Seen, now: number): NewEnvironment[] {
  const counts = new Map<string, number>();
  for (const { environmentId } of seen.agents) {
    counts.set(environmentId.toLowerCase(), (counts.get(environmentId.toLowerCase()) ?? 0) + 1);
  }
  return seen.environments
    .filter(({ environmentId }) => readClass(policy, environmentId, now) === undefined)
    .map((environment) => ({
      group: 'new',
      ...{ environmentId: environment.environmentId, name: environment.name, ownerId: environment.ownerId },
      pool: readPool(environment, seen),
      agents: counts.get(environment.environmentId.toLowerCase()) ?? 0,
    }));
}

/** A new environment without an allocation may draw on the pool: the platform decides that. */
function readPool({ environmentId }: SeenEnvironment, seen: Seen): boolean | 'unknown' {
  const looked = seen.credits(environmentId);
  if (looked === undefined || looked === 'unreadable') return 'unknown';
  const rules = Object.values(looked.credits).map(({ rules: { TenantPool } }) => TenantPool);
  if (rules.includes(true)) return true;
  return rules.length === 0 || rules.includes(undefined) ? 'unknown' : false;
}

function toFinding(item: Item, seen: Seen): Difference | UnknownLimit {
  if (item.resource === 'threshold' && item.before === 'unknown') {
    const why = seen.threshold(item.agent, item.currency) === 'unreadable' ? 'unreadable' : 'hidden';
    return { group: 'unknown', why, item };
  }
  // What cannot be compared may allow more.
  return { group: toFoundWay(item) === 'less' ? 'less' : 'more', item };
}

function toUnanswered({ agent, currency, reason }: Differences['leftOut'][number]): UnknownLimit[] {
  if (reason !== 'maybe_stopped' || agent === undefined || currency === undefined) return [];
  return [{ group: 'unknown', why: 'maybe_stopped', agent, currency }];
}

function findEnding({ entries }: Policy, seen: Seen, { now, isAll }: FindOptions): EndingException[] {
  const known = {
    environments: new Map(seen.environments.map((one) => [one.environmentId.toLowerCase(), one])),
    agents: new Map(seen.agents.map((agent) => [toTargetKey(toAgentTarget(agent)), agent])),
  };
  return Object.values(entries)
    .flatMap((entry): EndingException[] => {
      const until = entry.exception?.until;
      if (until === undefined || !isEnding(until, now)) return [];
      const { isSeen, ...named } = nameTarget(entry.target, known);
      return isSeen || isAll ? [{ group: 'ending', entry, ...named, until }] : [];
    })
    .toSorted((one, other) => (one.until < other.until ? -1 : 1));
}

type Known = { environments: ReadonlyMap<string, SeenEnvironment>; agents: ReadonlyMap<string, SeenAgent> };

/** `name`: the id if it has no name. `isSeen`: the review has read it. */
function nameTarget(
  target: Target,
  { agents, environments }: Known,
): { name: string; where?: string; isSeen: boolean } {
  if (!('environmentId' in target)) {
    return { name: 'channel' in target ? target.channel : target.className, isSeen: false };
  }
  const { environmentId } = target;
  const environment = environments.get(environmentId.toLowerCase());
  if (!('agentId' in target)) return { name: environment?.name ?? environmentId, isSeen: environment !== undefined };
  const agent = agents.get(toTargetKey(toAgentTarget(target)));
  const where = agent?.environmentName ?? environmentId;
  return { name: agent?.name ?? target.agentId, where, isSeen: agent !== undefined };
}

/** The order within a group; 0 comes first. What spends the credits of everybody, or money, matters most. */
function toGravity(finding: Finding): number {
  if (finding.group === 'new') return finding.pool === true ? 0 : 1;
  if (finding.group !== 'more') return 0;
  const { item } = finding;
  if (item.resource === 'threshold') return 2;
  const isOpen = Object.values(item.before).some(({ rules }) => rules.TenantPool === true || rules.PayGo === true);
  return isOpen ? 0 : 1;
}

/** A value that is not shown cannot be kept. Neither can credits that are missing. */
export function isKeepable(item: Item): boolean {
  if (item.resource === 'threshold') return item.before !== 'unknown';
  return Object.keys(item.after).every((currency) => findCredits(item.before, currency) !== undefined);
}
