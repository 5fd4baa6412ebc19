// One page of agents with their limits, for the admin who asked. Fits Slack's limits whatever the names are like.
import type { ActionsBlock, Button, ContextBlock, KnownBlock } from '@slack/types';
import { type InventoryRow, toGovernedAgent } from '../../../governance/inventory.ts';
import type { EnvironmentUse, LimitGap, LimitPage, LimitRow } from '../../../governance/list-limits.ts';
import { LIMITS_PAGE_SIZE } from '../../../governance/list-limits.ts';
import { formatCredits } from '../../../governance/plan-rows.ts';
import type { Content } from '../content.ts';
import { toMrkdwnLine } from '../shown-text.ts';
import { encodeAgent, encodePageTurn } from './limit-metadata.ts';
import { buildPlainText, buildSection, describeAgent, describeKnownLimit, formatTime } from './limit-words.ts';

/** The value of each is read by parseAgentValue. */
export const SET_LIMIT_ACTION = 'admin_limit_set';

/** The value of each is read by parsePageTurn. */
export const LIMITS_PREVIOUS_ACTION = 'admin_limits_previous';
export const LIMITS_NEXT_ACTION = 'admin_limits_next';

export function buildLimitsMessage(list: LimitPage, { timeZone }: { timeZone: string }): Content {
  const title = describeTitle(list);
  return {
    text: title,
    blocks: [
      buildSection(title),
      ...list.rows.slice(0, LIMITS_PAGE_SIZE).map((row) => buildRow(row, timeZone)),
      ...buildTurns(list),
      buildFooter(list, timeZone),
    ],
  };
}

function describeTitle({ total, page, pageCount, query }: LimitPage): string {
  const matching = query === '' ? '' : ` matching “${toMrkdwnLine(query, 100)}”`;
  if (total === 0) {
    const advice = query === '' ? '' : ' Try part of the name, or `/assistant-admin limits` for all.';
    return `*Agent limits*: no agents${matching}.${advice}`;
  }
  const count = `${formatCredits(total)} ${total === 1 ? 'agent' : 'agents'}${matching}`;
  return `*Agent limits*: ${count}${pageCount > 1 ? `, page ${page + 1} of ${formatCredits(pageCount)}` : ''}`;
}

function buildRow(row: LimitRow, timeZone: string): KnownBlock {
  const lines = [
    describeAgent(row),
    `Limit: ${describeKnownLimit(row.known, timeZone)}`,
    `Used this month: ${describeUse(row)}`,
    ...(row.environmentUse ? [`Its environment has used ${describeEnvironmentUse(row.environmentUse, timeZone)}`] : []),
    `Owner: ${describeOwner(row)} · Harness agent: ${describeHarness(row)}`,
  ];
  const governed = toGovernedAgent(row);
  const value = governed && encodeAgent(governed);
  if (value === undefined) {
    return buildSection(
      [...lines, '_The service names no usable environment for it: no limit can be set here._'].join('\n'),
    );
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

function buildBar(percent: number): string {
  // Full means that the limit is reached.
  const filled = Math.min(10, Math.max(0, Math.floor(percent / 10)));
  return `${'▰'.repeat(filled)}${'▱'.repeat(10 - filled)}`;
}

function describeEnvironmentUse({ consumed, capacity, unit, asOf }: EnvironmentUse, timeZone: string): string {
  const of = capacity === undefined ? '' : ` of ${formatCredits(capacity)}`;
  const when = asOf === undefined ? '' : `, as of ${formatTime(asOf, timeZone)}`;
  return `${formatCredits(consumed)}${of} ${describeUnit(unit)}${when}`;
}

function describeUnit(unit: string | undefined): string {
  return unit === undefined || /^credits?$/i.test(unit) ? 'credits' : toMrkdwnLine(unit, 40);
}

function describeOwner({ ownerId }: InventoryRow): string {
  return ownerId === undefined ? 'not told' : toMrkdwnLine(ownerId, 80);
}

function describeHarness({ isHarness }: InventoryRow): string {
  if (isHarness === 'unknown') return 'unknown';
  return isHarness ? 'yes' : 'no';
}

function buildTurns({ query, page, pageCount }: LimitPage): ActionsBlock[] {
  const elements: Button[] = [];
  if (page > 0) elements.push(buildTurn(LIMITS_PREVIOUS_ACTION, 'Previous', { query, page: page - 1 }));
  if (page < pageCount - 1) elements.push(buildTurn(LIMITS_NEXT_ACTION, 'Next', { query, page: page + 1 }));
  return elements.length === 0 ? [] : [{ type: 'actions', elements }];
}

function buildTurn(actionId: string, label: string, turn: { query: string; page: number }): Button {
  return { type: 'button', action_id: actionId, text: buildPlainText(label), value: encodePageTurn(turn) };
}

const GAPS: Record<LimitGap, string> = {
  environments: 'The names of environments could not be read.',
  limits: 'The limits could not be read from the service: shown is what was last set from here.',
  consumption: 'The consumption of some environments could not be read.',
};

function buildFooter({ asOf, truncated, gaps }: LimitPage, timeZone: string): ContextBlock {
  const notes = [
    `As of ${formatTime(asOf, timeZone)}. New agents may take a while to be listed.`,
    ...(truncated ? [':warning: The service did not list everything: agents may be missing here.'] : []),
    ...gaps.map((gap) => `:warning: ${GAPS[gap]}`),
  ];
  return { type: 'context', elements: [{ type: 'mrkdwn', text: notes.join('\n'), verbatim: true }] };
}
