// Reads and compares everything, or what is named by words. Knows no Slack: scripts run it as well.
import type { AdminSession } from '../../admin-api/admin-session.ts';
import {
  joinInventory,
  matchAgents,
  matchEnvironments,
  type NamedEnvironment,
  nameEnvironments,
  toComparable,
} from '../inventory/inventory.ts';
import { toSeenAgent } from '../inventory/seen-agent.ts';
import { type Differences, EVERYTHING, findDifferences } from '../plan/find-differences.ts';
import { type ReadProgress, readSeen } from '../plan/read-seen.ts';
import type { Seen, SeenAgent } from '../plan/seen.ts';
import type { Policy } from '../policy/policy.ts';
import { isSameId, toTargetKey } from '../policy/target.ts';
import { createPacedSession, type PaceOptions } from '../run/paced-session.ts';
import type { GovernanceServices } from '../services.ts';
import { findFindings } from './find-findings.ts';
import { type Review, summarize } from './review.ts';

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

/** With what it was made from, as long as that is in memory. */
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
  const readSent = await services.sent.readFor(listKeys(seen, currencies));
  const differences = findDifferences(policy, seen, EVERYTHING, {
    ...{ defaultCurrency, readSent, trustSentMs: limitStaleMs, now: now() },
  });
  const findings = findFindings(policy, seen, differences, { now: now(), isAll: words === '' });
  const isPart = words === '' ? !seen.isWhole : isListPart;
  const head = summarize(
    policy,
    { seen, differences, findings },
    { ...{ id: services.createId(), words, isPart, at, endedAt: now(), defaultCurrency, limitStaleMs } },
  );
  return { head, findings, seen, policy, asSent: differences.asSent };
}

/** The currencies that limits are compared in: the default one first. */
export function listCurrencies({ entries }: Policy, defaultCurrency: string): string[] {
  const own = Object.values(entries).flatMap(({ setting, target }) =>
    setting === 'limit' && 'currency' in target && target.currency !== undefined ? [target.currency] : [],
  );
  const byKey = new Map(own.map((currency) => [currency.toLowerCase(), currency]));
  byKey.delete(defaultCurrency.toLowerCase());
  return [defaultCurrency, ...byKey.values()];
}

function listKeys({ agents }: Seen, currencies: readonly string[]): string[] {
  return agents.flatMap(({ environmentId, agentId }) =>
    currencies.map((currency) => toTargetKey({ environmentId, agentId, currency })),
  );
}

type Scope = { environments: NamedEnvironment[] | 'all'; agents: SeenAgent[] | 'all'; isPart?: boolean };

/** A whole name of an environment comes first, then agents, then parts of names of environments. `env:` is for those alone. */
async function chooseScope(words: string, session: AdminSession): Promise<Scope | undefined> {
  if (words === '') return { environments: 'all', agents: 'all' };
  const [environments, agents] = await Promise.all([session.findEnvironments(), session.findAgents()]);
  const named = nameEnvironments(environments.rows);
  const rows = joinInventory(agents.rows, environments.rows);
  const isPart = environments.truncated || agents.truncated;
  const { text, isEnvironment } = parseWords(words);
  const toScope = (chosen: readonly NamedEnvironment[]) => ({
    environments: [...chosen],
    agents: rows
      .filter(({ environmentId }) => chosen.some((one) => isSameId(one.environmentId, environmentId ?? '')))
      .flatMap((row) => toSeenAgent(row) ?? []),
    isPart,
  });
  const fitting = matchEnvironments(named, text);
  const isWhole = fitting.some(({ environmentId, name }) => [environmentId, name].some((one) => isSame(one, text)));
  if (isEnvironment || isWhole) return fitting.length === 0 ? undefined : toScope(fitting);
  const matched = matchAgents(rows, text).flatMap((row) => toSeenAgent(row) ?? []);
  if (matched.length > 0) return { environments: [], agents: matched, isPart };
  return fitting.length === 0 ? undefined : toScope(fitting);
}

function parseWords(words: string): { text: string; isEnvironment: boolean } {
  const [, text] = /^env:\s*(.+)$/i.exec(words.trim()) ?? [];
  return { text: text ?? words, isEnvironment: text !== undefined };
}

function isSame(one: string, other: string): boolean {
  return toComparable(one) === toComparable(other);
}
