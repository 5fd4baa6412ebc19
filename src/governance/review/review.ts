// A review: reads everything, or what the words name, and finds what differs from the policy, what is unknown, and what was
// not looked at. Does not use Slack, because scripts run it as well.
import type { AdminSession } from '../../admin-api/admin-session.ts';
import { listClasses, listCurrencies, type Policy, readEntry, readLimit } from '../../policy/policy.ts';
import { isSameId, type Target, toTargetKey } from '../../policy/target.ts';
import {
  joinInventory,
  matchTargets,
  type NamedEnvironment,
  nameEnvironments,
  toSeenAgent,
} from '../inventory/inventory.ts';
import { type Differences, EVERYTHING, findDifferences } from '../plan/find-differences.ts';
import { type ReadProgress, readSeen } from '../plan/read-seen.ts';
import { listSentKeys, type ReadSent, type Seen, type SeenAgent } from '../plan/seen.ts';
import { createPacedSession, type PaceOptions } from '../run/paced-session.ts';
import type { GovernanceServices } from '../services.ts';
import type { Caller } from '../shell/admin-rules.ts';
import { type Finding, findFindings, type Group, type UnknownLimit } from './finding.ts';

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

/** A review with the data that it was made from. */
export type Reviewed = Review & { seen: Seen; policy: Policy; asSent: Differences['asSent'] };

export type ReviewServices = Pick<
  GovernanceServices,
  'currency' | 'limitStaleMs' | 'createId' | 'now' | 'readsLimits' | 'stopping'
> & { policy: Pick<GovernanceServices['policy'], 'read'>; sent: Pick<GovernanceServices['sent'], 'readFor'> };

export type ReviewOptions = {
  /** The name or id of an environment or agent, perhaps in part; '': everything. */
  words?: string;
  onProgress?: (progress: ReadProgress) => void;
  pace?: PaceOptions;
};

/** Undefined: nothing fits the words. Throws the errors of admin-errors.ts and StoreUnavailableError. */
export async function runReview(
  session: AdminSession,
  services: ReviewServices,
  { words = '', onProgress, pace }: ReviewOptions = {},
): Promise<Reviewed | undefined> {
  const { currency, limitStaleMs, now } = services;
  const at = now();
  const { policy } = await services.policy.read();
  const paced = createPacedSession(session, services.stopping, pace);
  const scope = await chooseScope(words, paced);
  if (scope === undefined) return undefined;
  const { isPart = false, ...what } = scope;
  const currencies = listCurrencies(policy, currency);
  const seen = await readSeen(paced, { ...what, currencies }, services, onProgress);
  const readSent = await services.sent.readFor(listSentKeys(seen.agents, currencies));
  const review = { id: services.createId(), words, at, endedAt: now() };
  return judge(policy, { ...seen, isWhole: seen.isWhole && !isPart }, { review, readSent, currency, limitStaleMs });
}

type Scope = { environments: NamedEnvironment[] | 'all'; agents: SeenAgent[] | 'all'; isPart?: boolean };

async function chooseScope(words: string, session: AdminSession): Promise<Scope | undefined> {
  if (words === '') return { environments: 'all', agents: 'all' };
  const [environments, agents] = await Promise.all([session.findEnvironments(), session.findAgents()]);
  const rows = joinInventory(agents.rows, environments.rows);
  const matched = matchTargets(words, { environments: nameEnvironments(environments.rows), agents: rows });
  const chosen = matched.environments;
  const ofChosen = rows.filter((row) => chosen.some((one) => isSameId(one.environmentId, row.environmentId ?? '')));
  const seen = [...matched.agents, ...ofChosen].flatMap((row) => toSeenAgent(row) ?? []);
  if (chosen.length + seen.length === 0) return undefined;
  return { environments: chosen, agents: seen, isPart: environments.truncated || agents.truncated };
}

type JudgeOptions = {
  review: Pick<ReviewHead, 'id' | 'words' | 'at' | 'endedAt'>;
  readSent: ReadSent;
  currency: string;
  limitStaleMs: number;
};

/** Compares what the service showed with the policy. Pure. */
export function judge(
  policy: Policy,
  seen: Seen,
  { review, readSent, currency, limitStaleMs }: JudgeOptions,
): Reviewed {
  const { words, endedAt: now } = review;
  const options = { defaultCurrency: currency, now };
  const differences = findDifferences(policy, seen, EVERYTHING, { ...options, readSent, trustSentMs: limitStaleMs });
  const findings = findFindings(policy, seen, differences, { now, isAll: words === '' });
  const { counts, unknown } = countFindings(findings);
  const { asSent, compared } = differences;
  const oldest = asSent.reduce((first, { sent }) => Math.min(first, sent.at), Number.POSITIVE_INFINITY);
  const isPart = !seen.isWhole || (words === '' && listsNothing(seen, policy));
  const ungoverned = seen.agents.filter((agent) => !readLimit(policy, { ...agent, currency }, options));
  const head: ReviewHead = {
    ...{ ...review, policy: policy.revision, counts, unknown, isPart },
    compared: compared + counts.new,
    asSent: { count: asSent.length, sendAgainBy: asSent.length === 0 ? undefined : oldest + limitStaleMs },
    unreadable: nameLeftOut('unreadable', differences, seen),
    noAmount: nameLeftOut('no_amount', differences, seen),
    gone: toSome(isPart || words !== '' ? [] : listGone(policy, seen)),
    environments: seen.environments.length,
    agents: seen.agents.length,
    ungoverned: ungoverned.length,
    caps: countCaps(policy, now),
    classes: listClasses(policy),
  };
  return { head, findings, seen, policy, asSent };
}

/** Nothing is listed, although the policy names some of it: probably the account may not look, and not all of it is gone. */
function listsNothing({ environments, agents }: Seen, { entries }: Policy): boolean {
  if (environments.length + agents.length > 0) return false;
  return Object.values(entries).some(({ target }) => 'environmentId' in target);
}

/** Logs who reviewed what: ids and figures. Throws StoreUnavailableError. */
export async function logReview(
  { id, words, policy, compared, counts, endedAt }: ReviewHead,
  { team, workspace, user }: Pick<Caller, 'team' | 'workspace' | 'user'>,
  { audit }: Pick<GovernanceServices, 'audit'>,
): Promise<void> {
  await audit.append({
    ...{ schema: 1, at: endedAt, what: 'review_run', who: { user }, team, workspace, subject: {}, policy },
    after: { review: id, policy, compared, ...counts, ...(words !== '' && { words }) },
    outcome: { kind: 'done' },
    requestIds: [],
  });
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
