// What one environment has used of each of its credits, and its agents of their limits.
import type { KnownBlock } from '@slack/types';
import {
  buildSection,
  type Content,
  fitBlocks,
  formatTime,
  toMrkdwnLine,
  toMrkdwnName,
} from '../../slack/views/content.ts';
import type { CreditUsage } from '../allocations/consumption.ts';
import { buildNotes, fitLines } from '../shell/blocks.ts';
import { formatCredits } from '../shell/values.ts';
import { buildEnvironmentButtons } from './environments-message.ts';
import { buildTable, type Column } from './list-message.ts';
import type { AgentUse, EnvironmentUsage } from './list-usage.ts';
import { describeConsumed, describeForecast, describeShare, describeUnit } from './usage-views.ts';

type Options = {
  /** Of the environment, as its makers gave it; perhaps empty. */
  name: string;
  timeZone: string;
};

/** A table of the agents comes last: Slack shows it below everything else anyway. */
export function buildEnvironmentUsage(usage: EnvironmentUsage, options: Options): Content {
  const agents = listAgents(usage);
  const table = agents.length === 0 ? [] : [buildTable(COLUMNS, agents.slice(0, MAX_AGENTS).map(toCells))];
  return { text: describeTitle(usage, options), blocks: fitBlocks([...buildCredits(usage, options), ...table]) };
}

/** The same without a table. */
export function buildEnvironmentUsageLines(usage: EnvironmentUsage, options: Options): Content {
  const lines = fitLines(listAgents(usage).slice(0, MAX_AGENTS).map(describeLine));
  const section = lines === '' ? [] : [buildSection(lines)];
  return { text: describeTitle(usage, options), blocks: fitBlocks([...buildCredits(usage, options), ...section]) };
}

/** More than there are currencies; a message holds 50 blocks. */
const MAX_CURRENCIES = 25;

/** Those that have used the most of their limits. */
const MAX_AGENTS = 20;

function buildCredits(usage: EnvironmentUsage, options: Options): KnownBlock[] {
  const { environmentId, credits } = usage;
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
  { title: 'Limit', align: 'right' },
  { title: 'Share' },
  { title: 'Stopped' },
];

function listAgents({ agents }: EnvironmentUsage): readonly AgentUse[] {
  return Array.isArray(agents) ? agents : [];
}

function toCells({ name, consumption, limit, stopped }: AgentUse): string[] {
  const share = consumption === undefined || !limit || limit < 0 ? '' : (describeShare(consumption / limit) ?? '');
  return [name, toCreditsCell(consumption), toCreditsCell(limit), share, STOPPED[`${stopped}`]];
}

function toCreditsCell(credits: number | undefined): string {
  return credits === undefined ? 'not told' : `${formatCredits(credits)} credits`;
}

const STOPPED = { true: 'yes', false: 'no', unknown: 'unknown' } as const;

function describeLine(agent: AgentUse): string {
  const [name = '', used = '', limit = '', share = '', stopped = ''] = toCells(agent);
  return [`*${toMrkdwnName(name, 100)}*: ${used}`, `limit ${limit}`, share, `stopped: ${stopped}`]
    .filter((part) => part !== '')
    .join(' · ');
}

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
