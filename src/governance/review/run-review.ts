// Reads and compares everything, or what the words name. Does not use Slack, because scripts run it as well.
import type { AdminSession } from '../../admin-api/admin-session.ts';
import { listCurrencies, type Policy } from '../../policy/policy.ts';
import { isSameId } from '../../policy/target.ts';
import {
  joinInventory,
  matchTargets,
  type NamedEnvironment,
  nameEnvironments,
  toSeenAgent,
} from '../inventory/inventory.ts';
import { type Differences, EVERYTHING, findDifferences } from '../plan/find-differences.ts';
import { type ReadProgress, readSeen } from '../plan/read-seen.ts';
import { listSentKeys, type Seen, type SeenAgent } from '../plan/seen.ts';
import { createPacedSession, type PaceOptions } from '../run/paced-session.ts';
import type { GovernanceServices } from '../services.ts';
import type { Caller } from '../shell/admin-rules.ts';
import { findFindings } from './finding.ts';
import { type Review, type ReviewHead, summarize } from './review.ts';

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

/** A review with the data that it was made from. */
export type Reviewed = Review & { seen: Seen; policy: Policy; asSent: Differences['asSent'] };

/** Undefined: nothing fits the words. Throws the errors of admin-errors.ts and StoreUnavailableError. */
export async function runReview(
  session: AdminSession,
  services: ReviewServices,
  { words = '', onProgress, pace }: ReviewOptions = {},
): Promise<Reviewed | undefined> {
  const { currency: defaultCurrency, limitStaleMs, now } = services;
  const at = now();
  const { policy } = await services.policy.read();
  const paced = createPacedSession(session, services.stopping, pace);
  const scope = await chooseScope(words, paced);
  if (scope === undefined) return undefined;
  const { isPart: isListPart = false, ...what } = scope;
  const currencies = listCurrencies(policy, defaultCurrency);
  const seen = await readSeen(paced, { ...what, currencies }, services, onProgress);
  const readSent = await services.sent.readFor(listSentKeys(seen.agents, currencies));
  const differences = findDifferences(policy, seen, EVERYTHING, {
    ...{ defaultCurrency, readSent, trustSentMs: limitStaleMs, now: now() },
  });
  const findings = findFindings(policy, seen, differences, { now: now(), isAll: words === '' });
  const isPart = words === '' ? !seen.isWhole || listsNothing(seen, policy) : isListPart;
  const head = summarize(
    policy,
    { seen, differences, findings },
    { ...{ id: services.createId(), words, isPart, at, endedAt: now(), defaultCurrency, limitStaleMs } },
  );
  return { head, findings, seen, policy, asSent: differences.asSent };
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
