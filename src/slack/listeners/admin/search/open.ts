// `/assistant-admin limit` and `allocation` without a name: search it while it is typed.
import { buildSearchModal, SEARCHES, type SearchState } from '../../../views/admin/search/modal.ts';
import type { Admin } from '../access.ts';
import type { Opened } from '../modal.ts';
import { readCandidates } from './inventory.ts';
import type { Inventory, InventoryCache } from './inventory-cache.ts';

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
