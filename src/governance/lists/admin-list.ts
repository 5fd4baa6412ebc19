// Every list of /assistant-admin: looked up in the admin's name, shown to them alone, a page at a time.
import type { AdminSession } from '../../admin-api/admin-session.ts';
import { buildAdminText } from '../../slack/views/admin/admin-messages.ts';
import {
  type ListName,
  matchTurnActions,
  type PageTurn,
  parsePageTurn,
} from '../../slack/views/admin/lists/page-turn.ts';
import type { Content } from '../../slack/views/content.ts';
import type { AuditListPorts } from '../audit/list-audit.ts';
import type { ChangeStore } from '../changes/change.ts';
import type { InventoryCache } from '../inventory/inventory-cache.ts';
import type { Caller } from '../is-admin.ts';
import type { AdminShell, Asking, Clicked } from '../shell/admin-shell.ts';
import type { Say, SayPorts, TimeZones } from '../shell/respond.ts';

/** `plain`: the same without the newer blocks, for where Slack does not take these. */
export type ListMessage = { content: Content; plain?: Content };

export type Look = { session: AdminSession; caller: Caller; timeZone: Promise<string> };

/** What the lists are read from, beside the session. */
export type ListPorts = AuditListPorts & {
  changes: Pick<ChangeStore, 'lastSet'>;
  /** The credit currency that agents use. */
  currency: string;
  now: () => number;
};

export type LookPorts = TimeZones & { inventories: Pick<InventoryCache, 'toSession'> };

export type SayListPorts = ListPorts & LookPorts;

/** `name` is also the word of the command. */
export type AdminList = {
  name: ListName;
  read(turn: PageTurn, look: Look, ports: ListPorts): Promise<ListMessage>;
};

/** `sayWait`: what is on the screen meanwhile stays. `isPageTurn`: the list may be the one that was read for its pages. */
type Asked = Asking & { sayWait?: Say; isPageTurn?: boolean };

/** Past this a person wonders whether the command, or the click, arrived. */
const STILL_LOOKING_AFTER_MS = 2_500;

/** After a sign-in that a button had to ask for. */
export const PRESS_AGAIN = 'press the button again';

const STILL_LOOKING = 'Still looking that up…';

export function sayList(list: AdminList, turn: PageTurn, asked: Asked, ports: SayListPorts): Promise<void> {
  return sayLooked((look) => list.read(turn, look, ports), asked, ports);
}

/** The same for what is no list. */
export async function sayLooked(
  read: (look: Look) => Promise<ListMessage>,
  { caller, openSession, say, sayWait = say, isPageTurn = false }: Asked,
  ports: LookPorts,
): Promise<void> {
  const note = setTimeout(() => void sayWait(buildAdminText(STILL_LOOKING)), STILL_LOOKING_AFTER_MS);
  try {
    const own = await openSession();
    const session = ports.inventories.toSession(own, caller, { isFresh: !isPageTurn });
    const { content, plain } = await read({ session, caller, timeZone: ports.timeZone(caller) });
    clearTimeout(note);
    await say(content, plain);
  } finally {
    clearTimeout(note);
  }
}

/** Their buttons: the page takes the place of the one before; where it cannot be had, that one stays. */
export function registerListPages(
  shell: AdminShell,
  lists: readonly AdminList[],
  ports: SayListPorts & SayPorts,
): void {
  for (const list of lists) {
    const turnPage = async ({ value, body, say, ...admin }: Clicked) => {
      const turn = parsePageTurn(value);
      if (!turn) return void (await say(buildAdminText(describeOutOfDate(list))));
      const replace: Say = (content, plain) => ports.clicks.replace(body, content, { plain });
      await sayList(list, turn, { ...admin, say: replace, sayWait: say, isPageTurn: true }, ports);
    };
    shell.onClick(matchTurnActions(list.name), turnPage, { again: PRESS_AGAIN });
  }
}

function describeOutOfDate({ name }: AdminList): string {
  return `This list is too old to turn its pages. Give the command again: \`/assistant-admin ${name}\`.`;
}
