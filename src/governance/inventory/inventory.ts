// The inventory as admins see it: agents with the names of their environments, and how to find one of thousands.
import { createHash } from 'node:crypto';
import type { AdminSession } from '../../admin-api/admin-session.ts';
import type { Agent, Environment, Found } from '../../admin-api/inventory-wire.ts';
import { optional } from '../shell/admin-failure.ts';
import { toPlainWidth } from '../shell/typed-text.ts';

/** An agent of the inventory. Without an environment it cannot be governed: thresholds belong to environments. */
export type InventoryRow = Omit<Agent, 'displayName'> & {
  /** The id if it has no name. */
  displayName: string;
  environmentName?: string | undefined;
};

/** Throws the errors of findAgents. If the environments cannot be read, their ids are shown instead of names. */
export async function readInventory(
  session: Pick<AdminSession, 'findAgents' | 'findEnvironments'>,
): Promise<{ rows: InventoryRow[]; truncated: boolean }> {
  const [agents, environments] = await Promise.all([session.findAgents(), optional(session.findEnvironments())]);
  return { rows: joinInventory(agents.rows, listRows(environments)), truncated: agents.truncated };
}

/** Empty if they could not be read. */
export function listRows<Row>(found: Found<Row> | 'gap'): Row[] {
  return found === 'gap' ? [] : found.rows;
}

/** Sorted by environment, then by agent, as people read them. Those without an environment come last. */
export function joinInventory(
  agents: readonly Agent[],
  environments: readonly Pick<Environment, 'name' | 'displayName'>[],
): InventoryRow[] {
  const names = new Map(environments.map(({ name, displayName }) => [name.toLowerCase(), displayName]));
  const rows = agents.map(
    (agent): InventoryRow => ({
      ...agent,
      displayName: agent.displayName ?? agent.name,
      environmentName: names.get(agent.environmentId?.toLowerCase() ?? ''),
    }),
  );
  const toEnvironment = (row: InventoryRow) => row.environmentName ?? row.environmentId ?? '\uffff';
  return rows.sort(
    (one, other) =>
      compareNames(toEnvironment(one), toEnvironment(other)) ||
      compareNames(one.displayName, other.displayName) ||
      compareNames(one.name, other.name),
  );
}

const collator = new Intl.Collator('en', { sensitivity: 'base', numeric: true });

/** Most rows are of the same environment: equal texts need no collator, which is slow. */
function compareNames(one: string, other: string): number {
  return one === other ? 0 : collator.compare(one, other);
}

/** What a search compares. `ids`: the first is the one that commands use. `where`: the environment of an agent. */
type Named = { ids: readonly [string, ...string[]]; name: string; where?: string | undefined };

function nameAgent({ name, agentResourceId, displayName, environmentName, environmentId }: InventoryRow): Named {
  return { ids: [name, agentResourceId], name: displayName, where: environmentName ?? environmentId };
}

function nameEnvironment({ environmentId, name }: NamedEnvironment): Named {
  return { ids: [environmentId], name };
}

/** See findMatches. */
export function matchAgents(rows: readonly InventoryRow[], typed: string): InventoryRow[] {
  return findMatches(rows, typed, nameAgent);
}

/** See findMatches. */
export function matchEnvironments(environments: readonly NamedEnvironment[], typed: string): NamedEnvironment[] {
  return findMatches(environments, typed, nameEnvironment);
}

/**
 * Matches by id, else by whole name, else by part of a name or id, else by words that all occur, also in the name of the
 * environment. Case does not matter. A better kind of match hides the others.
 */
function findMatches<Row>(rows: readonly Row[], typed: string, toNamed: (row: Row) => Named): Row[] {
  const wanted = toComparable(typed);
  const isIt = (text: string) => toComparable(text) === wanted;
  const tests: ((named: Named) => boolean)[] = [
    () => wanted === '',
    ({ ids }) => ids.some(isIt),
    ({ name }) => isIt(name),
    ({ name, ids: [id] }) => [name, id].some((text) => toComparable(text).includes(wanted)),
    (named) => hasWords(wanted.split(' '), toText(named)),
  ];
  for (const test of tests) {
    const matches = rows.filter((row) => test(toNamed(row)));
    if (matches.length > 0) return matches;
  }
  return [];
}

/** The text that is searched for words. */
function toText({ name, ids, where = '' }: Named): string {
  return toComparable([name, ...ids, where].join(' '));
}

/**
 * The form in which names and ids are compared. Case does not matter. Keyboards type curly quotes, and lists show
 * look-alikes of characters that Slack would format, so a name that is copied from a list has to match.
 */
export function toComparable(text: string): string {
  const plain = toPlainWidth(text).replace(/[‘’“”\u2217\u223c\u02cb\u02cd\u2060]/g, (sign) => SHOWN_FOR[sign] ?? sign);
  return plain.replace(/\s+/g, ' ').trim().toLowerCase();
}

const SHOWN_FOR: Record<string, string> = {
  ...{ '‘': "'", '’': "'", '“': '"', '”': '"' },
  ...{ '\u2217': '*', '\u223c': '~', '\u02cb': '`', '\u02cd': '_', '\u2060': '' },
};

/** Whether every word occurs. Words and text went through toComparable. */
export function hasWords(words: readonly string[], text: string): boolean {
  return words.every((word) => text.includes(word));
}

/** `name`: the display name, or the id. */
export type NamedEnvironment = { environmentId: string; name: string; ownerId: string | undefined };

/** Sorted by name. */
export function nameEnvironments(environments: readonly Environment[]): NamedEnvironment[] {
  return environments
    .map(({ name, displayName, ownerId }) => ({ environmentId: name, name: displayName ?? name, ownerId }))
    .sort((one, other) => compareNames(one.name, other.name) || compareNames(one.environmentId, other.environmentId));
}

/** What a search offers while somebody types. Names are untrusted. */
export type Candidate = {
  /** The same in every replica, and short: Slack allows values of at most 150 characters. */
  key: string;
  /** The id that commands use. */
  id: string;
  name: string;
  /** For an agent: the name of its environment, or its id. */
  where: string | undefined;
  /** The text to search. */
  comparable: string;
};

/** `total`: how many fit; `found` are the best of them. */
export type SearchResult = { found: Candidate[]; total: number };

export function toAgentCandidates(rows: readonly InventoryRow[]): Candidate[] {
  return rows.map((row) => toCandidate(nameAgent(row), [row.environmentId ?? '', row.name]));
}

export function toEnvironmentCandidates(environments: readonly NamedEnvironment[]): Candidate[] {
  return environments.map((environment) => toCandidate(nameEnvironment(environment), [environment.environmentId]));
}

function toCandidate(named: Named, keyIds: string[]): Candidate {
  const { ids, name, where } = named;
  return { key: toKey(...keyIds), id: ids[0], name, where, comparable: toText(named) };
}

/** Every typed word has to occur. Candidates that begin with the typed text come first; otherwise the order stays. */
export function searchCandidates(candidates: readonly Candidate[], typed: string, max: number): SearchResult {
  const wanted = toComparable(typed);
  const fitting = candidates.filter(({ comparable }) => hasWords(wanted.split(' '), comparable));
  const [first, others] = [true, false].map((isFirst) =>
    fitting.filter(({ comparable }) => comparable.startsWith(wanted) === isFirst),
  );
  return { found: [...(first ?? []), ...(others ?? [])].slice(0, max), total: fitting.length };
}

function toKey(...ids: string[]): string {
  return createHash('sha256').update(JSON.stringify(ids)).digest('base64url').slice(0, 22);
}

/** `agentId`: the id in the inventory. `resourceId`: the id for thresholds, often the same. Names are untrusted. */
export type SeenAgent = {
  environmentId: string;
  agentId: string;
  resourceId: string;
  name: string;
  environmentName: string | undefined;
  /** Of a person in the directory, not in Slack. */
  ownerId: string | undefined;
  isHarness: boolean | 'unknown';
};

/** Undefined: the service does not name the agent's environment, which thresholds need. */
export function toSeenAgent(row: InventoryRow): SeenAgent | undefined {
  const { environmentId, environmentName, name: agentId, agentResourceId, displayName, ownerId, isHarness } = row;
  if (environmentId === undefined) return undefined;
  return {
    environmentId,
    agentId,
    resourceId: agentResourceId,
    name: displayName,
    environmentName,
    ownerId,
    isHarness,
  };
}

/** All agents of one environment. The case of its id does not matter. */
export function listAgentsOf(rows: readonly InventoryRow[], environmentId: string): SeenAgent[] {
  const wanted = environmentId.toLowerCase();
  return rows.filter((row) => row.environmentId?.toLowerCase() === wanted).flatMap((row) => toSeenAgent(row) ?? []);
}

/** One of the two has all matches. Both are empty if nothing matches. */
export type Matched = { environments: NamedEnvironment[]; agents: InventoryRow[] };

/** First whole names of environments, then agents, then parts of environment names. `env:` finds only environments. */
export function matchTargets(typed: string, { environments, agents }: Matched): Matched {
  const [, named] = /^env:\s*(.+)$/i.exec(typed.trim()) ?? [];
  const text = named ?? typed;
  const fitting = matchEnvironments(environments, text);
  const isWhole = fitting.some(({ environmentId, name }) =>
    [environmentId, name].some((one) => toComparable(one) === toComparable(text)),
  );
  const matched = named !== undefined || isWhole ? [] : matchAgents(agents, text).filter(isGovernable);
  return matched.length > 0 ? { environments: [], agents: matched } : { environments: fitting, agents: [] };
}

/** Thresholds belong to environments. */
function isGovernable({ environmentId }: InventoryRow): boolean {
  return environmentId !== undefined;
}
