// The inventory as admins see it: agents with the names of their environments, and how to find one of thousands.
import { createHash } from 'node:crypto';
import type { AdminSession } from '../../admin-api/admin-session.ts';
import type { Agent, Environment, Found } from '../../admin-api/inventory-wire.ts';
import { optional } from '../shell/admin-failure.ts';

/** An agent of the inventory. Without an environment it cannot be governed: thresholds hang on environments. */
export type InventoryRow = Omit<Agent, 'displayName'> & {
  /** The id where it has no name. */
  displayName: string;
  environmentName?: string | undefined;
};

export type AgentMatch =
  | { kind: 'one'; agent: InventoryRow }
  | { kind: 'several'; agents: InventoryRow[] }
  | { kind: 'none' };

/** Throws what finding the agents throws; where the names of environments cannot be read, their ids are shown. */
export async function readInventory(
  session: Pick<AdminSession, 'findAgents' | 'findEnvironments'>,
): Promise<{ rows: InventoryRow[]; truncated: boolean }> {
  const [agents, environments] = await Promise.all([session.findAgents(), optional(session.findEnvironments())]);
  return { rows: joinInventory(agents.rows, listRows(environments)), truncated: agents.truncated };
}

/** None where they could not be read. */
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

/**
 * By id, else by whole name, else by part of a name or id, else by words that all occur somewhere, in the name of its
 * environment, too; without regard to case. An exact match hides others.
 */
export function matchAgents(rows: readonly InventoryRow[], text: string): InventoryRow[] {
  const wanted = toComparable(text);
  if (wanted === '') return [...rows];
  return findFirstMatches(rows, [
    (row: InventoryRow) => [row.name, row.agentResourceId].some((id) => toComparable(id) === wanted),
    (row: InventoryRow) => toComparable(row.displayName) === wanted,
    (row: InventoryRow) => [row.displayName, row.name].some((name) => toComparable(name).includes(wanted)),
    (row: InventoryRow) => hasWords(wanted, listTexts(row)),
  ]);
}

/** What passes the first test that anything passes. */
function findFirstMatches<Row>(rows: readonly Row[], tests: readonly ((row: Row) => boolean)[]): Row[] {
  for (const test of tests) {
    const matches = rows.filter(test);
    if (matches.length > 0) return matches;
  }
  return [];
}

export function findAgent(rows: readonly InventoryRow[], text: string): AgentMatch {
  const agents = text.trim() === '' ? [] : matchAgents(rows, text);
  const [agent] = agents;
  if (agent === undefined) return { kind: 'none' };
  return agents.length === 1 ? { kind: 'one', agent } : { kind: 'several', agents };
}

/**
 * As names and ids are compared: without regard to case. Keyboards make curly quotes of straight ones, and lists show
 * look-alikes of what Slack would format: a name that is copied from there is the same name.
 */
export function toComparable(text: string): string {
  const plain = text
    .normalize('NFC')
    .replace(/[‘’“”\u2217\u223c\u02cb\u02cd\u2060]/g, (sign) => SHOWN_FOR[sign] ?? sign);
  return plain.replace(/\s+/g, ' ').trim().toLowerCase();
}

const SHOWN_FOR: Record<string, string> = {
  ...{ '‘': "'", '’': "'", '“': '"', '”': '"' },
  ...{ '\u2217': '*', '\u223c': '~', '\u02cb': '`', '\u02cd': '_', '\u2060': '' },
};

/** Whether every word of what is wanted occurs. `wanted` is comparable. */
function hasWords(wanted: string, texts: readonly string[]): boolean {
  const text = toComparable(texts.join(' '));
  return wanted.split(' ').every((word) => text.includes(word));
}

/** What an agent is looked for in. */
function listTexts({ displayName, name, agentResourceId, environmentName, environmentId }: InventoryRow): string[] {
  return [displayName, name, agentResourceId, environmentName ?? environmentId ?? ''];
}

/** `name`: as people call it; the id where it has none. */
export type NamedEnvironment = { environmentId: string; name: string; ownerId: string | undefined };

/** Sorted by name. */
export function nameEnvironments(environments: readonly Environment[]): NamedEnvironment[] {
  return environments
    .map(({ name, displayName, ownerId }) => ({ environmentId: name, name: displayName ?? name, ownerId }))
    .sort((one, other) => compareNames(one.name, other.name) || compareNames(one.environmentId, other.environmentId));
}

/** By id, else by whole name, else by part of name or id, else by words in any order; see matchAgents. */
export function matchEnvironments(environments: readonly NamedEnvironment[], text: string): NamedEnvironment[] {
  const wanted = toComparable(text);
  if (wanted === '') return [...environments];
  return findFirstMatches(environments, [
    ({ environmentId }: NamedEnvironment) => toComparable(environmentId) === wanted,
    ({ name }: NamedEnvironment) => toComparable(name) === wanted,
    (one: NamedEnvironment) => [one.name, one.environmentId].some((part) => toComparable(part).includes(wanted)),
    ({ name, environmentId }: NamedEnvironment) => hasWords(wanted, [name, environmentId]),
  ]);
}

/** What a search offers while somebody types. Names are as their makers gave them: untrusted. */
export type Candidate = {
  /** Short, and the same in every replica: what Slack takes as a value may not be longer than 150 characters. */
  key: string;
  /** What the commands find it by. */
  id: string;
  name: string;
  /** Of an agent: the name of its environment, or its id. */
  where: string | undefined;
  /** What is typed is looked for in this. */
  comparable: string;
};

/** `total`: how many fit; `found` are the best of them. */
export type SearchResult = { found: Candidate[]; total: number };

export function toAgentCandidates(rows: readonly InventoryRow[]): Candidate[] {
  return rows.map((row) => {
    const { name, displayName, environmentId, environmentName } = row;
    return {
      key: toKey(environmentId ?? '', name),
      id: name,
      name: displayName,
      where: environmentName ?? environmentId,
      comparable: toComparable(listTexts(row).join(' ')),
    };
  });
}

export function toEnvironmentCandidates(environments: readonly NamedEnvironment[]): Candidate[] {
  return environments.map(({ environmentId, name }) => ({
    key: toKey(environmentId),
    id: environmentId,
    name,
    where: undefined,
    comparable: toComparable(`${name} ${environmentId}`),
  }));
}

/** Every word that was typed has to occur. What begins with them comes first; else it stays in order. */
export function searchCandidates(candidates: readonly Candidate[], typed: string, max: number): SearchResult {
  const wanted = toComparable(typed);
  const words = wanted.split(' ').filter((word) => word !== '');
  const fitting = candidates.filter(({ comparable }) => words.every((word) => comparable.includes(word)));
  const isFirst = ({ comparable }: Candidate) => comparable.startsWith(wanted);
  const ordered = fitting.filter(isFirst).concat(fitting.filter((candidate) => !isFirst(candidate)));
  return { found: ordered.slice(0, max), total: fitting.length };
}

function toKey(...ids: string[]): string {
  return createHash('sha256').update(JSON.stringify(ids)).digest('base64url').slice(0, 22);
}
