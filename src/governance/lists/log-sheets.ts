// The audit log, insights and the rules of channels as sheets.
import {
  RULE_NAMES,
  type RuleName,
  type Rules,
  toEffective,
  type WorkspaceRules,
} from '../../conversation/channel-rules.ts';
import { type Hidden, toInsights } from '../../usage/insights.ts';
import type { Usage } from '../../usage/usage.ts';
import { type AuditNames, type AuditRow, type AuditSearchPorts, searchAudit } from '../audit/search-audit.ts';
import { buildSheet, type Column, type Sheet } from '../exports/sheet.ts';
import { toCanonicalJson } from '../shell/canonical-json.ts';
import type { SheetGap } from './list-sheets.ts';

/** About 30 MB; `npm run audit -- export` writes all of it. */
const MAX_ENTRIES = 20_000;

/** The latest first. Throws what searchAudit throws. */
export async function readAuditSheet(query: string, ports: AuditSearchPorts & { now: () => number }): Promise<Sheet> {
  const asOf = ports.now();
  const rows: AuditRow[] = [];
  let found = await searchAudit({ query, limit: MAX_ENTRIES }, ports);
  rows.push(...found.rows);
  // A search stops now and then, and says where to go on.
  while (found.next !== undefined && rows.length < MAX_ENTRIES) {
    found = await searchAudit({ query, before: found.next, limit: MAX_ENTRIES - rows.length }, ports);
    rows.push(...found.rows);
  }
  const gaps: SheetGap[] = [
    ...(found.next === undefined ? [] : ['entries_left_out' as const]),
    ...(found.isGap ? ['names_unreadable' as const] : []),
  ];
  const about = { query: found.query };
  return buildSheet({ list: 'audit', asOf, about, gaps }, buildAuditColumns(found.names), rows);
}

function buildAuditColumns(names: AuditNames): Column<AuditRow>[] {
  const nameAgent = ({ environmentId, agentResourceId }: AuditRow['entry']['subject']) =>
    environmentId && agentResourceId && names.agent(environmentId, agentResourceId);
  return [
    { name: 'seq', type: 'number', read: ({ entry }) => entry.seq },
    { name: 'at', type: 'time', read: ({ entry }) => entry.at },
    { name: 'what', type: 'text', read: ({ entry }) => entry.what },
    { name: 'outcome', type: 'text', read: ({ entry }) => entry.outcome.kind },
    { name: 'outcome_reason', type: 'text', read: ({ entry }) => entry.outcome.reason },
    { name: 'written', type: 'text', read: ({ entry }) => entry.outcome.written },
    { name: 'team', type: 'text', read: ({ entry }) => entry.team },
    { name: 'user', type: 'text', read: ({ entry }) => entry.who.user },
    { name: 'account', type: 'text', read: ({ entry }) => entry.who.account },
    { name: 'approver', type: 'text', read: ({ entry }) => entry.who.approver },
    { name: 'approver_account', type: 'text', read: ({ entry }) => entry.who.approverAccount },
    { name: 'environment_id', type: 'text', read: ({ entry }) => entry.subject.environmentId },
    {
      name: 'environment_name',
      type: 'text',
      read: ({ entry }) => names.environment(entry.subject.environmentId ?? ''),
    },
    { name: 'agent_resource_id', type: 'text', read: ({ entry }) => entry.subject.agentResourceId },
    { name: 'agent_name', type: 'text', read: ({ entry }) => nameAgent(entry.subject) },
    { name: 'change_id', type: 'text', read: ({ entry }) => entry.subject.changeId },
    { name: 'before', type: 'text', read: ({ entry }) => toJson(entry.before) },
    { name: 'after', type: 'text', read: ({ entry }) => toJson(entry.after) },
    { name: 'reason', type: 'text', read: ({ entry }) => entry.reason },
    { name: 'request_ids', type: 'text', read: ({ entry }) => entry.requestIds.join(' ') },
    { name: 'hash', type: 'text', read: ({ entry }) => entry.hash },
  ];
}

function toJson(value: unknown): string | undefined {
  return value === undefined ? undefined : toCanonicalJson(value);
}

type Figure = { metric: string; value: number | Hidden | 'more' };

/** Without figures where fewer than five people asked. */
export function buildInsightSheet({ usage, days, now }: { usage: Usage; days: number; now: number }): Sheet {
  const columns: Column<Figure>[] = [
    { name: 'metric', type: 'text', read: ({ metric }) => metric },
    { name: 'value', type: 'number', read: ({ value }) => (typeof value === 'number' ? value : null) },
    { name: 'note', type: 'text', read: ({ value }) => (typeof value === 'number' ? null : NOTES[value]) },
  ];
  return buildSheet({ list: 'insights', asOf: now, about: { days }, gaps: [] }, columns, listFigures(usage));
}

const NOTES = { few: 'hidden', more: 'more_than_told_apart' } as const;

function listFigures(usage: Usage): Figure[] {
  const insights = toInsights(usage);
  if (insights === undefined) return [];
  const { askers, questions, outcomes, failures, seconds, inChannels, webOff, signIn, feedback } = insights;
  const toFigures = (prefix: string, values: object) =>
    Object.entries(values).map(([name, value]): Figure => ({ metric: `${prefix}_${name}`, value }));
  return [
    { metric: 'askers', value: askers },
    { metric: 'questions', value: questions },
    ...toFigures('share', outcomes),
    ...failures.kinds.map(([code, value]) => ({ metric: `failures_${code}`, value })),
    ...(failures.hidden ? [{ metric: 'failures_other', value: 'few' as const }] : []),
    ...toFigures('seconds', seconds === 'few' ? { half: 'few', most: 'few' } : seconds),
    { metric: 'share_in_channels', value: inChannels },
    { metric: 'share_web_off', value: webOff },
    ...toFigures('sign_in', signIn),
    ...toFigures('feedback', feedback),
  ];
}

type RuleRow = { channel: string | undefined; rule: RuleName; value: string; level: string };

const RULE_COLUMNS: Column<RuleRow>[] = [
  { name: 'channel_id', type: 'text', read: ({ channel }) => channel },
  { name: 'rule', type: 'text', read: ({ rule }) => rule },
  { name: 'value', type: 'text', read: ({ value }) => value },
  { name: 'set_by', type: 'text', read: ({ level }) => level },
];

/** Of all channels first, with no channel; then of each with rules of its own. */
export function buildRuleSheet(stored: WorkspaceRules | undefined, configured: Rules, now: number): Sheet {
  const channels = [undefined, ...Object.keys(stored?.channels ?? {}).sort()];
  const rows = channels.flatMap((channel) => {
    const effective = toEffective(stored, channel, configured);
    return RULE_NAMES.map((rule): RuleRow => ({ channel, rule, ...effective[rule] }));
  });
  const about = { isPaused: stored?.pause !== undefined };
  return buildSheet({ list: 'channels', asOf: now, about, gaps: [] }, RULE_COLUMNS, rows);
}
