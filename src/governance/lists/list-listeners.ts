// `/assistant-admin agents` and `environments`: a page at a time, for whoever asked alone, or all of it as a file.
import { buildSheet } from '../exports/sheet.ts';
import { type SheetServices, sendSheet, toExportAction } from '../exports/slack-export.ts';
import type { GovernanceServices } from '../services.ts';
import type { AdminShell, Asking, Clicked, CommandWork } from '../shell/admin-shell.ts';
import { buildAdminText } from '../shell/failure-message.ts';
import { type Say, withWaitNote } from '../shell/respond.ts';
import { toSearchText } from '../shell/typed-text.ts';
import type { ListServices } from './list.ts';
import { buildBulkButtons, buildRowButtons } from './list-buttons.ts';
import { buildListMessage, matchTurnActions, type PageTurn, parsePageTurn } from './list-message.ts';
import type { Owned } from './list-owners.ts';
import { type Found, type ListName, type ListReader, readPage } from './list-reader.ts';

export type ListListenerServices = ListServices &
  SheetServices &
  Pick<GovernanceServices, 'clicks' | 'inventories' | 'timeZone'> & { lists: ListReader };

const LIST_NAMES: readonly ListName[] = ['agents', 'environments'];

/** `/assistant-admin agents [words]`, perhaps with `csv` at its end. */
export function listCommand(name: ListName, typed: string, services: ListListenerServices): CommandWork {
  return {
    run: (asking) => sayList(name, { query: toSearchText(typed), page: 0 }, { ...asking, isFresh: true }, services),
    forAuditors: true,
  };
}

/** `sayWait`: says that it takes a while. `isFresh`: see ListReader. */
type ListAsking = Asking & { sayWait?: Say; isFresh: boolean };

const LOOKING = 'Still looking that up…';

async function sayList(
  name: ListName,
  turn: PageTurn,
  asking: ListAsking,
  services: ListListenerServices,
): Promise<void> {
  const { caller, openSession, say, sayWait = say, isFresh, role } = asking;
  const read = async () => {
    const session = services.inventories.toSession(await openSession(), caller, { isFresh });
    const asked = { name, typed: turn.query, caller, session, timeZone: await services.timeZone(caller), isFresh };
    return services.lists.read(asked, async (found): Promise<() => Promise<unknown>> => {
      if (found.query.isFile) return () => sendSheet(toSheet(found), asking, services);
      const { list, query, result, look } = found;
      const page = await readPage(found, turn.page);
      const bulk = role === 'admin' ? await buildBulkButtons(name, found, services) : [];
      const buttons = (row: unknown) => buildRowButtons(name, row, role);
      const content = buildListMessage({ list, query, result, page, timeZone: look.timeZone, bulk, buttons });
      return () => say(content);
    });
  };
  const answer = await withWaitNote(sayWait, LOOKING, read);
  if ('problem' in answer) await say(buildAdminText(answer.problem));
  else await answer();
}

function toSheet<Row extends Owned>({ list, result }: Found<Row>) {
  const { rows, notes, asOf, unsure } = result;
  const left = unsure > 0 ? [`${unsure} left out: the service does not show whether they fit.`] : [];
  const seen = [...notes, ...(list.remarks?.(rows) ?? [])];
  const gaps = [...seen.map((note) => note.replace(/^:warning: /, '')), ...left];
  return buildSheet({ list: list.name, asOf, gaps }, list.columns, rows);
}

/** Turning pages, which replaces the message, and *CSV*. */
export function registerLists(shell: AdminShell, services: ListListenerServices): void {
  const again = 'press the button again';
  for (const name of LIST_NAMES) {
    const open = async ({ value, ...clicked }: Clicked, how: Pick<ListAsking, 'isFresh'> & { isFile: boolean }) => {
      const turn = parsePageTurn(value);
      if (!turn) return void (await clicked.say(buildAdminText(describeOutOfDate(name))));
      const { isFresh, isFile } = how;
      const replace: Say = (content, plain) => services.clicks.replace(clicked.body, content, { plain });
      const asking = { ...clicked, ...(!isFile && { say: replace, sayWait: clicked.say }), isFresh };
      await sayList(name, isFile ? { ...turn, query: `${turn.query} csv` } : turn, asking, services);
    };
    const turnPage = (clicked: Clicked) => open(clicked, { isFresh: false, isFile: false });
    const sendCsv = (clicked: Clicked) => open(clicked, { isFresh: true, isFile: true });
    shell.onClick(matchTurnActions(name), turnPage, { again, forAuditors: true });
    shell.onClick(toExportAction(`admin_${name}`), sendCsv, { again, forAuditors: true });
  }
}

function describeOutOfDate(name: ListName): string {
  return `This list is too old. Give the command again: \`/assistant-admin ${name}\`.`;
}
