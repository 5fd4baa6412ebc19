// What `/assistant-admin agents` shows: one page of the agents that a filter leaves.

import { AdminRejectedError } from '../../admin-api/admin-errors.ts';
import type { AdminSession } from '../../admin-api/admin-session.ts';
import type { Agent, Environment, Found } from '../../admin-api/inventory-wire.ts';
import {
  type InventoryRow,
  joinInventory,
  listRows,
  matchAgents,
  matchEnvironments,
  type NamedEnvironment,
  nameEnvironments,
  toComparable,
} from '../inventory/inventory.ts';
import { optional } from '../shell/admin-failure.ts';
import { type Page, takePage } from '../shell/values.ts';

export type AgentPage = Page & {
  rows: InventoryRow[];
  filter: AgentFilter;
  /** The name of the environment, where the filter means just one that is listed. */
  environmentName: string | undefined;
  /** Of all that the filter leaves but for what it says of the harness. */
  harness: { yes: number; no: number; unknown: number };
  /** The names of environments could not be read: they are found and shown by their ids. */
  isGap: boolean;
  /** The service did not list everything: agents may be missing. */
  truncated: boolean;
  /** Epoch ms. */
  asOf: number;
};

export type AgentListPorts = {
  session: Pick<AdminSession, 'findAgents' | 'findEnvironments'>;
  now: () => number;
};

/** About what one reads at once. */
const PAGE_SIZE = 10;

type Environments = Found<Environment> | 'gap';

/** Throws what finding the agents throws. */
export async function listAgents(
  { filter, page = 0 }: { filter: AgentFilter; page?: number },
  ports: AgentListPorts,
): Promise<AgentPage> {
  const reading = optional(ports.session.findEnvironments());
  const [environments, agents] = await Promise.all([reading, readAgents(filter, reading, ports)]);
  const meant = findEnvironments(filter, environments);
  const rows = joinInventory(agents.rows, listRows(environments));
  const candidates = matchAgents(withOwner(inEnvironment(rows, filter, meant), filter), filter.name);
  const count = (wanted: boolean | 'unknown') => candidates.filter(({ isHarness }) => isHarness === wanted).length;
  const isFoundByName = filter.environment !== '' && environments !== 'gap';
  return {
    ...takePage(candidates.filter(WANTED[filter.harness]), page, PAGE_SIZE),
    filter,
    environmentName: meant.length === 1 ? meant[0]?.name : undefined,
    harness: { yes: count(true), no: count(false), unknown: count('unknown') },
    isGap: environments === 'gap',
    truncated: agents.truncated || (isFoundByName && environments.truncated),
    asOf: agents.readAt ?? ports.now(),
  };
}

const WANTED: Record<HarnessFilter, (row: InventoryRow) => boolean> = {
  any: () => true,
  yes: ({ isHarness }) => isHarness === true,
  no: ({ isHarness }) => isHarness === false,
  unknown: ({ isHarness }) => isHarness === 'unknown',
};

/**
 * The service compares ids to the letter, and its own flag hides agents of which it does not know it: so all are read and
 * filtered here. Only where it does not list all, its filter finds what is past the end.
 */
async function readAgents(
  filter: AgentFilter,
  environments: Promise<Environments>,
  { session }: AgentListPorts,
): Promise<Found<Agent>> {
  const all = await session.findAgents();
  if (!all.truncated) return all;
  const narrowed = {
    ...(filter.environment === '' ? {} : toEnvironmentId(filter, await environments)),
    ...(filter.owner === '' ? {} : { ownerId: filter.owner }),
    ...(filter.harness === 'yes' ? { harnessOnly: true } : {}),
  };
  if (Object.keys(narrowed).length === 0) return all;
  return merge(all, await orNone(session.findAgents(narrowed)));
}

/** Nothing where several are meant: the service takes one. */
function toEnvironmentId(filter: AgentFilter, environments: Environments): { environmentId?: string } {
  const meant = findEnvironments(filter, environments);
  if (meant.length > 1) return {};
  return { environmentId: meant[0]?.environmentId ?? filter.environment };
}

/** None where there is no such filter. */
function findEnvironments({ environment }: AgentFilter, environments: Environments): NamedEnvironment[] {
  if (environment === '' || environments === 'gap') return [];
  return matchEnvironments(nameEnvironments(environments.rows), environment);
}

/** The service rejects what cannot be an id. */
async function orNone(finding: Promise<Found<Agent>>): Promise<Found<Agent>> {
  try {
    return await finding;
  } catch (error) {
    if (error instanceof AdminRejectedError) return { rows: [], truncated: false };
    throw error;
  }
}

/** Truncated: what only the service's filter finds may be incomplete, too. */
function merge(one: Found<Agent>, other: Found<Agent>): Found<Agent> {
  const toKey = ({ name, environmentId }: Agent) => `${name}\n${environmentId ?? ''}`.toLowerCase();
  const known = new Set(one.rows.map(toKey));
  return { ...one, rows: [...one.rows, ...other.rows.filter((agent) => !known.has(toKey(agent)))], truncated: true };
}

function inEnvironment(
  rows: readonly InventoryRow[],
  { environment }: AgentFilter,
  meant: readonly NamedEnvironment[],
): readonly InventoryRow[] {
  if (environment === '') return rows;
  // An environment that is not listed may still be named by its id.
  const typed = meant.length === 0 ? [environment] : meant.map(({ environmentId }) => environmentId);
  const ids = new Set(typed.map(toComparable));
  return rows.filter(({ environmentId }) => environmentId !== undefined && ids.has(toComparable(environmentId)));
}

/** By the whole id, else by part of it. */
function withOwner(rows: readonly InventoryRow[], { owner }: AgentFilter): readonly InventoryRow[] {
  const wanted = toComparable(owner);
  if (wanted === '') return rows;
  const whole = rows.filter(({ ownerId }) => toComparable(ownerId ?? '') === wanted);
  return whole.length > 0 ? whole : rows.filter(({ ownerId }) => toComparable(ownerId ?? '').includes(wanted));
}

/**
 * As it is typed: invoice env:"Contoso Production" owner:4f1c… harness.
 * Empty texts filter nothing. `harness`: 'unknown' are the agents of which the service does not tell it.
 */
export type AgentFilter = { name: string; environment: string; owner: string; harness: HarnessFilter };

export type HarnessFilter = (typeof HARNESS_FILTERS)[number];

export const HARNESS_FILTERS = ['any', 'yes', 'no', 'unknown'] as const;

export type ParsedFilter = { ok: true; filter: AgentFilter } | { ok: false; sentence: string };

const OWNERS_ARE_IDS =
  'The owners of agents are people in the directory, whom Slack does not know: after `owner:` comes their id there, or part of it, as `/assistant-admin agents` shows it.';

const KEYS = 'env|environment|owner|name|harness';
const KEY = new RegExp(`^(${KEYS}):\\s*`, 'i');
const ANY_KEY = new RegExp(`(?:^|\\s)(?:(?:${KEYS}):|harness(?:\\s|$))`, 'i');
const BARE_HARNESS = /^harness(?=\s|$)/i;

/** A value ends where the next filter begins, or with its quotes: names have spaces and quotes of their own. */
const NEXT = `\\s+(?:(?:${KEYS}):|harness(?:\\s|$))`;
const QUOTED = [
  ['["“„«]', '["”“»]'],
  ["['‘‚]", "['’‘]"],
  ['`', '`'],
].flatMap(([open = '', close = '']) => [
  new RegExp(`^${open}(.*?)${close}(?=${NEXT}|\\s*$)`, 'i'), // to the quote that ends it, whatever quotes are within
  new RegExp(`^${open}(.+?)${close}(?=\\s)`), // or, where words of no filter come after it, to the first one
]);
const UNQUOTED = new RegExp(`^(.*?)(?=${NEXT}|\\s*$)`, 'i');
const WORD = /^(\S+)/;

/** Words of no filter are part of the agent's name. A name with the word harness in it is typed in quotes. */
export function parseAgentFilter(typed: string): ParsedFilter {
  const found = new Map<string, string>();
  const words: string[] = [];
  let rest = typed.trim();
  while (rest !== '') {
    const key = KEY.exec(rest)?.[0] ?? '';
    const isBare = key === '' && BARE_HARNESS.test(rest);
    const { value, length } = take(rest.slice(key.length), [...QUOTED, key === '' ? WORD : UNQUOTED]);
    if (key !== '') found.set(toName(key), value);
    else if (isBare) found.set('harness', 'yes');
    else words.push(value);
    rest = rest.slice(key.length + length).trimStart();
  }
  return toFilter(found, words);
}

/** Whether it was typed as if it were a filter of agents: no other list has any. */
export function hasFilter(typed: string): boolean {
  return ANY_KEY.test(typed);
}

function take(text: string, patterns: readonly RegExp[]): { value: string; length: number } {
  for (const pattern of patterns) {
    const match = pattern.exec(text);
    if (match) return { value: (match[1] ?? '').trim(), length: match[0].length };
  }
  return { value: text, length: text.length };
}

function toFilter(found: ReadonlyMap<string, string>, words: readonly string[]): ParsedFilter {
  const harness = HARNESS_FILTERS.find((one) => one === (found.get('harness') ?? 'any').toLowerCase());
  if (harness === undefined) {
    return { ok: false, sentence: 'After `harness:` comes `yes`, `no`, `unknown` or `any`.' };
  }
  const read = (key: string) => withoutStrayQuote(found.get(key) ?? '');
  if (read('owner').startsWith('@')) return { ok: false, sentence: OWNERS_ARE_IDS };
  const name = found.has('name') ? read('name') : withoutStrayQuote(words.join(' '));
  return { ok: true, filter: { name, environment: read('env'), owner: read('owner'), harness } };
}

function toName(key: string): string {
  const name = key.replace(/:\s*$/, '').toLowerCase();
  return name === 'environment' ? 'env' : name;
}

/** One that was opened and never closed. */
function withoutStrayQuote(text: string): string {
  const count = text.match(/["“”„«»]/g)?.length ?? 0;
  return count % 2 === 0 ? text : text.replace(/^["“„«]|["”“»]$/, '');
}
