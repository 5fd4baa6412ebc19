// One page of agents with their limits, for the admin who asked. Fits Slack's limits whatever the names are like.
import type { Button, KnownBlock } from '@slack/types';
import { buildPlainText, buildSection, type Content, formatTime, toMrkdwnName } from '../../slack/views/content.ts';
import { MAX_BUTTON_VALUE_LENGTH } from '../../slack/web/limits.ts';
import type { KnownLimit } from '../inventory/agent-limit.ts';
import { type InventoryRow, toGovernedAgent } from '../inventory/inventory.ts';
import { encodeAgent, SET_LIMIT_ACTION } from '../limits/limit-form-views.ts';
import { describeKnownLimit } from '../limits/limit-words.ts';
import { listStopButtons } from '../limits/stop-form-views.ts';
import { buildAdminText } from '../shell/failure-message.ts';
import { toSearchText } from '../shell/typed-text.ts';
import { formatCredits, toPercentUsed } from '../shell/whole-number.ts';
import { HARNESS_WORDS } from './filter-words.ts';
import { LIMIT_ALL_TOPIC } from './limit-all-views.ts';
import { type EnvironmentUse, type LimitGap, type LimitPage, type LimitRow, listLimits } from './list-limits.ts';
import {
  type AdminList,
  adviseOnManyPages,
  buildList,
  buildTurns,
  describeAgentRow,
  describeCount,
  describeOwnerAndHarness,
} from './list-message.ts';
import { nameOwners, readListFilter } from './name-owners.ts';
import { buildBar, describeConsumed } from './usage-views.ts';

export function buildLimitsMessage(list: LimitPage, { timeZone }: { timeZone: string }): Content {
  return buildList({
    title: [describeTitle(list), ...describeTotals(list)].join('\n'),
    rows: list.rows.flatMap((row) => buildRow(row, timeZone)),
    turns: buildTurns('limits', list, { query: list.query }, buildLimitAll(list)),
    notes: describeNotes(list, timeZone),
  });
}

/** One alone has its own button. */
function buildLimitAll({ settable, query }: LimitPage): Button[] {
  const value = JSON.stringify({ query, page: 0 });
  if (settable < 2 || value.length > MAX_BUTTON_VALUE_LENGTH) return [];
  const text = buildPlainText(`Set one limit for all ${formatCredits(settable)}…`);
  return [{ type: 'button', action_id: LIMIT_ALL_TOPIC.id, text, value }];
}

function describeTitle(list: LimitPage): string {
  const kind = HARNESS_WORDS[list.filter.harness];
  return describeCount('*Agent limits*', { list: 'limits', one: `agent${kind}`, many: `agents${kind}` }, list);
}

/** Nothing for a single agent, whose row says it. */
function describeTotals({ totals, total, gaps }: LimitPage): string[] {
  if (totals === undefined || total < 2) return [];
  const isTold = !isUntold(gaps);
  const { limited, limits, used, told, none, unknown, stopped } = totals;
  const percent = limits > 0 && told === limited ? ` (${formatCredits(toPercentUsed(used / limits))} %)` : '';
  const parts = [
    limited === 0
      ? 'no limits'
      : `limits of ${formatCredits(limits)} credits a month (${countAgents(limited)}${isTold ? '' : ', as last set from here'})`,
    ...(told === 0 ? [] : [`used ${formatCredits(used)}${percent}`]),
    ...(none === 0 ? [] : [`${formatCredits(none)} without a limit`]),
    ...(unknown === 0
      ? []
      : [`${formatCredits(unknown)} ${isTold ? 'with an unknown limit' : 'of which none was set from here'}`]),
    ...(stopped === 0 ? [] : [`${formatCredits(stopped)} stopped`]),
  ];
  return [`Together: ${parts.join(' · ')}`];
}

function isUntold(gaps: readonly LimitGap[]): boolean {
  return gaps.includes('limits') || gaps.includes('limits_not_offered');
}

function countAgents(count: number): string {
  return `${formatCredits(count)} ${count === 1 ? 'agent' : 'agents'}`;
}

function buildRow(row: LimitRow, timeZone: string): KnownBlock[] {
  const lines = [
    describeAgentRow(row),
    `Limit: ${describeKnownLimit(row.known, timeZone)}`,
    `Used this month: ${describeUse(row)}`,
    ...(row.environmentUse
      ? [`All of its environment together: ${describeEnvironmentUse(row.environmentUse, timeZone)}`]
      : []),
    describeOwnerAndHarness(row),
  ];
  return buildAgentRow(row, lines, row.known);
}

/**
 * The lines about an agent, with the buttons that set its limit, and stop it or let it run again. `known`: undefined where
 * limits were not read.
 */
export function buildAgentRow(
  row: InventoryRow,
  lines: readonly string[],
  known: KnownLimit = { source: 'unknown' },
): KnownBlock[] {
  const agent = toGovernedAgent(row);
  const value = agent && encodeAgent(agent);
  if (agent === undefined || value === undefined) {
    const reason = '_The service names no usable environment for it: no limit can be set here._';
    return [buildSection([...lines, reason].join('\n'))];
  }
  const set: Button = { type: 'button', action_id: SET_LIMIT_ACTION, text: buildPlainText('Set limit…'), value };
  return [buildSection(lines.join('\n')), { type: 'actions', elements: [set, ...listStopButtons(agent, known)] }];
}

function describeUse({ known }: LimitRow): string {
  if (known.source !== 'deployment' || known.consumption === undefined) return 'unknown';
  const { consumption, limit } = known;
  const used = `${formatCredits(consumption)} credits`;
  if (limit.limit <= 0) return used;
  const percent = toPercentUsed(consumption / limit.limit);
  return `${buildBar(percent)} ${used} (${formatCredits(percent)} %)`;
}

function describeEnvironmentUse(use: EnvironmentUse, timeZone: string): string {
  const when = use.asOf === undefined ? '' : `, as of ${formatTime(use.asOf, timeZone)}`;
  return `${toMrkdwnName(describeConsumed(use), 200)}${when}`;
}

const GAPS: Record<LimitGap, string> = {
  environments: 'The names of environments could not be read.',
  limits: 'The limits could not be read from the service: shown is what was last set from here.',
  limits_not_offered: 'This service does not show limits: shown is what was last set from here.',
  consumption: 'The consumption of some environments could not be read.',
};

function describeNotes({ asOf, listedAt, truncated, gaps, pageCount, filter }: LimitPage, timeZone: string): string[] {
  const [time, listTime] = [formatTime(asOf, timeZone), formatTime(listedAt, timeZone)];
  return [
    `As of ${time}${time === listTime ? '' : `; the list of agents as of ${listTime}`}. New agents may take a while to be listed.`,
    ...adviseOnManyPages('limits', pageCount),
    ...(truncated ? [':warning: The service did not list everything: agents may be missing here.'] : []),
    ...gaps.map((gap) => `:warning: ${GAPS[gap]}`),
    ...(filter.over !== undefined && isUntold(gaps)
      ? [':warning: What single agents have used cannot be told here, so `over:` finds none of them.']
      : []),
  ];
}

/** `/assistant-admin limits [agent] [filters]` */
export const LIMITS: AdminList = {
  name: 'limits',
  async read(turn, { session, caller, timeZone }, ports) {
    const query = toSearchText(turn.query);
    const parsed = await readListFilter('limits', query, { ...ports, caller });
    if (!parsed.ok) return { content: buildAdminText(parsed.sentence) };
    const page = await listLimits({ filter: parsed.filter, query, page: turn.page }, { ...ports, session });
    const rows = await nameOwners(page.rows, caller, ports);
    return { content: buildLimitsMessage({ ...page, rows }, { timeZone: await timeZone }) };
  },
};
