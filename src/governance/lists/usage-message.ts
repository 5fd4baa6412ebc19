// What many environments have used of the credits of agents: a table, or the same as lines where Slack takes no table.
import type { ActionsBlock, KnownBlock, PlainTextOption } from '@slack/types';
import {
  buildPlainText,
  buildSection,
  type Content,
  formatTime,
  toLine,
  toMrkdwnLine,
  toMrkdwnName,
} from '../../slack/views/content.ts';
import { MAX_OPTION_TEXT_LENGTH, MAX_OPTION_VALUE_LENGTH } from '../../slack/web/limits.ts';
import type { CreditUsage } from '../allocations/consumption.ts';
import { fitLines } from '../shell/blocks.ts';
import { buildEnvironmentUsage, buildEnvironmentUsageLines } from './environment-usage-message.ts';
import {
  type AdminList,
  adviseOnManyPages,
  buildList,
  buildTable,
  buildTurns,
  type Column,
  describeCount,
  type ListMessage,
  type ListPorts,
  type Look,
} from './list-message.ts';
import { listUsage, readEnvironmentUsage, type UsageOverview, type UsageRow } from './list-usage.ts';
import { describeConsumed, describeForecast, describeShare } from './usage-views.ts';

/** The value of what is chosen is the id of an environment. */
export const USAGE_CHOOSE_ACTION = 'admin_usage_choose';

type Options = { timeZone: string };

/** The table comes last: Slack shows it below everything else anyway. */
export function buildUsageMessage(list: UsageOverview, options: Options): Content {
  const cells = list.rows.map((row) => toCells(row, toShown(list, options)));
  const text = fitLines([describeTitle(list), ...describeLines(list, options)]);
  return buildOverview(list, options, cells.length === 0 ? [] : [buildTable(COLUMNS, cells)], text);
}

/** The same without a table. */
export function buildUsageLines(list: UsageOverview, options: Options): Content {
  const lines = fitLines(describeLines(list, options));
  return buildOverview(list, options, lines === '' ? [] : [buildSection(lines)]);
}

function buildOverview(list: UsageOverview, { timeZone }: Options, last: KnownBlock[], text?: string): Content {
  const rows = buildChoice(list.rows);
  const turns = buildTurns('usage', list, { query: list.query });
  return buildList({ title: describeTitle(list), rows, turns, notes: describeNotes(list, timeZone), last }, text);
}

function describeTitle({ currency, ...list }: UsageOverview): string {
  const of = list.total === 0 ? '' : ` of ${toMrkdwnName(currency, 60)}, the credits of agents`;
  return describeCount(`*Usage*${of}`, { list: 'usage', one: 'environment', many: 'environments' }, list);
}

function describeLines(list: UsageOverview, options: Options): string[] {
  return list.rows.map((row) => describeLine(row, toShown(list, options)));
}

const COLUMNS: Column[] = [
  { title: 'Environment' },
  { title: 'Used', align: 'right' },
  { title: 'Share' },
  { title: 'Forecast' },
  { title: 'As of' },
];

type Shown = Options & { now: number };

function toShown({ asOf }: UsageOverview, options: Options): Shown {
  return { ...options, now: asOf };
}

function toCells(row: UsageRow, shown: Shown): string[] {
  const { usage } = row;
  if (usage === 'none') return [row.name, 'no consumption told', '', '', ''];
  if (usage === 'unreadable') return [row.name, 'could not be read', '', '', ''];
  const forecast = describeForecast(usage.forecast, shown);
  return [row.name, describeConsumed(usage), describeShare(usage.share) ?? '', forecast ?? '', toAsOf(usage, shown)];
}

function toAsOf({ asOf, isStale }: CreditUsage, { timeZone }: Shown): string {
  if (asOf === undefined) return 'not told';
  return `${formatTime(asOf, timeZone)}${isStale ? ' (old)' : ''}`;
}

function describeLine(row: UsageRow, shown: Shown): string {
  const [name = '', ...cells] = toCells(row, shown);
  const told = cells.filter((cell) => cell !== '').map((cell) => toMrkdwnLine(cell, 60));
  return `*${toMrkdwnName(name, 100)}*: ${told.join(' · ')}`;
}

function buildChoice(rows: readonly UsageRow[]): ActionsBlock[] {
  const options = rows
    .filter(({ environmentId }) => environmentId.length <= MAX_OPTION_VALUE_LENGTH)
    .map(
      ({ environmentId, name }): PlainTextOption => ({
        text: buildPlainText(toLine(name, MAX_OPTION_TEXT_LENGTH) || toLine(environmentId, MAX_OPTION_TEXT_LENGTH)),
        value: environmentId,
      }),
    );
  if (options.length === 0) return [];
  const placeholder = buildPlainText('Show one of them…');
  return [
    { type: 'actions', elements: [{ type: 'static_select', action_id: USAGE_CHOOSE_ACTION, placeholder, options }] },
  ];
}

function describeNotes({ asOf, truncated, rows, pageCount }: UsageOverview, timeZone: string): string[] {
  const usages = rows.map(({ usage }) => usage);
  const isStale = usages.some((usage) => typeof usage === 'object' && usage.isStale);
  return [
    `Looked up on ${formatTime(asOf, timeZone)}. Consumption is counted with a delay.`,
    ...adviseOnManyPages('usage', pageCount),
    ...(truncated ? [':warning: The service did not list everything: environments may be missing here.'] : []),
    ...(usages.includes('unreadable') ? [':warning: The consumption of some environments could not be read.'] : []),
    ...(isStale ? [':warning: Some figures are more than a day old.'] : []),
  ];
}

/** `/assistant-admin usage [environment]` */
export const USAGE: AdminList = {
  name: 'usage',
  async read(turn, look, ports) {
    const found = await listUsage(turn, { ...ports, session: look.session });
    if (found.kind === 'one') return readUsageOf(found.environment, look, ports);
    const options = { timeZone: await look.timeZone };
    return {
      content: buildUsageMessage(found.overview, options),
      plain: buildUsageLines(found.overview, options),
    };
  },
};

/** Of one environment. `name`: as its makers gave it; perhaps empty. */
export async function readUsageOf(
  { environmentId, name }: { environmentId: string; name: string },
  { session, timeZone }: Look,
  ports: ListPorts,
): Promise<ListMessage> {
  const usage = await readEnvironmentUsage(environmentId, { ...ports, session });
  const options = { name, timeZone: await timeZone };
  return {
    content: buildEnvironmentUsage(usage, options),
    plain: buildEnvironmentUsageLines(usage, options),
  };
}
