// What `/assistant-admin agents` shows: one page of the agents that a filter leaves.
import type { AdminSession } from '../../admin-api/admin-session.ts';
import { compareNames, type InventoryRow } from '../inventory/inventory.ts';
import { type FilteredAgents, findFilteredAgents, withHarness } from './filter-agents.ts';
import type { ListFilter } from './list-filter.ts';
import { type Page, takePage, type WantedPage } from './take-page.ts';

export type AgentPage = Page &
  Pick<FilteredAgents, 'environmentName' | 'isGap' | 'truncated'> & {
    rows: InventoryRow[];
    filter: ListFilter;
    /** Of all that the filter leaves but for what it says of the harness. */
    harness: { yes: number; no: number; unknown: number };
    /** Epoch ms. */
    asOf: number;
  };

export type AgentListPorts = {
  session: Pick<AdminSession, 'findAgents' | 'findEnvironments'>;
  now: () => number;
};

/** About what one reads at once. */
const PAGE_SIZE = 10;

/** Throws what finding the agents throws. */
export async function listAgents(
  { filter, page = 0, pageSize = PAGE_SIZE }: { filter: ListFilter } & WantedPage,
  { session, now }: AgentListPorts,
): Promise<AgentPage> {
  const { rows: candidates, readAt, ...found } = await findFilteredAgents(filter, session);
  const count = (wanted: boolean | 'unknown') => candidates.filter(({ isHarness }) => isHarness === wanted).length;
  return {
    ...takePage(sortAgents(withHarness(candidates, filter), filter), page, pageSize),
    ...found,
    filter,
    harness: { yes: count(true), no: count(false), unknown: count('unknown') },
    asOf: readAt ?? now(),
  };
}

/** As they come, by environment, unless another order is asked for. */
export function sortAgents<Row extends InventoryRow>(rows: readonly Row[], { by }: ListFilter): Row[] {
  if (by === 'name') return rows.toSorted((one, other) => compareNames(one.displayName, other.displayName));
  if (by === 'owner') return rows.toSorted((one, other) => compareOwners(one, other));
  return [...rows];
}

/** Those without an owner come first: nobody looks after them. */
export function compareOwners(one: { ownerId: string | undefined }, other: { ownerId: string | undefined }): number {
  return compareNames(one.ownerId ?? '', other.ownerId ?? '');
}
