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
import { buildSheet, type Column, type Sheet, toTime } from '../exports/sheet.ts';
import { toCanonicalJson } from '../shell/canonical-json.ts';

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
  const gaps = [...(found.next === undefined ? [] : [LEFT_OUT]), ...(found.isGap ? [NO_NAMES] : [])];
  return buildSheet({ list: 'audit', asOf, gaps }, buildAuditColumns(found.names), rows);
}

const LEFT_OUT = 'Only the latest entries are in it. Whoever runs this app can write out all of them.';
const NO_NAMES = 'Names could not be read: they are empty, and were not searched.';

function buildAuditColumns(names: AuditNames): Column<AuditRow>[] {
  const nameAgent = ({ environmentId, agentResourceId }: AuditRow['entry']['subject']) =>
    environmentId && agentResourceId && names.agent(environmentId, agentResourceId);
  return [
    { name: 'seq', read: ({ entry }) => entry.seq },
    { name: 'at', read: ({ entry }) => toTime(entry.at) },
    { name: 'what', read: ({ entry }) => entry.what },
    { name: 'outcome', read: ({ entry }) => entry.outcome.kind },
    { name: 'outcome_reason', read: ({ entry }) => entry.outcome.reason },
    { name: 'written', read: ({ entry }) => entry.outcome.written },
    { name: 'team', read: ({ entry }) => entry.team },
    { name: 'user', read: ({ entry }) => entry.who.user },
    { name: 'account', read: ({ entry }) => entry.who.account },
    { name: 'approver', read: ({ entry }) => entry.who.approver },
    { name: 'approver_account', read: ({ entry }) => entry.who.approverAccount },
    { name: 'environment_id', read: ({ entry }) => entry.subject.environmentId },
    {
      name: 'environment_name',
      read: ({ entry }) => names.environment(entry.subject.environmentId ?? ''),
    },
    { name: 'agent_resource_id', read: ({ entry }) => entry.subject.agentResourceId },
    { name: 'agent_name', read: ({ entry }) => nameAgent(entry.subject) },
    { name: 'change_id', read: ({ entry }) => entry.subject.changeId },
    { name: 'before', read: ({ entry }) => toJson(entry.before) },
    { name: 'after', read: ({ entry }) => toJson(entry.after) },
    { name: 'reason', read: ({ entry }) => entry.reason },
    { name: 'request_ids', read: ({ entry }) => entry.requestIds.join(' ') },
    { name: 'hash', read: ({ entry }) => entry.hash },
  ];
}

function toJson(value: unknown): string | undefined {
  return value === undefined ? undefined : toCanonicalJson(value);
}

type Figure = { metric: string; value: number | Hidden | 'more' };

/** Without figures where fewer than five people asked. */
export function buildInsightSheet(usage: Usage, now: number): Sheet {
  const columns: Column<Figure>[] = [
    { name: 'metric', read: ({ metric }) => metric },
    { name: 'value', read: ({ value }) => (typeof value === 'number' ? value : null) },
    { name: 'note', read: ({ value }) => (typeof value === 'number' ? null : NOTES[value]) },
  ];
  return buildSheet({ list: 'insights', asOf: now, gaps: [] }, columns, listFigures(usage));
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
  { name: 'channel_id', read: ({ channel }) => channel },
  { name: 'rule', read: ({ rule }) => rule },
  { name: 'value', read: ({ value }) => value },
  { name: 'set_by', read: ({ level }) => level },
];

/** Of all channels first, with no channel; then of each with rules of its own. */
export function buildRuleSheet(stored: WorkspaceRules | undefined, configured: Rules, now: number): Sheet {
  const channels = [undefined, ...Object.keys(stored?.channels ?? {}).sort()];
  const rows = channels.flatMap((channel) => {
    const effective = toEffective(stored, channel, configured);
    return RULE_NAMES.map((rule): RuleRow => ({ channel, rule, ...effective[rule] }));
  });
  return buildSheet({ list: 'channels', asOf: now, gaps: [] }, RULE_COLUMNS, rows);
}
