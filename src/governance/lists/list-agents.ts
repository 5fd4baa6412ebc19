// What `/assistant-admin agents` shows: one page of the agents that a filter leaves.
import type { AdminSession } from '../../admin-api/admin-session.ts';
import type { InventoryRow } from '../inventory/inventory.ts';
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
    ...takePage(withHarness(candidates, filter), page, pageSize),
    ...found,
    filter,
    harness: { yes: count(true), no: count(false), unknown: count('unknown') },
    asOf: readAt ?? now(),
  };
}
