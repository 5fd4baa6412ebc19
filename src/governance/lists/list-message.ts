// The parts that the messages of all lists share. They fit Slack's limits whatever the names are like.
import type { ActionsBlock, Button, KnownBlock, TableBlock } from '@slack/types';
import { z } from 'zod';
import type { AdminSession } from '../../admin-api/admin-session.ts';
import {
  buildPlainText,
  buildSection,
  type Content,
  fitBlocks,
  toLine,
  toMrkdwnLine,
  toMrkdwnName,
} from '../../slack/views/content.ts';
import type { AuditListPorts } from '../audit/search-audit.ts';
import type { ChangeStore } from '../changes/change.ts';
import type { InventoryRow } from '../inventory/inventory.ts';
import type { Caller } from '../shell/admin-rules.ts';
import { buildNotes } from '../shell/blocks.ts';
import { formatCredits, type Page } from '../shell/values.ts';
import { HARNESS_FILTERS, type HarnessFilter, hasFilter } from './list-agents.ts';

/** `plain`: the same without newer blocks, for where Slack does not accept them. */
export type ListMessage = { content: Content; plain?: Content };

export type Look = { session: AdminSession; caller: Caller; timeZone: Promise<string> };

/** What the lists are read from, beside the session. */
export type ListPorts = AuditListPorts & {
  changes: Pick<ChangeStore, 'lastSet'>;
  /** The credit currency that agents use. */
  currency: string;
  now: () => number;
};

/** `name` is also the word of the command. */
export type AdminList = {
  name: ListName;
  read(turn: PageTurn, look: Look, ports: ListPorts): Promise<ListMessage>;
};

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
export function matchTurnActions(list: ListName): RegExp {
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

type Shown = {
  title: string;
  rows: readonly KnownBlock[];
  /** The buttons that lead to other pages. */
  turns: readonly KnownBlock[];
  notes: readonly string[];
  /** Below everything else. */
  last?: readonly KnownBlock[];
};

/** `text`: what notifications show. */
export function buildList({ title, rows, turns, notes, last = [] }: Shown, text = title): Content {
  return { text, blocks: fitBlocks([buildSection(title), ...rows, ...turns, buildNotes(notes), ...last]) };
}

/** ` matching “invoice”`; empty where nothing was typed. */
export function describeQuery(query: string): string {
  return query === '' ? '' : ` matching “${toMrkdwnName(query, 100)}”`;
}

type Counted = { list: ListName; one: string; many: string; none?: string };

/** `*title*: 12 agents matching “invoice”, page 1 of 2`; where there are none, what to try. */
export function describeCount(
  title: string,
  { list, one, many, none = `no ${many}` }: Counted,
  { total, query, ...page }: Page & { query: string },
): string {
  if (total === 0) return `${title}: ${none}${describeQuery(query)}.${adviseOnNoHit(list, query)}`;
  return `${title}: ${formatCredits(total)} ${total === 1 ? one : many}${describeQuery(query)}${describePage(page)}`;
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

const BAR_LENGTH = 10;

/** `percent` may be more than 100. The bar is full only if all is used. */
export function buildBar(percent: number): string {
  const filled = Math.min(BAR_LENGTH, Math.max(0, Math.floor(percent / 10)));
  return `${'▰'.repeat(filled)}${'▱'.repeat(BAR_LENGTH - filled)}`;
}

/** Longer names are cut, to leave room for the rest. */
const MAX_NAME_LENGTH = 100;

/** *Name* in environment: ids as they are, names so that they format nothing. */
export function describeAgentRow({ name, displayName, environmentName, environmentId }: InventoryRow): string {
  const shown = displayName === name ? '' : toMrkdwnName(displayName, MAX_NAME_LENGTH);
  const id = environmentId === undefined ? undefined : toMrkdwnLine(environmentId, MAX_NAME_LENGTH);
  const where = environmentName === undefined ? id : toMrkdwnName(environmentName, MAX_NAME_LENGTH);
  return `*${shown || toMrkdwnLine(name, MAX_NAME_LENGTH)}*${where === undefined ? '' : ` in ${where}`}`;
}

/** Nobody turns more pages than this. */
const MANY_PAGES = 20;

export function adviseOnManyPages(list: ListName, pageCount: number): string[] {
  const what = list === 'environments' || list === 'usage' ? 'an environment' : 'an agent';
  return pageCount > MANY_PAGES
    ? [`To find ${what} sooner, type part of its name: \`/assistant-admin ${list} part of the name\`.`]
    : [];
}

/** Begins with a space. Only the list of agents has filters. */
function adviseOnNoHit(list: ListName, query: string): string {
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
