// One page of the audit log, the latest first, for the admin who asked. Fits Slack's limits whatever is in it.
import type { ActionsBlock, SectionBlock } from '@slack/types';
import { z } from 'zod';
import { buildSection, type Content, formatTime, toMrkdwnLine, toMrkdwnName } from '../../slack/views/content.ts';
import { describeDifferences } from '../allocations/allocation-words.ts';
import type { AuditEntry } from '../audit/audit-log.ts';
import { readAuditedRows, readFoundInstead } from '../audit/audited-rows.ts';
import { isDecisionEntry, isSettingEntry } from '../audit/decision-entries.ts';
import {
  type AuditNames,
  type AuditRow,
  type AuditSearch,
  type AuditSearchPorts,
  searchAudit,
} from '../audit/search-audit.ts';
import { describeRow } from '../changes/change-views.ts';
import { describeSettings } from '../channel-rules/rule-words.ts';
import { describeKnownLimit } from '../limits/limit-words.ts';
import type { ClassificationRecord } from '../register/overlay.ts';
import type { SettingName, SettingValue } from '../register/register.ts';
import { describeStated } from '../review/decided-views.ts';
import { describeClassification, describeSetting, formatDay } from '../review/finding-words.ts';
import { fitLines } from '../shell/blocks.ts';
import {
  type AdminList,
  buildList,
  buildListExport,
  buildTurn,
  describeQuery,
  type ListMessage,
  type ListPorts,
  type Look,
  type PageTurn,
} from './list-message.ts';

/** `team`: of the admin who looks; people of others are shown by their ids alone. */
type Options = { timeZone: string; team: string; turn: PageTurn };

export function buildAuditMessage(list: AuditSearch, options: Options): Content {
  return buildList({
    title: describeTitle(list, options),
    rows: list.rows.map((row) => buildRow(row, list.names, options)),
    turns: buildTurns(list, options.turn),
    notes: describeNotes(list, options),
  });
}

function describeTitle({ rows, query, searchedTo }: AuditSearch, { turn }: Options): string {
  const matching = describeQuery(query);
  const place = turn.page > 0 ? `, page ${turn.page + 1}` : '';
  if (rows.length > 0) return `*Audit log*${matching === '' ? '' : `, entries${matching}`}: the latest first${place}`;
  if (searchedTo !== undefined) return `*Audit log*: nothing${matching} so far`;
  return `*Audit log*: nothing${matching}${turn.before === undefined ? '' : ' that is older'}.`;
}

function buildRow({ entry, isOpen }: AuditRow, names: AuditNames, { timeZone, team }: Options): SectionBlock {
  const { what, at, reason, requestIds, outcome } = entry;
  const { said } = outcome;
  const subject = describeSubject(entry, names);
  const ids = requestIds.slice(0, MAX_IDS).map((id) => toMrkdwnLine(id, 80));
  return buildSection(
    fitLines([
      `*${describeAction(what)}*${subject === '' ? '' : ` · ${subject}`}`,
      describeOutcome(entry, isOpen),
      `${describeWho(entry, team)} · ${formatTime(at, timeZone)}`,
      ...describeChange(entry),
      ...describeFound(entry, timeZone),
      ...(reason === undefined || reason === '' ? [] : [`Reason: ${toMrkdwnName(reason, 300)}`]),
      ...(said === undefined ? [] : [`Refused because: ${toMrkdwnName(said, 300)}`]),
      ...(ids.length === 0 ? [] : [`_Request ids: ${ids.join(', ')}_`]),
    ]),
  );
}

const MAX_IDS = 5;
const MAX_ID_LENGTH = 80;

function describeSubject({ subject }: AuditEntry, names: AuditNames): string {
  const { environmentId, agentResourceId, currencyType } = subject;
  if (environmentId === undefined) return '';
  const environment = names.environment(environmentId);
  const where = describeNamed(environment, environmentId);
  if (agentResourceId === undefined) return `*${where}*`;
  const agent = names.agent(environmentId, agentResourceId);
  const inCurrency = currencyType === undefined ? '' : ` (${toMrkdwnName(currencyType, 40)})`;
  return `*${describeNamed(agent, agentResourceId)}* in ${where}${inCurrency}`;
}

/** The id as it is, for copying. */
function describeNamed(name: string | undefined, id: string): string {
  return name === undefined ? toMrkdwnLine(id, MAX_ID_LENGTH) : toMrkdwnName(name, MAX_ID_LENGTH);
}

/** Kinds that this release does not know are shown as they are stored. */
function describeAction(what: string): string {
  return ACTIONS.get(what) ?? toPlainWords(what);
}

const ACTIONS = new Map<string, string>([
  ['limit_change', 'Agent limit'],
  ['agent_stop', 'Stop of an agent'],
  ['agent_run_again', 'Agent to run again'],
  ['allocation_change', 'Allocation'],
  ['approval_requested', 'Approval asked for'],
  ['approval_refused', 'Approval refused'],
  ['environment_classified', 'Environment classified'],
  ['limit_approved', 'Agent limit approved in the register'],
  ['exception_accepted', 'Exception accepted'],
  ['exception_withdrawn', 'Exception withdrawn'],
  ['review_run', 'Review'],
  ['sign_ins_ended', 'Sign-ins ended'],
  ['channel_rules_changed', 'Channel rules'],
  ['workspace_paused', 'Questions paused'],
  ['workspace_resumed', 'Questions resumed'],
  ['entries_forgotten', 'Old entries of this log removed'],
  ['sealing_begun', 'Sealing of this log begun'],
] satisfies [AuditEntry['what'], string][]);

/** With its sign. `isOpen`: see AuditRow. */
function describeOutcome(entry: AuditEntry, isOpen: boolean): string {
  const { outcome, subject } = entry;
  if (isOpen && isDecisionEntry(entry)) {
    return ':hourglass: *begun, and not recorded*: it does not count. `/assistant-admin review` offers it again.';
  }
  if (isOpen && isSettingEntry(entry)) {
    return ':hourglass: *begun, and not known to have ended*: `/assistant-admin channels` shows what is set.';
  }
  if (isOpen) {
    const [what, command] = subject.agentResourceId === undefined ? ['environment', 'allocation'] : ['agent', 'limit'];
    return `:hourglass: *begun, and not known to have ended*: it may have been written. Open the ${what} with \`/assistant-admin ${command}\` to find out.`;
  }
  const { kind, written, reason } = outcome;
  const words = OUTCOMES.get(kind) ?? `*${toPlainWords(kind)}*`;
  const unchanged = kind === 'failed' && written === 'no' ? ', nothing was changed' : '';
  const why = reason === undefined ? '' : `: ${REASONS.get(reason) ?? toPlainWords(reason)}`;
  return `${words}${unchanged}${why}`;
}

const OUTCOMES = new Map<string, string>([
  ['done', ':white_check_mark: *done*'],
  ['refused', ':no_entry_sign: *refused*'],
  ['verified', ':white_check_mark: *verified*'],
  ['applied_not_verified', ':warning: *applied, not verified*'],
  ['conflict', ':x: *conflict*'],
  ['failed', ':x: *failed*'],
] satisfies [AuditEntry['outcome']['kind'], string][]);

/** The codes of outcomes that are written to the log. */
const REASONS = new Map([
  ['not_offered', 'the service does not show the limits of agents'],
  ['read_back_failed', 'reading it back failed'],
  ['not_listed', 'the service did not list it yet'],
  ['stop_not_told', 'the service did not tell whether the agent is stopped'],
  ['still_old', 'the service still showed the old values'],
  ['error_answer', 'the service answered with an error, so it may or may not have been written'],
  ['no_answer', 'the service did not answer, so it may or may not have been written'],
  ['before_write', 'somebody changed it meanwhile, so nothing was written'],
  ['after_write', 'it was written, and something else was there at once'],
  ['unanswered', 'the service did not confirm it, and then showed neither the old values nor the new ones'],
  ['overtaken', 'it took so long that another change began meanwhile, so it was not sent'],
  ['not_logged', 'this log could not be written, so nothing was sent'],
  ['store_unavailable', 'this app could not read or write its own records'],
  ['fault', 'something went wrong in this app'],
  ['interrupted', 'it broke off, and this is what a later look has shown'],
  ['approver_not_told', 'the approver could not be told, so it was withdrawn'],
  ['not_recorded', 'it could not be kept; whether it holds shows in the next review'],
  ['admin_unauthorized', 'the service did not accept the sign-in'],
  ['admin_forbidden', 'the service did not allow it to that account'],
  ['admin_not_found', 'the service did not know the agent or environment'],
  ['admin_not_offered', 'the service does not offer this'],
  ['admin_locked_by_policy', "a policy of the environment's group decides the rule"],
  ['admin_rejected', 'the service refused it'],
  ['admin_throttled', 'the service had too much to do'],
  ['admin_unreachable', 'the service did not answer'],
  ['admin_failed', 'the service reported an internal error'],
  ['admin_unreadable', 'the service answered in a way that could not be read'],
]);

function describeWho({ what, who, team }: AuditEntry, viewersTeam: string): string {
  const user = describePerson(who.user, team, viewersTeam);
  if (who.approver === undefined) return user;
  const approver = describePerson(who.approver, team, viewersTeam);
  if (what === 'approval_requested') return `${user} asked ${approver}`;
  if (what === 'approval_refused') return `asked for by ${user}, refused by ${approver}`;
  return `${user}, approved by ${approver}`;
}

function describePerson(user: string | undefined, team: string, viewersTeam: string): string {
  if (user === undefined) return 'this app by itself';
  if (team === '') return toMrkdwnLine(user, 40);
  if (team === viewersTeam && /^[UW][A-Z0-9]+$/.test(user)) return `<@${user}>`;
  return `${toMrkdwnLine(user, 40)} of ${toMrkdwnLine(team, 40)}`;
}

function describeChange(entry: AuditEntry): string[] {
  const settings = isSettingEntry(entry) ? describeSettings(entry.before, entry.after) : undefined;
  if (settings) return settings;
  const rows = readAuditedRows(entry);
  if (rows === undefined) {
    const details = describeDetails(entry.after);
    return describeDecision(entry.after) ?? (details === '' ? [] : [details]);
  }
  if (rows.length === 0) return ['It was to change nothing.'];
  const isOfOne = new Set(rows.map(({ currencyType }) => currencyType)).size === 1;
  return rows.map((row) => {
    const currency = row.currencyType === undefined || isOfOne ? '' : `${toMrkdwnName(row.currencyType, 60)}: `;
    return `${currency}${describeRow(row)}`;
  });
}

/** A decision beside the register, line by line; undefined if it is none. */
function describeDecision(after: unknown): string[] | undefined {
  const exception = exceptionSchema.safeParse(after).data;
  if (exception) {
    const accepted = exception.accepts.map(({ setting, currency, value }) => toLine(setting, value, currency));
    return [...accepted, `Accepted until ${formatDay(exception.expiresOn)}.`];
  }
  const classified = classificationSchema.safeParse(after).data;
  if (classified) {
    const { classification, owners, isWithdrawn } = classified;
    if (isWithdrawn)
      return [`Withdrawn: *${describeClassification(classification)}*. It is not in the register any more.`];
    const named = owners.map((owner) => toMrkdwnLine(owner, 60)).join(', ');
    const use = `*${describeClassification(classification)}*${named === '' ? '' : `, owners: ${named}`}`;
    return [use, ...describeStated(classified as Pick<ClassificationRecord, 'allocations' | 'unnamedAgents'>)];
  }
  const limited = limitSchema.safeParse(after).data;
  return limited && Object.entries(limited.limit).map(([setting, value]) => toLine(setting, value, undefined));
}

function toLine(setting: string, value: string | number, currency: string | undefined): string {
  return describeSetting(setting as SettingName, value as SettingValue, currency);
}

const exceptionSchema = z.object({
  accepts: z.array(
    z.object({ setting: z.string(), currency: z.string().optional(), value: z.union([z.string(), z.number()]) }),
  ),
  expiresOn: z.string(),
});

const approvedLimitSchema = z.object({
  monthlyLimit: z.union([z.number(), z.literal('none')]),
  alertAt: z.union([z.number(), z.literal('off')]).optional(),
  stopWhenReached: z.enum(['on', 'off']).optional(),
});

const limitSchema = z.object({ limit: approvedLimitSchema });

const classificationSchema = z.object({
  classification: z.enum(['maker-development', 'funded-production']),
  owners: z.array(z.string()).default([]),
  isWithdrawn: z.boolean().default(false),
  allocations: z
    .union([
      z.literal('none'),
      z.array(
        z.object({
          currencyType: z.string(),
          allocated: z.number().optional(),
          rules: z.record(z.string(), z.string()),
        }),
      ),
    ])
    .optional(),
  unnamedAgents: approvedLimitSchema.optional(),
});

/** Of a kind without words of its own: its names and values on one line. */
function describeDetails(value: unknown): string {
  return toMrkdwnLine(flatten(value), MAX_DETAILS_LENGTH);
}

const MAX_DETAILS_LENGTH = 300;

/** Leaves out hashes and empty values. */
function flatten(value: unknown): string {
  if (Array.isArray(value)) return value.map(flatten).join('; ');
  if (typeof value !== 'object' || value === null) return String(value ?? '');
  return Object.entries(value)
    .filter(([name, one]) => name !== 'registerHash' && name !== 'hash' && flatten(one) !== '')
    .map(([name, one]) => `${splitWords(name)}: ${flatten(one)}`)
    .join(', ');
}

/** `expiresOn` and `expires_on` become `expires on`. */
function splitWords(name: string): string {
  return name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();
}

function toPlainWords(code: string): string {
  return toMrkdwnLine(splitWords(code), 60);
}

function describeFound(entry: AuditEntry, timeZone: string): string[] {
  const found = readFoundInstead(entry);
  if (found === undefined) return [];
  if ('limit' in found) return [`Found instead: ${describeKnownLimit(found.limit, timeZone)}`];
  return [describeDifferences(found.expected, found.allocation)];
}

function buildTurns({ query, rows, next }: AuditSearch, { page, before }: PageTurn): ActionsBlock[] {
  const older = rows.length === 0 ? 'Search on' : 'Older';
  const elements = [
    ...(before === undefined ? [] : [buildTurn('audit', 'newest', 'Newest', { query, page: 0 })]),
    ...(next === undefined ? [] : [buildTurn('audit', 'older', older, { query, page: page + 1, before: next })]),
    ...(rows.length === 0 ? [] : buildListExport('audit', { query })),
  ];
  return elements.length === 0 ? [] : [{ type: 'actions', elements }];
}

function describeNotes({ query, isGap, searchedTo }: AuditSearch, { timeZone }: Options): string[] {
  return [
    'Entries are kept as they were written; names are as they are now.',
    ...(searchedTo === undefined
      ? []
      : [`:warning: Searched back to ${formatTime(searchedTo, timeZone)}; the button searches on from there.`]),
    ...(isGap
      ? [`:warning: Names could not be read${query === '' ? '' : ', and were not searched'}: shown are ids.`]
      : []),
  ];
}

type AuditLook = Pick<Look, 'caller' | 'timeZone'> & Pick<AuditSearchPorts, 'session'>;

async function readAudit(
  turn: PageTurn,
  { session, caller, timeZone }: AuditLook,
  ports: ListPorts,
): Promise<ListMessage> {
  const found = await searchAudit(turn, { ...ports, session });
  return { content: buildAuditMessage(found, { timeZone: await timeZone, team: caller.team, turn }) };
}

const NOTHING = { rows: [], truncated: false };

export const NO_NAMES: AuditSearchPorts['session'] = {
  findAgents: async () => NOTHING,
  findEnvironments: async () => NOTHING,
};

/** `/assistant-admin audit [text]` */
export const AUDIT: AdminList = {
  name: 'audit',
  read: readAudit,
  readAlone: (turn, look, ports) => readAudit(turn, { ...look, session: NO_NAMES }, ports),
};

/** Somebody who is mentioned is searched by id: the log has no names. */
export function toAuditQuery(typed: string, rest: string): string {
  return /<@([UW][A-Z0-9]+)(?:\|[^<>]*)?>/.exec(typed)?.[1] ?? rest;
}
