// The agents that a filter leaves, for the lists of agents and of their limits.
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
import type { HarnessFilter, ListFilter } from './list-filter.ts';

export type FilteredAgents = {
  /** All that the filter leaves but for what it says of the harness and of limits. */
  rows: InventoryRow[];
  /** The name of the environment, where the filter means just one that is listed. */
  environmentName: string | undefined;
  /** The names of environments could not be read: they are found and shown by their ids. */
  isGap: boolean;
  /** The service did not list everything: agents may be missing. */
  truncated: boolean;
  /** Epoch ms, where the list was kept; undefined: now. */
  readAt: number | undefined;
};

type Environments = Found<Environment> | 'gap';

/** Throws what finding the agents throws. */
export async function findFilteredAgents(
  filter: ListFilter,
  session: Pick<AdminSession, 'findAgents' | 'findEnvironments'>,
): Promise<FilteredAgents> {
  const reading = optional(session.findEnvironments());
  const [environments, agents] = await Promise.all([reading, readAgents(filter, reading, session)]);
  const meant = findEnvironments(filter, environments);
  const rows = joinInventory(agents.rows, listRows(environments));
  const isFoundByName = filter.environment !== '' && environments !== 'gap';
  return {
    rows: matchAgents(withOwner(inEnvironment(rows, filter, meant), filter), filter.name),
    environmentName: meant.length === 1 ? meant[0]?.name : undefined,
    isGap: environments === 'gap',
    truncated: agents.truncated || (isFoundByName && environments.truncated),
    readAt: agents.readAt,
  };
}

export function withHarness<Row extends InventoryRow>(rows: readonly Row[], { harness }: ListFilter): Row[] {
  return rows.filter(WANTED[harness]);
}

const WANTED: Record<HarnessFilter, (row: InventoryRow) => boolean> = {
  any: () => true,
  yes: ({ isHarness }) => isHarness === true,
  no: ({ isHarness }) => isHarness === false,
  unknown: ({ isHarness }) => isHarness === 'unknown',
};

/** By the whole id, else by part of it. */
export function withOwner<Row extends { ownerId: string | undefined }>(
  rows: readonly Row[],
  { owner }: Pick<ListFilter, 'owner'>,
): readonly Row[] {
  const wanted = toComparable(owner);
  if (wanted === '') return rows;
  const whole = rows.filter(({ ownerId }) => toComparable(ownerId ?? '') === wanted);
  return whole.length > 0 ? whole : rows.filter(({ ownerId }) => toComparable(ownerId ?? '').includes(wanted));
}

/**
 * The service compares ids exactly, and its own flag hides agents about which it does not know. So all are read and
 * filtered here. Its filter is used only if it does not list all of them, to find those past the end.
 */
async function readAgents(
  filter: ListFilter,
  environments: Promise<Environments>,
  session: Pick<AdminSession, 'findAgents'>,
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
function toEnvironmentId(filter: ListFilter, environments: Environments): { environmentId?: string } {
  const meant = findEnvironments(filter, environments);
  if (meant.length > 1) return {};
  return { environmentId: meant[0]?.environmentId ?? filter.environment };
}

/** None where there is no such filter. */
function findEnvironments({ environment }: ListFilter, environments: Environments): NamedEnvironment[] {
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

/** Truncated: what only the service's filter finds may also be incomplete. */
function merge(one: Found<Agent>, other: Found<Agent>): Found<Agent> {
  const toKey = ({ name, environmentId }: Agent) => `${name}\n${environmentId ?? ''}`.toLowerCase();
  const known = new Set(one.rows.map(toKey));
  return { ...one, rows: [...one.rows, ...other.rows.filter((agent) => !known.has(toKey(agent)))], truncated: true };
}

function inEnvironment(
  rows: readonly InventoryRow[],
  { environment }: ListFilter,
  meant: readonly NamedEnvironment[],
): readonly InventoryRow[] {
  if (environment === '') return rows;
  // An environment that is not listed may still be named by its id.
  const typed = meant.length === 0 ? [environment] : meant.map(({ environmentId }) => environmentId);
  const ids = new Set(typed.map(toComparable));
  return rows.filter(({ environmentId }) => environmentId !== undefined && ids.has(toComparable(environmentId)));
}
