// What somebody names by words: an environment or an agent, perhaps in part.
import {
  type InventoryRow,
  matchAgents,
  matchEnvironments,
  type NamedEnvironment,
  toComparable,
} from '../inventory/inventory.ts';

/** One of the two has all that fit; both are empty where nothing does. */
export type Matched = { environments: NamedEnvironment[]; agents: InventoryRow[] };

/** A whole name of an environment comes first, then agents, then parts of names of environments. `env:` is for those alone. */
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

/** Thresholds hang on environments. */
function isGovernable({ environmentId }: InventoryRow): boolean {
  return environmentId !== undefined;
}
