// `/assistant-admin agents` and `environments`: a page at a time, which only the person who asked sees, or a file.
import type { Sheet } from '../exports/sheet.ts';
import { sendSheet } from '../exports/slack-export.ts';
import type { GovernanceServices } from '../services.ts';
import type { AdminShell, Asking, Clicked, CommandWork } from '../shell/admin-shell.ts';
import { buildAdminText } from '../shell/failure-message.ts';
import { type Say, withWaitNote } from '../shell/respond.ts';
import { toSearchText } from '../shell/typed-text.ts';
import type { Owned } from './list.ts';
import { buildBulkButtons, buildRowButtons } from './list-actions.ts';
import { buildListMessage, CSV_ACTION, matchTurnActions, type PageTurn, parsePageTurn } from './list-message.ts';
import { type Found, type ListingServices, type ListName, readPage } from './list-reader.ts';

/** `sayWait`: says that it takes a while. `isFresh`: see ListReader. */
export type PageAsking = Asking & { sayWait: Say; isFresh: boolean };

type SayPage = (turn: PageTurn, asking: PageAsking) => Promise<void>;

/** `typed`: words, perhaps with `csv` at their end. */
export function toPageWork(typed: string, sayPage: SayPage): CommandWork {
  const turn = { query: toSearchText(typed), page: 0 };
  return {
    run: (asking) => sayPage(turn, { ...asking, sayWait: asking.say, isFresh: true }),
    check: { forAuditors: true },
  };
}

/** Registers the buttons that turn pages, which replaces the message, and *CSV*. `name`: of the command. */
export function registerPages(
  name: string,
  shell: AdminShell,
  { clicks }: Pick<GovernanceServices, 'clicks'>,
  sayPage: SayPage,
): void {
  const outOfDate = `This list is too old. Give the command again: \`/assistant-admin ${name}\`.`;
  const open =
    ({ isFile }: { isFile: boolean }) =>
    async ({ value, ...clicked }: Clicked) => {
      const turn = parsePageTurn(value);
      if (!turn) return void (await clicked.say(buildAdminText(outOfDate)));
      const { say } = clicked;
      const replace: Say = (content, plain) => clicks.replace(clicked.body, content, { plain });
      const asking = { ...clicked, say: isFile ? say : replace, sayWait: say, isFresh: isFile };
      await sayPage(isFile ? { query: `${turn.query} csv`, page: 0 } : turn, asking);
    };
  const options = { again: 'press the button again', check: { forAuditors: true } };
  shell.onClick(matchTurnActions(name), open({ isFile: false }), options);
  shell.onClick(`admin_${name}_${CSV_ACTION}`, open({ isFile: true }), options);
}

export const LOOKING = 'Still looking that up…';

export function listCommand(name: ListName, typed: string, services: ListingServices): CommandWork {
  return toPageWork(typed, (turn, asking) => sayList(name, turn, asking, services));
}

export function registerLists(shell: AdminShell, services: ListingServices): void {
  for (const name of ['agents', 'environments'] as const) {
    registerPages(name, shell, services, (turn, asking) => sayList(name, turn, asking, services));
  }
}

async function sayList(
  name: ListName,
  { query: typed, page }: PageTurn,
  asking: PageAsking,
  services: ListingServices,
): Promise<void> {
  const { caller, openSession, say, sayWait, isFresh, role } = asking;
  const answer = await withWaitNote(sayWait, LOOKING, async () => {
    const session = services.inventories.toSession(await openSession(), caller, { isFresh });
    const timeZone = await services.timeZone(caller);
    const found = await services.lists.read({ name, typed, caller, session, timeZone, isFresh });
    if ('problem' in found) return buildAdminText(found.problem);
    if (found.query.isFile) return toSheet(found);
    return buildListMessage({
      ...found,
      page: await readPage(found, page),
      timeZone,
      bulk: role === 'admin' ? await buildBulkButtons(name, found, services) : [],
      buttons: (row) => buildRowButtons(name, row, role),
    });
  });
  if ('blocks' in answer) await say(answer);
  else await sendSheet(answer, asking, services);
}

function toSheet({ list: { name, columns, remarks }, result }: Found): Sheet<Owned> {
  const { rows, notes, asOf, unsure } = result;
  const left = unsure > 0 ? [`${unsure} left out: it is not known whether they fit.`] : [];
  const seen = [...notes, ...(remarks?.(rows) ?? [])];
  const gaps = [...seen.map((note) => note.replace(/^:warning: /, '')), ...left];
  return { list: name, asOf, gaps, columns, rows };
}
