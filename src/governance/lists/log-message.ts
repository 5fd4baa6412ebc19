// `/assistant-admin log [words] [2026-03]`: who did what, and why, the latest first.
import type { KnownBlock } from '@slack/types';
import type { AuditEntry } from '../../audit/audit-log.ts';
import { toCanonicalJson } from '../../canonical-json.ts';
import { buildSection, type Content, formatTime, toMrkdwnName } from '../../slack/views/content.ts';
import { toTime } from '../exports/sheet.ts';
import { sendSheet } from '../exports/slack-export.ts';
import type { GovernanceServices } from '../services.ts';
import type { AdminShell, CommandWork } from '../shell/admin-shell.ts';
import { buildAdminText } from '../shell/failure-message.ts';
import { withWaitNote } from '../shell/respond.ts';
import { type Column, PAGE_SIZE, type Shown } from './list.ts';
import { LOOKING, type PageAsking, registerPages, toPageWork } from './list-listeners.ts';
import { buildTurn, CSV_ACTION, describeRow, layOutPage, type PageTurn } from './list-message.ts';
import { parseQuery, type Query } from './list-query.ts';
import { describeAction, describeOutcome, describeStates } from './log-words.ts';
import { type LogPage, type LogRow, readLog } from './search-log.ts';

export function logCommand(typed: string, services: GovernanceServices): CommandWork {
  return toPageWork(typed, (turn, asking) => sayLog(turn, asking, services));
}

/** *Older*, *Newest* and *CSV*. */
export function registerLog(shell: AdminShell, services: GovernanceServices): void {
  registerPages('log', shell, services, (turn, asking) => sayLog(turn, asking, services));
}

async function sayLog(turn: PageTurn, asking: PageAsking, services: GovernanceServices): Promise<void> {
  const { caller, say, sayWait } = asking;
  const timeZone = await services.timeZone(caller);
  const query = parseQuery(turn.query, { filters: [], timeZone });
  if ('problem' in query) return void (await say(buildAdminText(query.problem)));
  if (query.isFile) return sendLog(query, asking, services);
  const look = { query, before: turn.before, limit: PAGE_SIZE };
  const found = await withWaitNote(sayWait, LOOKING, () => readLog(look, services));
  await say(buildLogMessage(found, { query, turn, timeZone, team: caller.team }));
}

/** About 30 MB; `npm run audit -- export` writes all of it. */
const MAX_ROWS = 20_000;

async function sendLog(query: Query, asking: PageAsking, services: GovernanceServices): Promise<void> {
  const asOf = services.now();
  let found = await readLog({ query, limit: MAX_ROWS }, services);
  const rows = [...found.rows];
  // A search may stop early, and then returns where to go on.
  while (found.next !== undefined && rows.length < MAX_ROWS) {
    found = await readLog({ query, before: found.next, limit: MAX_ROWS - rows.length }, services);
    rows.push(...found.rows);
  }
  const gaps = [
    ...(found.next === undefined ? [] : ['Only the latest entries are in it: add a month.']),
    ...(found.isGap ? [NO_NAMES] : []),
  ];
  const columns = buildLogColumns(asking.caller.team);
  await sendSheet({ list: 'log', asOf, gaps, columns, rows }, asking, services);
}

const NO_NAMES = 'There are no names yet, so ids are shown and searched. `/assistant-admin agents` reads the names.';

/** `team`: of the reader. */
type Options = { query: Query; turn: PageTurn; timeZone: string; team: string };

export function buildLogMessage(found: LogPage, { query, turn, timeZone, team }: Options): Content {
  const { rows, next, searchedTo, isGap } = found;
  const list = { columns: buildLogColumns(team), title: toLogTitle };
  const typed = query.typed === '' ? '' : ` “${toMrkdwnName(query.typed, 100)}”`;
  const title = rows.length === 0 ? describeNothing(typed, found, turn) : `*Log*${typed}: the latest first`;
  const sections = rows.map((row): KnownBlock => {
    const text = describeRow(list, row, { timeZone, now: row.entry.at });
    return buildSection(`${text}\n${formatTime(row.entry.at, timeZone)}`);
  });
  const first = { query: query.typed, page: 0 };
  const older = next === undefined ? undefined : { ...first, page: turn.page + 1, before: next };
  const buttons = [
    ...(turn.before === undefined ? [] : buildTurn('log', 'newest', 'Newest', first)),
    ...(older ? buildTurn('log', 'older', rows.length === 0 ? 'Search on' : 'Older', older) : []),
    ...(rows.length === 0 ? [] : buildTurn('log', CSV_ACTION, 'CSV', first)),
  ];
  const notes = [
    'Names are as they are now; entries are as they were written.',
    ...(searchedTo === undefined ? [] : [`:warning: Searched back to ${formatTime(searchedTo, timeZone)} so far.`]),
    ...(isGap ? [`:warning: ${NO_NAMES}`] : []),
  ];
  return layOutPage({ title, rows: sections, buttons, notes });
}

function describeNothing(typed: string, { searchedTo }: LogPage, { before }: PageTurn): string {
  if (searchedTo !== undefined) return `*Log*: nothing fits${typed} so far.`;
  return `*Log*: nothing${typed === '' ? '' : ` fits${typed}`}${before === undefined ? '' : ' that is older'}.`;
}

/** `team`: of the reader; people of other teams are shown by their ids. */
function buildLogColumns(team: string): Column<LogRow>[] {
  return [
    { name: 'seq', read: ({ entry }) => entry.seq },
    { name: 'at', read: ({ entry }) => toTime(entry.at) },
    { name: 'what', read: ({ entry }) => entry.what },
    { name: 'change', read: ({ entry }) => describeStates(entry), show: ({ entry }) => describeStates(entry) },
    {
      name: 'outcome',
      read: ({ entry }) => entry.outcome.kind,
      show: ({ entry, isOpen }) => describeOutcome(entry, isOpen),
    },
    { name: 'outcome_reason', read: ({ entry }) => entry.outcome.reason },
    { name: 'written', read: ({ entry }) => entry.outcome.written },
    { name: 'policy', read: ({ entry }) => entry.policy, show: ({ entry }) => showPolicy(entry), line: 2 },
    { name: 'team', read: ({ entry }) => entry.team },
    {
      name: 'user',
      read: ({ entry }) => entry.who.user,
      show: ({ entry }) => showPerson(entry, entry.who.user, '', team),
      line: 2,
    },
    { name: 'account', read: ({ entry }) => entry.who.account },
    {
      name: 'approver',
      read: ({ entry }) => entry.who.approver,
      show: ({ entry }) => (entry.who.approver ? showPerson(entry, entry.who.approver, 'approver', team) : undefined),
      line: 2,
    },
    { name: 'approver_account', read: ({ entry }) => entry.who.approverAccount },
    { name: 'environment_id', read: ({ entry }) => entry.subject.environmentId },
    { name: 'environment_name', read: ({ entry, names }) => names.environment(entry.subject.environmentId) },
    { name: 'agent_id', read: ({ entry }) => entry.subject.agentId },
    {
      name: 'agent_name',
      read: ({ entry, names }) => names.agent(entry.subject.environmentId, entry.subject.agentId),
    },
    { name: 'currency', read: ({ entry }) => entry.subject.currency },
    { name: 'plan', read: ({ entry }) => entry.subject.planId },
    { name: 'before', read: ({ entry }) => toJson(entry.before) },
    { name: 'after', read: ({ entry }) => toJson(entry.after) },
    { name: 'reason', read: ({ entry }) => entry.reason, show: ({ entry }) => showReason(entry), line: 3 },
    { name: 'request_ids', read: ({ entry }) => entry.requestIds.join(' ') },
    { name: 'hash', read: ({ entry }) => entry.hash },
  ];
}

/** What was done, and to what. */
function toLogTitle({ entry, names }: LogRow): { name: string; where?: string } {
  const { environmentId, agentId, className, channel, currency } = entry.subject;
  const environment = names.environment(environmentId) ?? environmentId;
  const agent = names.agent(environmentId, agentId) ?? agentId;
  const [what, where] = agent === undefined ? [environment ?? className ?? channel, undefined] : [agent, environment];
  const inCurrency = currency === undefined ? '' : ` (${currency})`;
  const name = `${describeAction(entry.what)}${what === undefined ? '' : `: ${what}${inCurrency}`}`;
  return { name, ...(where !== undefined && { where }) };
}

function showPolicy({ policy }: AuditEntry): string | undefined {
  return policy === undefined ? undefined : `policy ${policy}`;
}

function showPerson({ team }: AuditEntry, user: string | undefined, role: string, viewersTeam: string): Shown {
  if (user === undefined) return 'this app by itself';
  if (team === viewersTeam && /^[UW][A-Z0-9]+$/.test(user)) return { user, more: role };
  return `${role} ${user}${team === '' ? '' : ` of ${team}`}`.trim();
}

function showReason({ reason, outcome }: AuditEntry): string | undefined {
  const said = [...(reason ? [`“${reason}”`] : []), ...(outcome.said ? [`rejected: “${outcome.said}”`] : [])];
  return said.length === 0 ? undefined : said.join(' · ');
}

function toJson(value: unknown): string | undefined {
  return value === undefined ? undefined : toCanonicalJson(value);
}
