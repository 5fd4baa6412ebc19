import type { AdminSession } from '../../../../admin-api/admin-session.ts';
import { nameEnvironments } from '../../../../governance/environments.ts';
import { readInventory } from '../../../../governance/inventory/inventory.ts';
import type { Inventory, SearchKind } from '../../../../governance/inventory/inventory-cache.ts';
import { toAgentCandidates, toEnvironmentCandidates } from '../../../../governance/search-inventory.ts';

/** All that there is to pick from, in the name of one admin. Throws the errors of admin-errors.ts. */
export async function readCandidates(kind: SearchKind, session: AdminSession): Promise<Inventory> {
  if (kind === 'environments') {
    const { rows, truncated } = await session.findEnvironments();
    return { candidates: toEnvironmentCandidates(nameEnvironments(rows)), truncated };
  }
  const { rows, truncated } = await readInventory(session);
  return { candidates: toAgentCandidates(rows), truncated };
}
