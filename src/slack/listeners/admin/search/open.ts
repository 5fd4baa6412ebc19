// `/assistant-admin limit` and `allocation` without a name: search it while it is typed.

import type { Inventory, InventoryCache } from '../../../../governance/inventory/inventory-cache.ts';
import { buildSearchModal, SEARCHES, type SearchState } from '../../../../governance/lists/inventory-search-views.ts';
import type { Admin } from '../../../../governance/shell/access.ts';
import type { Opened } from '../../../../governance/shell/modal.ts';
import { readCandidates } from './inventory.ts';

export type SearchPorts = { inventories: Pick<InventoryCache, 'get'> };

/** Shows the search, and reads what is searched meanwhile. */
export async function openSearch(
  command: SearchState['command'],
  { modal, session, caller, replyTo }: Opened,
  ports: SearchPorts,
): Promise<void> {
  const [, reading] = await Promise.allSettled([
    modal.show(buildSearchModal({ command, replyTo })),
    lookUp(command, { caller, openSession: async () => session }, ports),
  ]);
  if (reading.status === 'rejected') throw reading.reason;
}

/** What there is to pick from, as it is kept for this admin. */
export function lookUp(
  command: SearchState['command'],
  { caller, openSession }: Admin,
  { inventories }: SearchPorts,
): Promise<Inventory> {
  const { kind } = SEARCHES[command];
  return inventories.get(kind, caller, async () => readCandidates(kind, await openSession()));
}
