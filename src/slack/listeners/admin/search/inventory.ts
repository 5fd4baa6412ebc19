import { nameEnvironments } from '../../../../governance/environments.ts';
import { joinInventory } from '../../../../governance/inventory.ts';
import { orGap } from '../../../../governance/or-gap.ts';
import { toAgentCandidates, toEnvironmentCandidates } from '../../../../governance/search-inventory.ts';
import type { AdminSession } from '../admin-ports.ts';
import type { Inventory, SearchKind } from './kept-inventories.ts';

/** All that there is to pick from, in the name of one admin. Throws the errors of admin-errors.ts. */
export async function readInventory(kind: SearchKind, { client, token }: AdminSession): Promise<Inventory> {
  if (kind === 'environments') {
    const { rows, truncated } = await client.findEnvironments(token);
    return { candidates: toEnvironmentCandidates(nameEnvironments(rows)), truncated };
  }
  const [agents, environments] = await Promise.all([
    client.findAgents(token),
    // Their names are a comfort: without them their ids do.
    orGap(client.findEnvironments(token)),
  ]);
  const named = environments === 'gap' ? [] : environments.rows;
  return { candidates: toAgentCandidates(joinInventory(agents.rows, named)), truncated: agents.truncated };
}
