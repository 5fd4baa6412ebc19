// One page of agents, for the admin who asked. Fits Slack's limits whatever the names are like.
import type { ActionsBlock } from '@slack/types';
import { type Content, formatTime, toMrkdwnLine } from '../../slack/views/content.ts';
import type { InventoryRow } from '../inventory/inventory.ts';
import { buildAdminText } from '../shell/failure-message.ts';
import { toSearchText } from '../shell/typed-text.ts';
import { formatCredits } from '../shell/whole-number.ts';
import { adviseOnNoHit, describeFilter } from './filter-words.ts';
import { buildAgentRow } from './limits-message.ts';
import { type AgentPage, listAgents } from './list-agents.ts';
import type { HarnessFilter } from './list-filter.ts';
import {
  type AdminList,
  adviseOnManyPages,
  buildList,
  buildTurn,
  buildTurns,
  describeAgentRow,
  describeOwnerAndHarness,
  describePage,
  type PageTurn,
} from './list-message.ts';
import { nameOwners, readListFilter } from './name-owners.ts';

/** `turn`: what led here, for the buttons that lead on. */
export function buildAgentsMessage(list: AgentPage, { timeZone, turn }: { timeZone: string; turn: PageTurn }): Content {
  return buildList({
    title: describeTitle(list),
    rows: [buildHarnessFilter(list, turn), ...list.rows.flatMap((row) => buildAgentRow(row, describeRow(row)))],
    turns: buildTurns('agents', list, turn),
    notes: describeNotes(list, timeZone),
  });
}

const KINDS: Record<HarnessFilter, [one: string, many: string]> = {
  any: ['agent', 'agents'],
  yes: ['harness agent', 'harness agents'],
  no: ['agent that no harness made', 'agents that no harness made'],
  unknown: [
    'agent of which it is unknown whether a harness made it',
    'agents of which it is unknown whether a harness made them',
  ],
};

function describeTitle({ total, filter, environmentName, ...page }: AgentPage): string {
  const [one, many] = KINDS[filter.harness];
  const where = describeFilter({ filter, environmentName });
  if (total === 0) return `*Agents*: no ${many}${where}.${adviseOnNoAgents(filter, page.harness)}`;
  const what = `${formatCredits(total)} ${total === 1 ? one : many}`;
  return `*Agents*: ${what}${where}${describePage(page)}`;
}

function adviseOnNoAgents(filter: AgentPage['filter'], harness: AgentPage['harness']): string {
  return harness.yes + harness.no + harness.unknown > 0 ? ' See *All*.' : adviseOnNoHit('agents', filter);
}

function describeRow(row: InventoryRow): string[] {
  const { name, agentResourceId, environmentId } = row;
  const ids = [
    `Id ${toMrkdwnLine(name, 100)}`,
    ...(agentResourceId === name ? [] : [`limits go by ${toMrkdwnLine(agentResourceId, 100)}`]),
    ...(environmentId === undefined ? [] : [`environment ${toMrkdwnLine(environmentId, 100)}`]),
  ];
  return [describeAgentRow(row), describeOwnerAndHarness(row), ids.join(' · ')];
}

const FILTERS: Record<HarnessFilter, string> = { any: 'All', yes: 'Harness', no: 'Not harness', unknown: 'Unknown' };

function buildHarnessFilter({ filter, harness }: AgentPage, turn: PageTurn): ActionsBlock {
  const counts = { ...harness, any: harness.yes + harness.no + harness.unknown };
  const elements = (['any', 'yes', 'no', 'unknown'] as const).map((kind) => ({
    ...buildTurn('agents', `harness_${kind}`, `${FILTERS[kind]} (${formatCredits(counts[kind])})`, {
      query: turn.query,
      page: 0,
      harness: kind,
    }),
    ...(filter.harness === kind ? { style: 'primary' as const } : {}),
  }));
  return { type: 'actions', elements };
}

function describeNotes({ asOf, filter, harness, isGap, truncated, pageCount }: AgentPage, timeZone: string): string[] {
  const isUnsure = filter.harness !== 'any' && filter.harness !== 'unknown' && harness.unknown > 0;
  const unknown = `${formatCredits(harness.unknown)} more ${harness.unknown === 1 ? 'agent' : 'agents'}`;
  return [
    `As of ${formatTime(asOf, timeZone)}. New agents may take a while to be listed.`,
    ...adviseOnManyPages('agents', pageCount),
    ...(isUnsure
      ? [`:warning: Of ${unknown} the service does not tell whether a harness made them: see *Unknown*.`]
      : []),
    ...(truncated ? [':warning: The service did not list everything: agents may be missing here.'] : []),
    ...(isGap ? [':warning: The names of environments could not be read: they are found and shown by their ids.'] : []),
  ];
}

/** `/assistant-admin agents [name] [filters]` */
export const AGENTS: AdminList = {
  name: 'agents',
  async read(turn, { session, caller, timeZone }, ports) {
    const query = toSearchText(turn.query);
    const parsed = await readListFilter('agents', query, { ...ports, caller });
    if (!parsed.ok) return { content: buildAdminText(parsed.sentence) };
    const filter = { ...parsed.filter, ...(turn.harness && { harness: turn.harness }) };
    const page = await listAgents({ filter, page: turn.page }, { ...ports, session });
    const rows = await nameOwners(page.rows, caller, ports);
    return {
      content: buildAgentsMessage({ ...page, rows }, { timeZone: await timeZone, turn: { ...turn, query } }),
    };
  },
};
