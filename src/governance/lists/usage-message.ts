// What many environments have used of the credits of agents.
import type { ActionsBlock, PlainTextOption } from '@slack/types';
import { buildPlainText, formatTime, toLine, toMrkdwnName } from '../../slack/views/content.ts';
import { MAX_OPTION_TEXT_LENGTH, MAX_OPTION_VALUE_LENGTH } from '../../slack/web/limits.ts';
import type { CreditUsage } from '../allocations/consumption.ts';
import { type HistoryName, readTrends, type Trend, toHistoryName } from '../consumption/consumption-history.ts';
import { fitLines } from '../shell/blocks.ts';
import { buildAdminText } from '../shell/failure-message.ts';
import { toSearchText } from '../shell/typed-text.ts';
import { formatCredits } from '../shell/whole-number.ts';
import { readUsageOf } from './environment-usage-message.ts';
import type { ListFilter } from './list-filter.ts';
import {
  type AdminList,
  adviseOnManyPages,
  buildList,
  buildTurns,
  describeCount,
  type ListMessage,
} from './list-message.ts';
import { listUsage, type UsageOverview, type UsageRow } from './list-usage.ts';
import { readListFilter } from './name-owners.ts';
import { describeChange, describeMissing } from './trend-views.ts';
import {
  buildInBothForms,
  type Column,
  describeConsumed,
  describeForecast,
  describeRows,
  describeShare,
} from './usage-views.ts';

/** The value of what is chosen is the id of an environment. */
export const USAGE_CHOOSE_ACTION = 'admin_usage_choose';

type Trends = ReadonlyMap<HistoryName, Trend>;

/** `trends`: of the rows, and of all environments together where these are listed. */
export function buildUsageMessage(
  list: UsageOverview,
  { timeZone, trends = new Map() }: { timeZone: string; trends?: Trends },
): Required<ListMessage> {
  const title = describeTitle(list);
  const hasChange = list.rows.some((row) => toChange(row, trends) !== '');
  const rows = list.rows.map((row) => [
    ...toCells(row, { timeZone, now: list.asOf }),
    ...(hasChange ? [toChange(row, trends)] : []),
  ]);
  const table = { columns: hasChange ? [...COLUMNS, CHANGE] : COLUMNS, rows };
  const turns = buildTurns('usage', list, { query: list.query });
  const notes = [...describeNotes(list, timeZone), ...describeMissing(trends)];
  const both = buildInBothForms(table, trends.get('total'), (last, trend) =>
    buildList({ title, rows: [...trend, ...buildChoice(list.rows)], turns, notes, last }),
  );
  // Screen readers do not get the cells of a table.
  return { ...both, content: { ...both.content, text: fitLines([title, ...describeRows(table)]) } };
}

function describeTitle({ currency, ...list }: UsageOverview): string {
  const of = list.total === 0 ? '' : ` of ${toMrkdwnName(currency, 60)}, the credits of agents`;
  const count = describeCount(`*Usage*${of}`, { list: 'usage', one: 'environment', many: 'environments' }, list);
  return [count, ...describeTotals(list)].join('\n');
}

/** Nothing for a single environment, whose row says it. */
function describeTotals({ totals, total, filter }: Omit<UsageOverview, 'currency'>): string[] {
  if (totals === undefined || total < 2) return [];
  const { consumed, capacity, share, payGoConsumed, none } = totals;
  const who = isOfAll(filter) ? '*All of the tenant*' : 'Together';
  if (none === total) return [`${who}: the service tells no consumption of any`];
  const of = capacity === 0 ? '' : ` of ${formatCredits(capacity)}`;
  const bar = describeShare(share);
  const parts = [
    `${who}: ${formatCredits(consumed)}${of} credits used`,
    ...(bar === undefined ? [] : [bar]),
    ...(payGoConsumed > 0 ? [`${formatCredits(payGoConsumed)} billed as you go`] : []),
    ...(none === 0 ? [] : [`${formatCredits(none)} without consumption that is told`]),
  ];
  return [parts.join(' · ')];
}

const COLUMNS: Column[] = [
  { title: 'Environment' },
  { title: 'Used', align: 'right' },
  { title: 'Share' },
  { title: 'Forecast' },
  { title: 'As of' },
];

const CHANGE: Column = { title: 'Against last month', align: 'right', label: 'against last month ' };

function toChange({ environmentId }: UsageRow, trends: Trends): string {
  const trend = trends.get(toHistoryName(environmentId));
  return (trend && describeChange(trend)) ?? '';
}

function toCells({ name, usage }: UsageRow, shown: { timeZone: string; now: number }): string[] {
  if (usage === 'none') return [name, 'no consumption told', '', '', ''];
  if (usage === 'unreadable') return [name, 'could not be read', '', '', ''];
  const forecast = describeForecast(usage.forecast, shown) ?? '';
  return [name, describeConsumed(usage), describeShare(usage.share) ?? '', forecast, toAsOf(usage, shown)];
}

function toAsOf({ asOf, isStale }: CreditUsage, { timeZone }: { timeZone: string }): string {
  if (asOf === undefined) return 'unknown';
  return `${formatTime(asOf, timeZone)}${isStale ? ' (old)' : ''}`;
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

function describeNotes(list: UsageOverview, timeZone: string): string[] {
  const { asOf, truncated, rows, pageCount, totals, unreadable, total } = list;
  const usages = rows.map(({ usage }) => usage);
  const isStale = usages.some((usage) => typeof usage === 'object' && usage.isStale);
  return [
    `Looked up on ${formatTime(asOf, timeZone)}. Consumption is counted with a delay.`,
    ...adviseOnManyPages('usage', pageCount),
    ...(truncated ? [':warning: The service did not list everything: environments may be missing here.'] : []),
    ...(unreadable > 0
      ? [
          `:warning: The consumption of some environments could not be read (${formatCredits(unreadable)}): it is in no total.`,
        ]
      : []),
    ...(totals === undefined && total > 0
      ? ['There are too many environments to add them up each time; a filter does, such as `over:80`.']
      : []),
    ...(isStale ? [':warning: Some figures are more than a day old.'] : []),
  ];
}

/** `/assistant-admin usage [environment] [filters]` */
export const USAGE: AdminList = {
  name: 'usage',
  async read(turn, look, ports) {
    const { session, caller, keep } = look;
    const query = toSearchText(turn.query);
    const parsed = await readListFilter('usage', query, { ...ports, caller });
    if (!parsed.ok) return { content: buildAdminText(parsed.sentence) };
    const asked = { filter: parsed.filter, query, page: turn.page };
    const found = await listUsage(asked, { ...ports, session, keep, patience: ports.stopping });
    if (found.kind === 'one') return readUsageOf(found.environment, look, ports);
    if (found.kind === 'too_many') return { content: buildAdminText(describeTooMany(found)) };
    const trends = await readTrends(listHistoryNames(found.overview), ports.now(), ports.history);
    return buildUsageMessage(found.overview, { timeZone: await look.timeZone, trends });
  },
};

/** That of all environments only where all are listed, and once. */
function listHistoryNames({ rows, filter, page }: UsageOverview): HistoryName[] {
  const names = rows.map(({ environmentId }) => toHistoryName(environmentId));
  return isOfAll(filter) && page === 0 ? ['total', 'missing', ...names] : names;
}

function isOfAll({ name, owner, over }: ListFilter): boolean {
  return name === '' && owner === '' && over === undefined;
}

function describeTooMany({ total, most }: { total: number; most: number }): string {
  return `${formatCredits(total)} environments fit, and each has to be read for this: that is done for ${formatCredits(most)} at most. Add part of a name, or \`owner:\`.`;
}
