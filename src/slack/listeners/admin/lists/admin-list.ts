// Every list of /assistant-admin: looked up in the admin's name, shown to them alone, a page at a time.
import type { App, BlockButtonAction } from '@slack/bolt';
import type { Caller } from '../../../../governance/is-admin.ts';
import { buildAdminText } from '../../../views/admin/admin-messages.ts';
import { type ListName, matchTurnActions, type PageTurn, parsePageTurn } from '../../../views/admin/lists/page-turn.ts';
import type { Content } from '../../../views/content.ts';
import type { AdminPorts, AdminSession } from '../admin-ports.ts';
import { admit } from '../modal.ts';
import { createSay, type Say, startSaying } from '../say.ts';

/** `plain`: the same without the newer blocks, for where Slack does not take these. */
export type ListMessage = { content: Content; plain?: Content };

export type Look = { session: AdminSession; caller: Caller; timeZone: Promise<string> };

/** `name` is also the word of the command. */
export type AdminList = {
  name: ListName;
  read(turn: PageTurn, look: Look, ports: AdminPorts): Promise<ListMessage>;
};

/** `sayWait`: what is on the screen meanwhile stays. `isPageTurn`: the list may be the one that was read for its pages. */
type Asked = { caller: Caller; say: Say; sayWait?: Say; isPageTurn?: boolean };

/** Past this a person wonders whether the command, or the click, arrived. */
const STILL_LOOKING_AFTER_MS = 2_500;

/** After a sign-in that a button had to ask for. */
export const PRESS_AGAIN = 'press the button again';

const STILL_LOOKING = 'Still looking that up…';

export function sayList(list: AdminList, turn: PageTurn, asked: Asked, ports: AdminPorts): Promise<void> {
  return sayLooked((look) => list.read(turn, look, ports), asked, ports);
}

/** The same for what is no list. */
export async function sayLooked(
  read: (look: Look) => Promise<ListMessage>,
  { caller, say, sayWait = say, isPageTurn = false }: Asked,
  ports: AdminPorts,
): Promise<void> {
  const note = setTimeout(() => void sayWait(buildAdminText(STILL_LOOKING)), STILL_LOOKING_AFTER_MS);
  try {
    const own = await ports.openSession(caller);
    const session = ports.inventories.toSession(own, caller, { isFresh: !isPageTurn });
    const { content, plain } = await read({ session, caller, timeZone: ports.timeZone(caller) });
    clearTimeout(note);
    await say(content, plain);
  } finally {
    clearTimeout(note);
  }
}

/** Their buttons: the page takes the place of the one before; where it cannot be had, that one stays. */
export function registerListPages(app: App, lists: readonly AdminList[], ports: AdminPorts): void {
  for (const list of lists) {
    const actionId = matchTurnActions(list.name);
    app.action<BlockButtonAction>({ type: 'block_actions', action_id: actionId }, async ({ body, ack }) => {
      await ack();
      const say = createSay(body, ports);
      startSaying(
        say,
        ports,
        async () => {
          const caller = await admit({ body, user: body.user.id }, ports);
          const turn = parsePageTurn(body.actions[0]?.value ?? '');
          if (!turn) return void (await say(buildAdminText(describeOutOfDate(list))));
          const replace: Say = (content, plain) => ports.clicks.replace(body, content, { plain });
          await sayList(list, turn, { caller, say: replace, sayWait: say, isPageTurn: true }, ports);
        },
        PRESS_AGAIN,
      );
    });
  }
}

function describeOutOfDate({ name }: AdminList): string {
  return `This list is too old to turn its pages. Give the command again: \`/assistant-admin ${name}\`.`;
}
