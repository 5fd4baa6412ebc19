// `/assistant-admin <list> … export csv`, and the button below a list that does the same.
import type { AdminSession } from '../../admin-api/admin-session.ts';
import type { RulesOpenPorts } from '../channel-rules/rules-form.ts';
import { CHANNELS_EXPORT } from '../channel-rules/rules-message.ts';
import type { Sheet } from '../exports/sheet.ts';
import { type SheetPorts, sendSheet, toExportAction } from '../exports/slack-export.ts';
import type { AdminShell, Asking, Clicked } from '../shell/admin-shell.ts';
import { buildAdminText } from '../shell/failure-message.ts';
import { toSearchText } from '../shell/typed-text.ts';
import { PRESS_AGAIN, type SayListPorts, withWaitNote } from './admin-list-listeners.ts';
import { NO_NAMES } from './audit-message.ts';
import { INSIGHTS_EXPORT, INSIGHTS_USAGE, type InsightPorts, readInsights } from './insights-message.ts';
import type { FilteredList } from './list-filter.ts';
import { type ListName, type ListPorts, type PageTurn, parsePageTurn } from './list-message.ts';
import {
  readAgentSheet,
  readEnvironmentSheet,
  readLimitSheet,
  readUsageSheet,
  type WantedSheet,
} from './list-sheets.ts';
import { buildInsightSheet, buildRuleSheet, readAuditSheet } from './log-sheets.ts';
import { readListFilter } from './name-owners.ts';

export type ListExportPorts = SayListPorts &
  SheetPorts &
  InsightPorts &
  RulesOpenPorts & {
    /** Aborted when the app begins to stop. */
    stopping: AbortSignal;
  };

type Turn = Pick<PageTurn, 'query' | 'harness'>;

type Read = Sheet | { problem: string };

type SheetPortsOf = ListPorts & { session: AdminSession; patience: AbortSignal };

/** Under the same filters and in the same order as the list. */
const FILTERED: Record<FilteredList, (wanted: WantedSheet, ports: SheetPortsOf) => Promise<Sheet>> = {
  agents: readAgentSheet,
  environments: readEnvironmentSheet,
  limits: readLimitSheet,
  usage: readUsageSheet,
};

const LISTS: ListName[] = ['agents', 'audit', 'environments', 'limits', 'usage'];

const EXPORTING = 'Reading all of it for the file. This may take a few minutes…';

/** All rows that the query leaves, whatever page was shown. */
export async function exportList(name: ListName, turn: Turn, asking: Asking, ports: ListExportPorts): Promise<void> {
  await sayExport(() => readList(name, turn, asking, ports), asking, ports);
}

/** All environments are read for a file: where the service asks to wait, it waits instead of leaving some out. */
async function readList(name: ListName, turn: Turn, asking: Asking, ports: ListExportPorts): Promise<Read> {
  const { caller } = asking;
  const session = await openReader(name, asking, ports);
  if (name === 'audit') return readAuditSheet(turn.query, { ...ports, session });
  const query = toSearchText(turn.query);
  const parsed = await readListFilter(name, query, { ...ports, caller });
  if (!parsed.ok) return { problem: parsed.sentence };
  const filter = { ...parsed.filter, ...(turn.harness && { harness: turn.harness }) };
  return FILTERED[name]({ filter, query }, { ...ports, session, patience: ports.stopping });
}

/** The audit log is there without an administrative interface, too. */
async function openReader(name: ListName, { caller, openSession }: Asking, ports: ListExportPorts) {
  if (name === 'audit' && !ports.hasInterface) return NO_NAMES as AdminSession;
  return ports.inventories.toSession(await openSession(), caller, { isFresh: true });
}

/** `days`: as it was typed. */
export async function exportInsights(days: string, asking: Asking, ports: ListExportPorts): Promise<void> {
  const read = async () => {
    const found = await readInsights(days, asking.caller, ports);
    return found ? buildInsightSheet(found.usage, ports.now()) : { problem: INSIGHTS_USAGE };
  };
  await sayExport(read, asking, ports);
}

export async function exportRules(asking: Asking, ports: ListExportPorts): Promise<void> {
  const read = async () =>
    buildRuleSheet(await ports.ruleStore.get(asking.caller.workspace), ports.configuredRules, ports.now());
  await sayExport(read, asking, ports);
}

async function sayExport(read: () => Promise<Read>, { caller, say }: Asking, ports: SheetPorts): Promise<void> {
  const sheet = await withWaitNote(say, EXPORTING, read);
  if ('problem' in sheet) return void (await say(buildAdminText(sheet.problem)));
  await sendSheet(sheet, { caller, say }, ports);
}

/** The buttons below all lists, insights and the rules of channels. */
export function registerExportButtons(shell: AdminShell, ports: ListExportPorts): void {
  for (const name of LISTS) {
    const work = async ({ value, ...asking }: Clicked) => {
      const turn = parsePageTurn(value);
      if (!turn) return void (await asking.say(buildAdminText(OUT_OF_DATE)));
      await exportList(name, turn, asking, ports);
    };
    shell.onClick(toExportAction(`admin_${name}`), work, { again: PRESS_AGAIN });
  }
  const sendInsights = ({ value: days, ...asking }: Clicked) => exportInsights(days, asking, ports);
  shell.onClick(toExportAction(INSIGHTS_EXPORT), sendInsights, { isForAll: true });
  shell.onClick(toExportAction(CHANNELS_EXPORT), (asking) => exportRules(asking, ports), { isForAll: true });
}

const OUT_OF_DATE = 'This list is too old to export it. Give its command again.';
