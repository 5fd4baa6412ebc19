// One page of agents with their limits, for the admin who asked. Fits Slack's limits whatever the names are like.
import type { Button, SectionBlock } from '@slack/types';
import { buildPlainText, buildSection, type Content, formatTime, toMrkdwnName } from '../../slack/views/content.ts';
import { type InventoryRow, toGovernedAgent } from '../inventory/inventory.ts';
import { encodeAgent, SET_LIMIT_ACTION } from '../limits/limit-form-views.ts';
import { describeKnownLimit } from '../limits/limit-words.ts';
import { formatCredits } from '../shell/values.ts';
import {
  type EnvironmentUse,
  LIMITS_PAGE_SIZE,
  type LimitGap,
  type LimitPage,
  type LimitRow,
  listLimits,
} from './list-limits.ts';
import {
  type AdminList,
  adviseOnManyPages,
  buildBar,
  buildList,
  buildTurns,
  describeAgentRow,
  describeCount,
  describeOwnerAndHarness,
} from './list-message.ts';
import { describeUnit } from './usage-views.ts';

export function buildLimitsMessage(list: LimitPage, { timeZone }: { timeZone: string }): Content {
  return buildList({
    title: describeCount('*Agent limits*', { list: 'limits', one: 'agent', many: 'agents' }, list),
    rows: list.rows.slice(0, LIMITS_PAGE_SIZE).map((row) => buildRow(row, timeZone)),
    turns: buildTurns('limits', list, { query: list.query }),
    notes: describeNotes(list, timeZone),
  });
}

function buildRow(row: LimitRow, timeZone: string): SectionBlock {
  const lines = [
    describeAgentRow(row),
    `Limit: ${describeKnownLimit(row.known, timeZone)}`,
    `Used this month: ${describeUse(row)}`,
    ...(row.environmentUse
      ? [`All of its environment together: ${describeEnvironmentUse(row.environmentUse, timeZone)}`]
      : []),
    describeOwnerAndHarness(row),
  ];
  return buildAgentRow(row, lines);
}

/** The lines about an agent, with the button that sets its limit. */
export function buildAgentRow(row: InventoryRow, lines: readonly string[]): SectionBlock {
  const governed = toGovernedAgent(row);
  const value = governed && encodeAgent(governed);
  if (value === undefined) {
    const reason = '_The service names no usable environment for it: no limit can be set here._';
    return buildSection([...lines, reason].join('\n'));
  }
  const accessory: Button = { type: 'button', action_id: SET_LIMIT_ACTION, text: buildPlainText('Set limit…'), value };
  return { ...buildSection(lines.join('\n')), accessory };
}

function describeUse({ known }: LimitRow): string {
  if (known.source !== 'deployment' || known.consumption === undefined) return 'not told';
  const { consumption, limit } = known;
  const used = `${formatCredits(consumption)} credits`;
  if (limit.limit <= 0) return used;
  const percent = (consumption / limit.limit) * 100;
  return `${buildBar(percent)} ${used} (${formatCredits(Math.round(percent))} %)`;
}

function describeEnvironmentUse({ consumed, capacity, unit, asOf }: EnvironmentUse, timeZone: string): string {
  const of = capacity === undefined ? '' : ` of ${formatCredits(capacity)}`;
  const when = asOf === undefined ? '' : `, as of ${formatTime(asOf, timeZone)}`;
  return `${formatCredits(consumed)}${of} ${toMrkdwnName(describeUnit(unit), 40)}${when}`;
}

const GAPS: Record<LimitGap, string> = {
  environments: 'The names of environments could not be read.',
  limits: 'The limits could not be read from the service: shown is what was last set from here.',
  limits_not_offered: 'This service does not show limits: shown is what was last set from here.',
  consumption: 'The consumption of some environments could not be read.',
};

function describeNotes({ asOf, listedAt, truncated, gaps, pageCount }: LimitPage, timeZone: string): string[] {
  const [time, listTime] = [formatTime(asOf, timeZone), formatTime(listedAt, timeZone)];
  return [
    `As of ${time}${time === listTime ? '' : `; the list of agents as of ${listTime}`}. New agents may take a while to be listed.`,
    ...adviseOnManyPages('limits', pageCount),
    ...(truncated ? [':warning: The service did not list everything: agents may be missing here.'] : []),
    ...gaps.map((gap) => `:warning: ${GAPS[gap]}`),
  ];
}

/** `/assistant-admin limits [agent]` */
export const LIMITS: AdminList = {
  name: 'limits',
  async read(turn, { session, timeZone }, ports) {
    const page = await listLimits(turn, { ...ports, session });
    return { content: buildLimitsMessage(page, { timeZone: await timeZone }) };
  },
};
