// Reads what edits touch, to make a plan. A stop must not wait: if its agents are in the inventory as last read, nothing is
// read from the service.
import type { AdminSession } from '../../admin-api/admin-session.ts';
import { type Edit, previewEdits } from '../../policy/edit.ts';
import { listLimitCurrencies, type Policy, readEntry } from '../../policy/policy.ts';
import { isSameId, toTargetKey, uniqueIds } from '../../policy/target.ts';
import type { SettingId } from '../../policy/values.ts';
import {
  type InventoryRow,
  joinInventory,
  listRows,
  type NamedEnvironment,
  nameEnvironments,
  toSeenAgent,
} from '../inventory/inventory.ts';
import { listReclassified } from '../plan/make-plan.ts';
import type { LeftOut } from '../plan/plan.ts';
import { readSeen, toEnvironment } from '../plan/read-seen.ts';
import type { Seen, SeenAgent } from '../plan/seen.ts';
import type { GovernanceServices } from '../services.ts';
import type { Admin } from '../shell/access.ts';
import { optional } from '../shell/admin-failure.ts';
import type { Caller } from '../shell/admin-rules.ts';

/** `all`: how many agents and environments there are; 0: unknown. `missing`: targets that the service does not list. */
export type ReadTouched = { seen: Seen; all: number; missing: LeftOut[] };

type ReadRequest = Pick<Admin, 'caller' | 'openSession'> & { policy: Policy; edits: readonly Edit[] };

/** A person waits at the open window: limits that take longer to read (ms) are `unreadable`. */
const WITHIN_MS = 5_000;

/** Throws the errors of admin-errors.ts if the inventory cannot be read. */
export async function readTouched(
  { policy, edits, caller, openSession }: ReadRequest,
  services: GovernanceServices,
): Promise<ReadTouched> {
  const next = previewEdits(policy, edits);
  const wanted = listWanted(next, edits, services.now());
  if (wanted.environments.length + wanted.agents.length + wanted.credits.length === 0) {
    return { seen: toUnread([], services.now()), all: 0, missing: [] };
  }
  const isStop = edits.every((edit) => isStopEdit(next, edit, services.now()));
  const known = isStop ? await readKnownInventory(wanted, services) : undefined;
  const inventory = known ?? (await readInventory(await openSession(), caller, services));
  const found = findWanted(wanted, inventory);
  const currencies = listCurrencies([policy, next], found.agents, services.currency);
  const seen = known
    ? toUnread(found.agents, services.now())
    : await readSeen(
        await openSession(),
        { environments: found.credits, agents: found.agents, currencies, withinMs: WITHIN_MS },
        services,
      );
  return { seen, all: inventory.rows.length + inventory.environments.length, missing: found.missing };
}

function toUnread(agents: readonly SeenAgent[], at: number): Seen {
  return { at, environments: [], agents, isWhole: false, threshold: () => 'hidden', credits: () => undefined };
}

/** Whether the edit leaves its target stopped. Such an edit must not wait for anything. */
function isStopEdit(next: Policy, { setting, target }: Edit, now: number): boolean {
  return setting === 'stop' && readEntry(next, 'stop', target, now)?.value === true;
}

/** Ids of environments. `environments`: all their agents are touched. `credits`: their credits are touched. */
type Wanted = { environments: string[]; agents: { environmentId: string; agentId: string }[]; credits: string[] };

function listWanted(next: Policy, edits: readonly Edit[], now: number): Wanted {
  const classed = listReclassified(next, edits, now);
  const own = edits.flatMap(({ setting, target }) => ('environmentId' in target ? [{ setting, ...target }] : []));
  const ofAgents = own.flatMap((one) => ('agentId' in one ? [one] : []));
  const toIds = (wanted: SettingId) =>
    own.filter((one) => one.setting === wanted && !('agentId' in one)).map(({ environmentId }) => environmentId);
  return {
    environments: [...classed, ...toIds('stop')],
    agents: ofAgents
      .filter(({ setting }) => setting === 'limit' || setting === 'stop')
      .map(({ environmentId, agentId }) => ({ environmentId, agentId })),
    credits: [...classed, ...toIds('credits')],
  };
}

type Inventory = { rows: readonly InventoryRow[]; environments: readonly NamedEnvironment[] };

/** Undefined: the inventory as last read does not have everything that the edits touch. */
async function readKnownInventory(wanted: Wanted, { known }: GovernanceServices): Promise<Inventory | undefined> {
  const found = await known.read();
  if (found === undefined) return undefined;
  const { agents, missing } = findWanted(wanted, found);
  const isThere = (id: string) => agents.some(({ environmentId }) => isSameId(environmentId, id));
  return missing.length === 0 && wanted.environments.every(isThere) ? found : undefined;
}

async function readInventory(
  session: AdminSession,
  caller: Caller,
  { inventories }: GovernanceServices,
): Promise<Inventory> {
  const kept = inventories.toSession(session, caller, { isFresh: true });
  const [agents, environments] = await Promise.all([kept.findAgents(), optional(kept.findEnvironments())]);
  const named = listRows(environments);
  return { rows: joinInventory(agents.rows, named), environments: nameEnvironments(named) };
}

type FoundWanted = { agents: SeenAgent[]; credits: NamedEnvironment[]; missing: LeftOut[] };

function findWanted(wanted: Wanted, { rows, environments }: Inventory): FoundWanted {
  const whole = new Set(wanted.environments.map((id) => id.toLowerCase()));
  const named = new Set(wanted.agents.map(toTargetKey));
  const agents = rows
    .flatMap((row) => toSeenAgent(row) ?? [])
    .filter((agent) => whole.has(agent.environmentId.toLowerCase()) || named.has(toTargetKey(agent)));
  const found = new Set(agents.map(toTargetKey));
  const missing = wanted.agents.filter((one) => !found.has(toTargetKey(one)));
  return {
    agents,
    credits: [...new Set(wanted.credits)].map((id) => toEnvironment(id, environments)),
    missing: missing.map(({ environmentId, agentId }) => ({ environmentId, agentId, reason: 'not_listed' })),
  };
}

function listCurrencies(policies: readonly Policy[], agents: readonly SeenAgent[], currency: string): string[] {
  return uniqueIds(agents.flatMap((agent) => listLimitCurrencies(policies, agent, currency)));
}
