// The findings of a review, from what the comparison of policy and service leaves. Pure.
import type { Differences } from '../plan/find-differences.ts';
import type { Item } from '../plan/plan.ts';
import type { Seen, SeenAgent, SeenEnvironment } from '../plan/seen.ts';
import { type Entry, type Policy, readClass } from '../policy/policy.ts';
import { toTargetKey } from '../policy/target.ts';
import {
  type Difference,
  type EndingException,
  type Finding,
  GROUPS,
  isEnding,
  type NewEnvironment,
  toFoundWay,
  type UnknownLimit,
} from './finding.ts';

/** `isAll`: nothing was left out by words, so that exceptions of channels and classes are listed as well. */
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
    return { group: 'unknown', environmentId: item.agent.environmentId, why, item };
  }
  // What cannot be compared may allow more.
  return { group: toFoundWay(item) === 'less' ? 'less' : 'more', item };
}

function toUnanswered({ environmentId, agent, currency, reason }: Differences['leftOut'][number]): UnknownLimit[] {
  if (reason !== 'maybe_stopped' || agent === undefined || currency === undefined) return [];
  return [{ group: 'unknown', environmentId, why: 'maybe_stopped', agent, currency }];
}

function findEnding({ entries }: Policy, seen: Seen, { now, isAll }: FindOptions): EndingException[] {
  const names = nameTargets(seen);
  return Object.values(entries)
    .flatMap((entry): EndingException[] => {
      const until = entry.exception?.until;
      if (until === undefined || !isEnding(until, now)) return [];
      const named = names(entry);
      return named || isAll ? [{ group: 'ending', entry, ...(named ?? nameByIds(entry)), until }] : [];
    })
    .toSorted((one, other) => (one.until < other.until ? -1 : 1));
}

type Named = { name: string; where?: string | undefined };

/** Undefined: it is not among what was looked at. */
function nameTargets({ agents, environments }: Seen): (entry: Entry) => Named | undefined {
  const toAgentName = ({ name, environmentId, environmentName }: SeenAgent) => ({
    name,
    where: environmentName ?? environmentId,
  });
  const named = new Map<string, Named>([
    ...environments.map(({ environmentId, name }) => [toTargetKey({ environmentId }), { name }] as const),
    ...agents.map((agent) => {
      const { environmentId, agentId } = agent;
      return [toTargetKey({ environmentId, agentId }), toAgentName(agent)] as const;
    }),
  ]);
  return ({ target }) => {
    if (!('environmentId' in target)) return undefined;
    const { currency: _, ...plain } = target;
    return named.get(toTargetKey(plain));
  };
}

function nameByIds({ target }: Entry): Named {
  if ('className' in target) return { name: target.className };
  if ('channel' in target) return { name: target.channel };
  return 'agentId' in target ? { name: target.agentId, where: target.environmentId } : { name: target.environmentId };
}

/** Within a group; 0 comes first. What spends the credits of everybody, or money, matters most. */
function toGravity(finding: Finding): number {
  if (finding.group === 'new') return finding.pool === true ? 0 : 1;
  if (finding.group !== 'more') return 0;
  const { item } = finding;
  if (item.resource === 'threshold') return 2;
  const isOpen = Object.values(item.before).some(({ rules }) => rules.TenantPool === true || rules.PayGo === true);
  return isOpen ? 0 : 1;
}
