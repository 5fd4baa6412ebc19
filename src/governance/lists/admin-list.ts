// Every list of /assistant-admin: looked up in the admin's name, shown to them alone, a page at a time.

import type { ActionsBlock, Button, TableBlock } from '@slack/types';
import { z } from 'zod';
import type { AdminSession } from '../../admin-api/admin-session.ts';
import { buildPlainText, type Content, toLine, toMrkdwnLine, toMrkdwnName } from '../../slack/views/content.ts';
import type { AuditListPorts } from '../audit/search-audit.ts';
import type { ChangeStore } from '../changes/change.ts';
import type { InventoryRow } from '../inventory/inventory.ts';
import type { InventoryCache } from '../inventory/inventory-cache.ts';
import type { Caller } from '../shell/admin-rules.ts';
import type { AdminShell, Asking, Clicked } from '../shell/admin-shell.ts';
import { buildAdminText } from '../shell/failure-message.ts';
import type { Say, SayPorts, TimeZones } from '../shell/respond.ts';
import { formatCredits, type Page } from '../shell/values.ts';
import { HARNESS_FILTERS, type HarnessFilter, hasFilter } from './list-agents.ts';

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

// The pages of every list of /assistant-admin: what their buttons carry, and the row of buttons itself.
export type ListName = 'agents' | 'audit' | 'environments' | 'limits' | 'usage';

const turnSchema = z.object({
  /** What was typed after the command. */
  query: z.string(),
  page: z.int().min(0),
  /** Of agents: instead of what was typed about the harness. */
  harness: z.enum(HARNESS_FILTERS).optional(),
  /** Of the audit log, whose pages are found by the last entry before them. */
  before: z.int().min(1).optional(),
});

export type PageTurn = z.infer<typeof turnSchema>;

/** Undefined where it is not the value of such a button. */
export function parsePageTurn(value: string): PageTurn | undefined {
  try {
    return turnSchema.safeParse(JSON.parse(value)).data;
  } catch {
    return undefined;
  }
}

/** Where a button leads: each list has some of its own besides *Previous* and *Next*. */
type TurnTarget = 'previous' | 'next' | 'newest' | 'older' | `harness_${HarnessFilter}`;

/** The action ids of all of them. They are written into messages: never rename. */
function matchTurnActions(list: ListName): RegExp {
  return new RegExp(`^admin_${list}_(?:previous|next|newest|older|harness_\\w+)$`);
}

export function buildTurn(list: ListName, to: TurnTarget, label: string, turn: PageTurn): Button {
  return {
    type: 'button',
    action_id: `admin_${list}_${to}`,
    text: buildPlainText(label),
    value: JSON.stringify(turn),
  };
}

/** *Previous* and *Next*, as far as there are such pages. `turn`: what else they carry. */
export function buildTurns(
  list: ListName,
  { page, pageCount }: Pick<Page, 'page' | 'pageCount'>,
  turn: Omit<PageTurn, 'page'>,
): ActionsBlock[] {
  const elements = [
    ...(page > 0 ? [buildTurn(list, 'previous', 'Previous', { ...turn, page: page - 1 })] : []),
    ...(page < pageCount - 1 ? [buildTurn(list, 'next', 'Next', { ...turn, page: page + 1 })] : []),
  ];
  return elements.length === 0 ? [] : [{ type: 'actions', elements }];
}

/** `, page 2 of 1,000`; nothing where there is one. */
export function describePage({ page, pageCount }: Pick<Page, 'page' | 'pageCount'>): string {
  return pageCount > 1 ? `, page ${formatCredits(page + 1)} of ${formatCredits(pageCount)}` : '';
}

export type Column = { title: string; align?: 'left' | 'right' };

/** So that a page of a list stays far below what Slack takes in one table. */
const MAX_CELL_LENGTH = 60;

/**
 * Cells are plain text, perhaps from outside. Slack shows one table a message, below everything else.
 */
export function buildTable(columns: readonly Column[], rows: readonly (readonly string[])[]): TableBlock {
  return {
    type: 'table',
    column_settings: columns.map(({ align = 'left' }) => ({ align, is_wrapped: true })),
    rows: [columns.map(({ title }) => title), ...rows].map((cells) => cells.map(toCell)),
  };
}

/** Slack takes no empty cell. */
function toCell(text: string) {
  return { type: 'raw_text' as const, text: toLine(text, MAX_CELL_LENGTH) || '–' };
}

const LENGTH = 10;

/** `percent` may be more than 100. It is full only where all is used. */
export function buildBar(percent: number): string {
  const filled = Math.min(LENGTH, Math.max(0, Math.floor(percent / LENGTH)));
  return `${'▰'.repeat(filled)}${'▱'.repeat(LENGTH - filled)}`;
}

// What the inventory tells of an agent, in words (mrkdwn), and how to find it there.
/** Names are as long as their makers like; here they must leave room for the rest. */
const MAX_NAME_LENGTH = 100;

/** *Name* in environment: ids as they are, names so that they format nothing. */
export function describeAgentRow({ name, displayName, environmentName, environmentId }: InventoryRow): string {
  const shown = displayName === name ? '' : toMrkdwnName(displayName, MAX_NAME_LENGTH);
  const id = environmentId === undefined ? undefined : toMrkdwnLine(environmentId, MAX_NAME_LENGTH);
  const where = environmentName === undefined ? id : toMrkdwnName(environmentName, MAX_NAME_LENGTH);
  return `*${shown || toMrkdwnLine(name, MAX_NAME_LENGTH)}*${where === undefined ? '' : ` in ${where}`}`;
}

/** Past this nobody turns all of them. */
const MANY_PAGES = 20;

export function adviseOnManyPages(list: ListName, pageCount: number): string[] {
  const what = list === 'environments' || list === 'usage' ? 'an environment' : 'an agent';
  return pageCount > MANY_PAGES
    ? [`To find ${what} sooner, type part of its name: \`/assistant-admin ${list} part of the name\`.`]
    : [];
}

/** Of every list but that of agents, which alone has filters. Begins with a space. */
export function adviseOnNoHit(list: ListName, query: string): string {
  if (query === '') return '';
  if (hasFilter(query)) return ' Only `/assistant-admin agents` has filters; here, type part of the name.';
  return ` Try part of the name, or \`/assistant-admin ${list}\` for all.`;
}

export function describeOwnerAndHarness({ ownerId, isHarness }: InventoryRow): string {
  return `Owner: ${describeOwner(ownerId)} · Harness agent: ${describeHarness(isHarness)}`;
}

/** A person in the directory, by id, which formats nothing as it is: Slack does not know it. */
export function describeOwner(ownerId: string | undefined): string {
  return ownerId === undefined ? 'not told' : toMrkdwnName(ownerId, 80);
}

function describeHarness(isHarness: InventoryRow['isHarness']): string {
  if (isHarness === 'unknown') return 'unknown';
  return isHarness ? 'yes' : 'no';
}
