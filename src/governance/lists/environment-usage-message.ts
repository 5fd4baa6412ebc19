// What one environment has used of each of its credits, and its agents of their limits.
import type { KnownBlock } from '@slack/types';
import { buildSection, fitBlocks, formatTime, toMrkdwnLine, toMrkdwnName } from '../../slack/views/content.ts';
import type { CreditUsage } from '../allocations/consumption.ts';
import { readTrends, type Trend, toHistoryName } from '../consumption/consumption-history.ts';
import { buildNotes } from '../shell/blocks.ts';
import { formatCredits } from '../shell/whole-number.ts';
import { buildEnvironmentButtons } from './environments-message.ts';
import type { ListMessage, ListPorts, Look } from './list-message.ts';
import { type AgentUse, type EnvironmentUsage, readEnvironmentUsage } from './list-usage.ts';
import {
  buildInBothForms,
  type Column,
  describeConsumed,
  describeForecast,
  describeShare,
  describeUnit,
} from './usage-views.ts';

/** `name`: of the environment, as its makers gave it; perhaps empty. */
export async function readUsageOf(
  { environmentId, name }: { environmentId: string; name: string },
  { session, timeZone }: Look,
  ports: ListPorts,
): Promise<ListMessage> {
  const history = toHistoryName(environmentId);
  const [usage, trends] = await Promise.all([
    readEnvironmentUsage(environmentId, { ...ports, session }),
    readTrends([history], ports.now(), ports.history),
  ]);
  return buildEnvironmentUsage(usage, { name, timeZone: await timeZone, trend: trends.get(history) });
}

type Options = { name: string; timeZone: string; trend?: Trend | undefined };

export function buildEnvironmentUsage(usage: EnvironmentUsage, options: Options): Required<ListMessage> {
  const { agents } = usage;
  const rows = Array.isArray(agents) ? agents.slice(0, MAX_AGENTS).map(toCells) : [];
  const text = describeTitle(usage, options);
  const table = { columns: COLUMNS, rows };
  return buildInBothForms(table, options.trend, (last, trend) => ({
    text,
    blocks: fitBlocks([...buildCredits(usage, options), ...trend, ...buildEnd(usage, options), ...last]),
  }));
}

/** More than there are currencies; a message holds 50 blocks. */
const MAX_CURRENCIES = 25;

/** Those that have used the most of their limits. */
const MAX_AGENTS = 20;

function buildCredits(usage: EnvironmentUsage, options: Options): KnownBlock[] {
  const { credits } = usage;
  const more = credits.length - MAX_CURRENCIES;
  return [
    buildSection(describeTitle(usage, options)),
    ...(credits.length === 0
      ? [buildSection('The service tells of no consumption here. What is allocated: *Allocation…*.')]
      : []),
    ...credits
      .slice(0, MAX_CURRENCIES)
      .map((one) => buildSection(describeCredits(one, { ...options, now: usage.asOf }))),
    ...(more > 0 ? [buildSection(`And ${formatCredits(more)} more currencies.`)] : []),
  ];
}

function buildEnd(usage: EnvironmentUsage, options: Options): KnownBlock[] {
  const { environmentId } = usage;
  return [
    ...buildEnvironmentButtons({ environmentId, name: options.name }, ['allocation', 'agents']),
    buildNotes(describeNotes(usage, options)),
  ];
}

function describeTitle({ environmentId }: EnvironmentUsage, { name }: Options): string {
  return `*Usage* of *${toMrkdwnName(name, 100) || toMrkdwnLine(environmentId, 100)}*`;
}

function describeCredits(usage: CreditUsage, shown: Options & { now: number }): string {
  const { currencyType, unit, share, payGoConsumed = 0, asOf, isStale, forecast } = usage;
  const bar = describeShare(share);
  const outlook = describeForecast(forecast, shown);
  const time =
    asOf === undefined ? 'The service does not tell of when this is.' : `As of ${formatTime(asOf, shown.timeZone)}.`;
  return [
    `*${toMrkdwnName(currencyType, 60)}*: ${toMrkdwnName(describeConsumed(usage), 200)}`,
    ...(bar === undefined ? [] : [bar]),
    ...(outlook === undefined ? [] : [`Forecast: ${outlook}.`]),
    ...(payGoConsumed > 0
      ? [`Billed besides, as you go: ${formatCredits(payGoConsumed)} ${toMrkdwnName(describeUnit(unit), 40)}.`]
      : []),
    `${time}${isStale ? ' :warning: That is more than a day ago.' : ''}`,
  ].join('\n');
}

const COLUMNS: Column[] = [
  { title: 'Agent' },
  { title: 'Used this month', align: 'right' },
  { title: 'Limit', align: 'right', label: 'limit ' },
  { title: 'Share' },
  { title: 'Stopped', label: 'stopped: ' },
];

function toCells({ name, consumption, limit, stopped }: AgentUse): string[] {
  const share = consumption === undefined || !limit || limit < 0 ? '' : (describeShare(consumption / limit) ?? '');
  return [name, toCreditsCell(consumption), toCreditsCell(limit), share, STOPPED[`${stopped}`]];
}

function toCreditsCell(credits: number | undefined): string {
  return credits === undefined ? 'unknown' : `${formatCredits(credits)} credits`;
}

const STOPPED = { true: 'yes', false: 'no', unknown: 'unknown' } as const;

function describeNotes({ agents, asOf }: EnvironmentUsage, { timeZone }: Options): string[] {
  return [
    `Looked up on ${formatTime(asOf, timeZone)}. Consumption is counted with a delay.`,
    ...describeAgentNotes(agents),
  ];
}

function describeAgentNotes(agents: EnvironmentUsage['agents']): string[] {
  if (agents === 'not_offered') return ['This service does not show what single agents have used.'];
  if (agents === 'unreadable') return [':warning: What its agents have used of their limits could not be read.'];
  if (agents.length === 0) return ['None of its agents has a limit; only for those the service tells what they used.'];
  if (agents.length <= MAX_AGENTS) return ['Below: its agents with a limit.'];
  const more = formatCredits(agents.length - MAX_AGENTS);
  return [`Below: the ${MAX_AGENTS} agents that have used the most of their limits. ${more} more have one, too.`];
}
