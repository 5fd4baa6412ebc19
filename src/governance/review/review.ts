// A review: what differs from the policy, what is unknown, and what was not looked at.
import { listClasses, type Policy, readEntry, readLimit } from '../../policy/policy.ts';
import { type Target, toTargetKey } from '../../policy/target.ts';
import type { Differences } from '../plan/find-differences.ts';
import type { Seen } from '../plan/seen.ts';
import type { Finding, Group, UnknownLimit } from './finding.ts';

/** Some names, and how many there are in all. Untrusted. */
export type Some = { count: number; names: string[] };

/** Plain JSON; times in epoch ms. */
export type ReviewHead = {
  id: string;
  /** When reading began, and ended. */
  at: number;
  endedAt: number;
  /** The search words; '': everything was reviewed. */
  words: string;
  /** The revision of the policy. */
  policy: number;
  /** How many settings were compared, with the environments without a class. */
  compared: number;
  counts: Record<Group, number>;
  /** How many limits are unknown, by reason. */
  unknown: Record<UnknownLimit['why'], number>;
  /** Limits that the service does not show, but that were sent as approved. `sendAgainBy`: when the first is too old. */
  asSent: { count: number; sendAgainBy: number | undefined };
  /** The service did not list everything: what is missing is not gone. */
  isPart: boolean;
  /** Environments whose credits could not be read. */
  unreadable: Some;
  /** Environments with credits in the policy that the service does not list and that have no amount. */
  noAmount: Some;
  /** Targets of the policy that the service does not list any more. Empty if the list is incomplete. */
  gone: Some;
  environments: number;
  agents: number;
  /** Agents without an approved limit. */
  ungoverned: number;
  /** How many channels have a cap. All channels together count as one. */
  caps: number;
  /** For the buttons of new environments. */
  classes: string[];
  /** For a scheduled review, which lists only what is new. */
  news?: News | undefined;
};

/**
 * `review`: the id of the complete review. `differing`, `unknown`: how many it has. `over`: what does not differ any more.
 * `lines`: further lines, mrkdwn.
 */
export type News = {
  isFirst: boolean;
  review: string;
  differing: number;
  unknown: number;
  over: Some;
  lines: string[];
};

/** `findings`: in the order of GROUPS. */
export type Review = { head: ReviewHead; findings: Finding[] };

export type SummarizeOptions = {
  id: string;
  words: string;
  isPart: boolean;
  at: number;
  endedAt: number;
  defaultCurrency: string;
  limitStaleMs: number;
};

export function summarize(
  policy: Policy,
  { seen, differences, findings }: { seen: Seen; differences: Differences; findings: readonly Finding[] },
  { id, words, isPart, at, endedAt, defaultCurrency, limitStaleMs }: SummarizeOptions,
): ReviewHead {
  const { counts, unknown } = countFindings(findings);
  const { asSent, compared } = differences;
  const oldest = asSent.reduce((first, { sent }) => Math.min(first, sent.at), Number.POSITIVE_INFINITY);
  const isGoverned = (agent: Seen['agents'][number]) =>
    readLimit(policy, { ...agent, currency: defaultCurrency }, { now: at, defaultCurrency }) !== undefined;
  return {
    ...{ id, at, endedAt, words, policy: policy.revision, counts, unknown, isPart },
    compared: compared + counts.new,
    asSent: { count: asSent.length, sendAgainBy: asSent.length === 0 ? undefined : oldest + limitStaleMs },
    unreadable: nameLeftOut('unreadable', differences, seen),
    noAmount: nameLeftOut('no_amount', differences, seen),
    gone: isPart || words !== '' ? toSome([]) : toSome(listGone(policy, seen)),
    environments: seen.environments.length,
    agents: seen.agents.length,
    ungoverned: seen.agents.filter((agent) => !isGoverned(agent)).length,
    caps: countCaps(policy, at),
    classes: listClasses(policy),
  };
}

/** Settings that differ, with the environments without a class. */
export function countDiffering({ counts }: Pick<ReviewHead, 'counts'>): number {
  return counts.new + counts.more + counts.less;
}

export function countUnknown({ counts, unreadable, noAmount }: ReviewHead): number {
  return counts.unknown + unreadable.count + noAmount.count;
}

/** Nothing differs, nothing is unknown, and the list is complete. */
export function isInOrder(head: ReviewHead): boolean {
  return countDiffering(head) === 0 && countUnknown(head) === 0 && !head.isPart;
}

export function countFindings(findings: readonly Finding[]): Pick<ReviewHead, 'counts' | 'unknown'> {
  const counts: ReviewHead['counts'] = { new: 0, more: 0, less: 0, ending: 0, unknown: 0 };
  const unknown: ReviewHead['unknown'] = { hidden: 0, unreadable: 0, maybe_stopped: 0 };
  for (const finding of findings) {
    counts[finding.group] += 1;
    if (finding.group === 'unknown') unknown[finding.why] += 1;
  }
  return { counts, unknown };
}

/** Further names are only counted. */
const MAX_NAMES = 10;

export function toSome(names: readonly string[]): Some {
  return { count: names.length, names: names.slice(0, MAX_NAMES) };
}

function nameLeftOut(wanted: 'unreadable' | 'no_amount', { leftOut }: Differences, { environments }: Seen): Some {
  const names = new Map(environments.map(({ environmentId, name }) => [environmentId, name]));
  const ids = leftOut.filter(({ reason }) => reason === wanted).map(({ environmentId }) => environmentId);
  return toSome([...new Set(ids)].map((id) => names.get(id) ?? id));
}

/** Environments and agents by their ids. */
function listGone({ entries }: Policy, { environments, agents }: Seen): string[] {
  const known = new Set([...environments.map(toTargetKey), ...agents.map(toTargetKey)]);
  const gone = Object.values(entries).flatMap(({ target }) => {
    if (!('environmentId' in target)) return [];
    const { currency: _, ...plain }: Extract<Target, { environmentId: string }> = target;
    return known.has(toTargetKey(plain)) ? [] : ['agentId' in plain ? plain.agentId : plain.environmentId];
  });
  return [...new Set(gone)];
}

function countCaps(policy: Policy, now: number): number {
  const capped = Object.values(policy.entries).filter(({ setting, target }) => {
    if (setting !== 'personCap' && setting !== 'channelCap') return false;
    const cap = readEntry(policy, setting, target, now)?.value;
    return cap !== undefined && cap !== 'none';
  });
  return new Set(capped.map(({ target }) => toTargetKey(target))).size;
}
