// `/assistant-admin log [words] [2026-03]`: who did what, and why, the latest first.
import type { KnownBlock } from '@slack/types';
import { buildSection, type Content, fitBlocks, formatTime, toMrkdwnName } from '../../slack/views/content.ts';
import { buildSheet } from '../exports/sheet.ts';
import { sendSheet, toExportAction } from '../exports/slack-export.ts';
import type { GovernanceServices } from '../services.ts';
import type { AdminShell, Asking, Clicked, CommandWork } from '../shell/admin-shell.ts';
import { buildNotes } from '../shell/blocks.ts';
import { buildAdminText } from '../shell/failure-message.ts';
import { type Say, withWaitNote } from '../shell/respond.ts';
import { toSearchText } from '../shell/typed-text.ts';
import { PAGE_SIZE } from './list.ts';
import {
  buildCsvButton,
  buildTurn,
  describeRow,
  matchTurnActions,
  type PageTurn,
  parsePageTurn,
} from './list-message.ts';
import { parseQuery, type Query } from './list-query.ts';
import { buildLogColumns, type LogSearch, readLog, toLogTitle } from './log-list.ts';

type LogServices = Pick<GovernanceServices, 'audit' | 'clicks' | 'known' | 'log' | 'now' | 'sendFile' | 'timeZone'>;

export function logCommand(typed: string, services: LogServices): CommandWork {
  const turn = { query: toSearchText(typed), page: 0 };
  return { run: (asking) => sayLog(turn, asking, services), forAuditors: true };
}

type LogAsking = Asking & { sayWait?: Say };

async function sayLog(turn: PageTurn, asking: LogAsking, services: LogServices): Promise<void> {
  const { caller, say, sayWait = say } = asking;
  const timeZone = await services.timeZone(caller);
  const query = parseQuery(turn.query, { filters: [], timeZone });
  if ('problem' in query) return void (await say(buildAdminText(query.problem)));
  if (query.isFile) return sendLog(query, asking, services);
  const look = { query, before: turn.before, limit: PAGE_SIZE };
  const found = await withWaitNote(sayWait, 'Still looking that up…', () => readLog(look, services));
  await say(buildLogMessage(found, { query, turn, timeZone, team: caller.team }));
}

/** About 30 MB; `npm run audit -- export` writes all of it. */
const MAX_ROWS = 20_000;

async function sendLog(query: Query, { caller, say }: Asking, services: LogServices): Promise<void> {
  const asOf = services.now();
  let found = await readLog({ query, limit: MAX_ROWS }, services);
  const rows = [...found.rows];
  // A search stops now and then, and says where to go on.
  while (found.next !== undefined && rows.length < MAX_ROWS) {
    found = await readLog({ query, before: found.next, limit: MAX_ROWS - rows.length }, services);
    rows.push(...found.rows);
  }
  const gaps = [
    ...(found.next === undefined ? [] : ['Only the latest entries are in it: add a month.']),
    ...(found.isGap ? [NO_NAMES] : []),
  ];
  const sheet = buildSheet({ list: 'log', asOf, gaps }, buildLogColumns(caller.team), rows);
  await sendSheet(sheet, { caller, say }, services);
}

/** *Older*, *Newest* and *CSV*. */
export function registerLog(shell: AdminShell, services: LogServices): void {
  const open = async ({ value, ...clicked }: Clicked, isFile: boolean) => {
    const turn = parsePageTurn(value);
    if (!turn) return void (await clicked.say(buildAdminText(OUT_OF_DATE)));
    const replace: Say = (content, plain) => services.clicks.replace(clicked.body, content, { plain });
    const asking = { ...clicked, ...(!isFile && { say: replace, sayWait: clicked.say }) };
    await sayLog(isFile ? { query: `${turn.query} csv`, page: 0 } : turn, asking, services);
  };
  const options = { again: 'press the button again', forAuditors: true };
  shell.onClick(matchTurnActions('log'), (clicked) => open(clicked, false), options);
  shell.onClick(toExportAction('admin_log'), (clicked) => open(clicked, true), options);
}

const OUT_OF_DATE = 'This list is too old. Give the command again: `/assistant-admin log`.';

const NO_NAMES = 'There are no names yet, so ids are shown and searched: `/assistant-admin agents` reads them.';

/** `team`: of whoever reads. */
type Options = { query: Query; turn: PageTurn; timeZone: string; team: string };

export function buildLogMessage(found: LogSearch, { query, turn, timeZone, team }: Options): Content {
  const { rows, next, searchedTo, isGap } = found;
  const list = { columns: buildLogColumns(team), title: toLogTitle };
  const typed = query.typed === '' ? '' : ` “${toMrkdwnName(query.typed, 100)}”`;
  const title = rows.length === 0 ? describeNothing(typed, found, turn) : `*Log*${typed}: the latest first`;
  const sections = rows.map((row): KnownBlock => {
    const text = describeRow(list, row, { timeZone, now: row.entry.at });
    return buildSection(`${text}\n${formatTime(row.entry.at, timeZone)}`);
  });
  const buttons = [
    ...(turn.before === undefined ? [] : buildTurn('log', 'newest', { query: query.typed, page: 0 })),
    ...(next === undefined
      ? []
      : buildTurn(
          'log',
          'older',
          { query: query.typed, page: turn.page + 1, before: next },
          rows.length === 0 ? 'Search on' : 'Older',
        )),
    ...(rows.length === 0 ? [] : buildCsvButton('log', query.typed)),
  ];
  const notes = [
    'Names are as they are now; entries are as they were written.',
    ...(searchedTo === undefined ? [] : [`:warning: Searched back to ${formatTime(searchedTo, timeZone)} so far.`]),
    ...(isGap ? [`:warning: ${NO_NAMES}`] : []),
  ];
  const actions: KnownBlock[] = buttons.length === 0 ? [] : [{ type: 'actions', elements: buttons }];
  return { text: title, blocks: fitBlocks([buildSection(title), ...sections, ...actions, buildNotes(notes)]) };
}

function describeNothing(typed: string, { searchedTo }: LogSearch, { before }: PageTurn): string {
  if (searchedTo !== undefined) return `*Log*: nothing fits${typed} so far.`;
  return `*Log*: nothing${typed === '' ? '' : ` fits${typed}`}${before === undefined ? '' : ' that is older'}.`;
}
