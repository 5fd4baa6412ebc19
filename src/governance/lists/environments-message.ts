// One page of environments, for the admin who asked. Fits Slack's limits whatever the names are like.
import type { ActionsBlock, Button, KnownBlock } from '@slack/types';
import {
  buildPlainText,
  buildSection,
  type Content,
  formatTime,
  toMrkdwnLine,
  toMrkdwnName,
} from '../../slack/views/content.ts';
import { ALLOCATION_OPEN_ACTION, encodeEnvironment } from '../allocations/allocation-form-views.ts';
import { buildAdminText } from '../shell/failure-message.ts';
import { toSearchText } from '../shell/typed-text.ts';
import { formatCredits } from '../shell/whole-number.ts';
import { type EnvironmentPage, type EnvironmentRow, listEnvironments } from './list-environments.ts';
import {
  type AdminList,
  adviseOnManyPages,
  buildList,
  buildTurns,
  describeCount,
  describeOwner,
} from './list-message.ts';
import { nameOwners, type Owned, readListFilter } from './name-owners.ts';

/** The value of each is read by parseEnvironmentValue. */
export const USAGE_OPEN_ACTION = 'admin_usage_open';
export const AGENTS_OPEN_ACTION = 'admin_agents_open';

export function buildEnvironmentsMessage(list: EnvironmentPage, { timeZone }: { timeZone: string }): Content {
  return buildList({
    title: describeTitle(list),
    rows: list.rows.flatMap((row) => buildRow(row, list.agentGap)),
    turns: buildTurns('environments', list, { query: list.query }),
    notes: describeNotes(list, timeZone),
  });
}

/** What can be opened of an environment. Nothing where its id does not fit into a button. */
export function buildEnvironmentButtons(
  environment: { environmentId: string; name: string },
  buttons: readonly ('allocation' | 'usage' | 'agents')[],
): ActionsBlock[] {
  const value = encodeEnvironment(environment);
  if (value === undefined) return [];
  const elements = buttons.map((button): Button => {
    const [actionId, label] = BUTTONS[button];
    return { type: 'button', action_id: actionId, text: buildPlainText(label), value };
  });
  return [{ type: 'actions', elements }];
}

const BUTTONS = {
  allocation: [ALLOCATION_OPEN_ACTION, 'Allocation…'],
  usage: [USAGE_OPEN_ACTION, 'Usage'],
  agents: [AGENTS_OPEN_ACTION, 'Agents'],
} as const;

function describeTitle(list: EnvironmentPage): string {
  const words = { list: 'environments', one: 'environment', many: 'environments', none: 'none' } as const;
  const { agents, total } = list;
  const together = agents === undefined || total < 2 ? '' : `\nTogether: ${formatCredits(agents)} agents`;
  return `${describeCount('*Environments*', words, list)}${together}`;
}

function buildRow(row: EnvironmentRow & Owned, gap: EnvironmentPage['agentGap']): KnownBlock[] {
  const lines = [
    `*${toMrkdwnName(row.name, 100) || toMrkdwnLine(row.environmentId, 100)}*`,
    `Id ${toMrkdwnLine(row.environmentId, 100)} · Owner: ${describeOwner(row)}`,
    describeAgents(row, gap),
  ];
  return [buildSection(lines.join('\n')), ...buildEnvironmentButtons(row, ['allocation', 'usage', 'agents'])];
}

function describeAgents({ agents }: EnvironmentRow, gap: EnvironmentPage['agentGap']): string {
  if (agents === undefined) return 'Agents: could not be read';
  const { all, harness, unknown } = agents;
  const least = gap === 'truncated' ? 'At least ' : '';
  if (all === 0) return gap === 'truncated' ? 'No agents listed' : 'No agents';
  const kinds = [
    `${formatCredits(harness)} by a harness`,
    `${formatCredits(all - harness - unknown)} not`,
    ...(unknown > 0 ? [`${formatCredits(unknown)} unknown`] : []),
  ];
  return `${least}${formatCredits(all)} ${all === 1 ? 'agent' : 'agents'} (${kinds.join(', ')})`;
}

function describeNotes(
  { asOf, truncated, agentGap, strayAgents, pageCount }: EnvironmentPage,
  timeZone: string,
): string[] {
  const stray = `${formatCredits(strayAgents)} ${strayAgents === 1 ? 'agent is' : 'agents are'}`;
  return [
    `As of ${formatTime(asOf, timeZone)}. New environments may take a while to be listed.`,
    ...adviseOnManyPages('environments', pageCount),
    ...(truncated ? [':warning: The service did not list everything: environments may be missing here.'] : []),
    ...(agentGap === 'unreadable' ? [':warning: The agents could not be read, so they are not counted.'] : []),
    ...(agentGap === 'truncated' ? [':warning: The service did not list all agents: there may be more of them.'] : []),
    ...(strayAgents > 0
      ? [`:warning: ${stray} in no environment of the whole list: see \`/assistant-admin agents\`.`]
      : []),
  ];
}

/** `/assistant-admin environments [name] [filters]` */
export const ENVIRONMENTS: AdminList = {
  name: 'environments',
  async read(turn, { session, caller, timeZone }, ports) {
    const query = toSearchText(turn.query);
    const parsed = await readListFilter('environments', query, { ...ports, caller });
    if (!parsed.ok) return { content: buildAdminText(parsed.sentence) };
    const page = await listEnvironments({ filter: parsed.filter, query, page: turn.page }, { ...ports, session });
    const rows = await nameOwners(page.rows, caller, ports);
    return { content: buildEnvironmentsMessage({ ...page, rows }, { timeZone: await timeZone }) };
  },
};
