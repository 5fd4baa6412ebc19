// What `/assistant-admin environments` shows: one page of environments, with how many agents each of them has.
import type { AdminSession } from '../../admin-api/admin-session.ts';
import type { Agent } from '../../admin-api/inventory-wire.ts';
import { listRows, matchEnvironments, type NamedEnvironment, nameEnvironments } from '../inventory/inventory.ts';
import { optional } from '../shell/admin-failure.ts';
import { withOwner } from './filter-agents.ts';
import type { ListFilter } from './list-filter.ts';
import { type Page, takePage, type WantedPage } from './take-page.ts';

/** `unknown`: the service does not tell whether a harness made them. */
type AgentCount = { all: number; harness: number; unknown: number };

/** `agents` is undefined where they could not be read. */
export type EnvironmentRow = NamedEnvironment & { agents: AgentCount | undefined };

export type EnvironmentPage = Page & {
  rows: EnvironmentRow[];
  filter: ListFilter;
  /** What was typed, for the buttons that lead on. */
  query: string;
  /** How many agents there are in all that the filter leaves; undefined where they could not be read. */
  agents: number | undefined;
  /** The service did not list all environments. */
  truncated: boolean;
  /** Of the agents: they could not be read, or not all of them, so that there may be more than are counted. */
  agentGap: 'unreadable' | 'truncated' | undefined;
  /** Agents in environments that the service does not list, or in none. */
  strayAgents: number;
  /** Epoch ms. */
  asOf: number;
};

export type EnvironmentListPorts = {
  session: Pick<AdminSession, 'findAgents' | 'findEnvironments'>;
  now: () => number;
};

/** About what one reads at once; each has buttons of its own. */
const PAGE_SIZE = 10;

/** Throws what finding the environments throws. */
export async function listEnvironments(
  { filter, query, page = 0, pageSize = PAGE_SIZE }: { filter: ListFilter; query: string } & WantedPage,
  { session, now }: EnvironmentListPorts,
): Promise<EnvironmentPage> {
  const [environments, agents] = await Promise.all([session.findEnvironments(), optional(session.findAgents())]);
  const all = nameEnvironments(environments.rows);
  const counts = countAgents(listRows(agents));
  const find = ({ environmentId }: NamedEnvironment) => counts.get(environmentId.toLowerCase()) ?? NONE;
  const count = (rows: readonly NamedEnvironment[]) => rows.reduce((sum, one) => sum + find(one).all, 0);
  const matching = withOwner(matchEnvironments(all, filter.name), filter);
  const { rows, ...where } = takePage(matching, page, pageSize);
  return {
    ...where,
    rows: rows.map((row) => ({ ...row, agents: agents === 'gap' ? undefined : find(row) })),
    filter,
    query,
    agents: agents === 'gap' ? undefined : count(matching),
    truncated: environments.truncated,
    agentGap: agents === 'gap' ? 'unreadable' : agents.truncated ? 'truncated' : undefined,
    strayAgents: agents === 'gap' ? 0 : agents.rows.length - count(all),
    asOf: environments.readAt ?? now(),
  };
}

const NONE: AgentCount = { all: 0, harness: 0, unknown: 0 };

function countAgents(agents: readonly Agent[]): ReadonlyMap<string, AgentCount> {
  const counts = new Map<string, AgentCount>();
  for (const { environmentId, isHarness } of agents) {
    if (environmentId === undefined) continue;
    const key = environmentId.toLowerCase();
    const { all, harness, unknown } = counts.get(key) ?? NONE;
    counts.set(key, {
      all: all + 1,
      harness: harness + (isHarness === true ? 1 : 0),
      unknown: unknown + (isHarness === 'unknown' ? 1 : 0),
    });
  }
  return counts;
}
