// The parts that the messages of all lists share. They fit Slack's limits whatever the names are like.
import type { ActionsBlock, AnyBlock, Button, KnownBlock } from '@slack/types';
import { z } from 'zod';
import type { AdminSession } from '../../admin-api/admin-session.ts';
import {
  buildPlainText,
  buildSection,
  type Content,
  fitBlocks,
  toMrkdwnLine,
  toMrkdwnName,
} from '../../slack/views/content.ts';
import type { AuditListPorts } from '../audit/search-audit.ts';
import type { ChangeStore } from '../changes/change.ts';
import type { ConsumptionStore } from '../consumption/consumption-history.ts';
import { buildExportButton } from '../exports/slack-export.ts';
import type { InventoryRow } from '../inventory/inventory.ts';
import type { Keep } from '../inventory/inventory-cache.ts';
import type { Caller } from '../shell/admin-rules.ts';
import { buildNotes } from '../shell/blocks.ts';
import { parseState } from '../shell/modal-state.ts';
import { formatCredits } from '../shell/whole-number.ts';
import { adviseOnNoHit, describeFilter } from './filter-words.ts';
import { type FilteredList, HARNESS_FILTERS, type HarnessFilter, type ListFilter } from './list-filter.ts';
import type { Owned, OwnerPort } from './name-owners.ts';
import type { Page } from './take-page.ts';

/** `plain`: the same without newer blocks, for where Slack does not accept them. */
export type ListMessage = { content: Content; plain?: Content };

export type Look = {
  session: AdminSession;
  caller: Caller;
  timeZone: Promise<string>;
  /** What was read for the page before, where one is turned. */
  keep: Keep;
};

/** What the lists are read from, beside the session. */
export type ListPorts = AuditListPorts & {
  changes: Pick<ChangeStore, 'lastSet'>;
  owners: OwnerPort;
  history: Pick<ConsumptionStore, 'read'>;
  /** The credit currency that agents use. */
  currency: string;
  now: () => number;
  /** Aborted when the app begins to stop. */
  stopping: AbortSignal;
};

/** `name` is also the word of the command. */
export type AdminList = {
  name: ListName;
  read(turn: PageTurn, look: Look, ports: ListPorts): Promise<ListMessage>;
  /** The same where there is no administrative interface; undefined for what is read there. */
  readAlone?(turn: PageTurn, look: Pick<Look, 'caller' | 'timeZone'>, ports: ListPorts): Promise<ListMessage>;
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
  return parseState(turnSchema, value);
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

/** *Previous* and *Next*, as far as there are such pages, and the exports. `turn`: what else they carry. `others`: before these. */
export function buildTurns(
  list: ListName,
  { page, pageCount, total }: Page,
  turn: Omit<PageTurn, 'page'>,
  others: readonly Button[] = [],
): ActionsBlock[] {
  const elements = [
    ...(page > 0 ? [buildTurn(list, 'previous', 'Previous', { ...turn, page: page - 1 })] : []),
    ...(page < pageCount - 1 ? [buildTurn(list, 'next', 'Next', { ...turn, page: page + 1 })] : []),
    ...others,
    ...(total > 0 ? buildListExport(list, turn) : []),
  ];
  return elements.length === 0 ? [] : [{ type: 'actions', elements }];
}

/** *Export CSV*: of all pages. */
export function buildListExport(list: ListName, turn: Omit<PageTurn, 'page'>): Button[] {
  return [buildExportButton(`admin_${list}`, JSON.stringify({ ...turn, page: 0 }))];
}

type Shown = {
  title: string;
  rows: readonly AnyBlock[];
  /** The buttons that lead to other pages. */
  turns: readonly KnownBlock[];
  notes: readonly string[];
  /** Below everything else. */
  last?: readonly KnownBlock[];
};

export function buildList({ title, rows, turns, notes, last = [] }: Shown): Content {
  return { text: title, blocks: fitBlocks([buildSection(title), ...rows, ...turns, buildNotes(notes), ...last]) };
}

type Counted = { list: FilteredList; one: string; many: string; none?: string };

/** `*title*: 12 agents matching “invoice”, page 1 of 2`; where there are none, what to try. */
export function describeCount(
  title: string,
  { list, one, many, none = `no ${many}` }: Counted,
  { total, filter, environmentName, ...page }: Page & { filter: ListFilter; environmentName?: string | undefined },
): string {
  const where = describeFilter({ filter, environmentName });
  if (total === 0) return `${title}: ${none}${where}.${adviseOnNoHit(list, filter)}`;
  const what = `${formatCredits(total)} ${total === 1 ? one : many}`;
  return `${title}: ${what}${where}${describePage(page)}`;
}

/** ` matching “invoice”`; empty where nothing was typed. */
export function describeQuery(query: string): string {
  return query === '' ? '' : ` matching “${toMrkdwnName(query, 100)}”`;
}

/** `, page 2 of 1,000`; nothing where there is one. */
export function describePage({ page, pageCount }: Pick<Page, 'page' | 'pageCount'>): string {
  return pageCount > 1 ? `, page ${formatCredits(page + 1)} of ${formatCredits(pageCount)}` : '';
}

/** Nobody turns more pages than this. */
const MANY_PAGES = 20;

export function adviseOnManyPages(list: ListName, pageCount: number): string[] {
  const what = list === 'environments' || list === 'usage' ? 'an environment' : 'an agent';
  return pageCount > MANY_PAGES
    ? [`To find ${what} sooner, type part of its name: \`/assistant-admin ${list} part of the name\`.`]
    : [];
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

export function describeOwnerAndHarness({ isHarness, ...owned }: InventoryRow & Owned): string {
  return `Owner: ${describeOwner(owned)} · Harness agent: ${describeHarness(isHarness)}`;
}

/** A person in the directory, by id, which formats nothing as it is; as a person of Slack, too, where that is known. */
export function describeOwner({ ownerId, ownerUser }: Owned): string {
  if (ownerId === undefined) return 'unknown';
  const id = toMrkdwnName(ownerId, 80);
  return ownerUser === undefined ? id : `<@${ownerUser}> (${id})`;
}

function describeHarness(isHarness: InventoryRow['isHarness']): string {
  if (isHarness === 'unknown') return 'unknown';
  return isHarness ? 'yes' : 'no';
}
