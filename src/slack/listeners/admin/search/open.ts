// `/assistant-admin limit` and `allocation` without a name: search it while it is typed.
import type { Caller } from '../../../../governance/is-admin.ts';
import { buildSearchModal, SEARCHES, type SearchState } from '../../../views/admin/search/modal.ts';
import type { AdminPorts } from '../admin-ports.ts';
import { type Opening, withModal } from '../modal.ts';
import { readInventory } from './inventory.ts';
import type { Inventory } from './kept-inventories.ts';

/** `replyTo`: where the admin is answered in the end; see say.ts. */
export type Searching = Omit<Opening, 'topic'> & { replyTo: string };

/** Opens the search, and reads what is searched meanwhile. Asks for the sign-in first. */
export async function openSearch(
  command: SearchState['command'],
  opening: Searching,
  ports: AdminPorts,
): Promise<void> {
  const { topic } = SEARCHES[command];
  await withModal({ ...opening, topic }, ports, async ({ modal, caller }) => {
    const [, reading] = await Promise.allSettled([
      modal.show(buildSearchModal({ command, replyTo: opening.replyTo })),
      lookUp(command, caller, ports),
    ]);
    if (reading.status === 'rejected') throw reading.reason;
  });
}

/** What there is to pick from, as it is kept for this admin. */
export function lookUp(command: SearchState['command'], caller: Caller, ports: AdminPorts): Promise<Inventory> {
  const { kind } = SEARCHES[command];
  return ports.inventories.get(kind, caller, async () => readInventory(kind, await ports.openSession(caller)));
}
