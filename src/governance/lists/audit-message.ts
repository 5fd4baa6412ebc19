// One page of the audit log, the latest first, for the admin who asked. Fits Slack's limits whatever is in it.
import type { ActionsBlock, SectionBlock } from '@slack/types';
import { describeRow } from '../../slack/views/admin/change-confirm.ts';
import { describeDecision } from '../../slack/views/admin/lists/audit-decision.ts';
import { describeAction, describeDetails, describeOutcome } from '../../slack/views/admin/lists/audit-words.ts';
import { buildTurn, type PageTurn } from '../../slack/views/admin/lists/page-turn.ts';
import { buildNotes } from '../../slack/views/admin/notes.ts';
import { buildSection, type Content } from '../../slack/views/content.ts';
import { fitBlocks } from '../../slack/views/fit-blocks.ts';
import { formatTime, toMrkdwnLine, toMrkdwnName } from '../../slack/views/shown-text.ts';
import { describeDifferences } from '../allocations/allocation-words.ts';
import type { AuditEntry } from '../audit/audit-entry.ts';
import { readAuditedRows, readFoundInstead } from '../audit/audited-rows.ts';
import type { AuditRow } from '../audit/list-audit.ts';
import type { AuditNames, AuditSearch } from '../audit/search-audit.ts';
import { describeKnownLimit } from '../limits/limit-words.ts';
import { fitLines } from '../shell/blocks.ts';

/** `team`: of the admin who looks; people of others are shown by their ids alone. */
type Options = { timeZone: string; team: string; turn: PageTurn };

export function buildAuditMessage(list: AuditSearch, options: Options): Content {
  const title = describeTitle(list, options);
  return {
    text: title,
    blocks: fitBlocks([
      buildSection(title),
      ...list.rows.map((row) => buildRow(row, list.names, options)),
      ...buildTurns(list, options.turn),
      buildNotes(describeNotes(list, options)),
    ]),
  };
}

function describeTitle({ rows, query, searchedTo }: AuditSearch, { turn }: Options): string {
  const matching = query === '' ? '' : ` matching “${toMrkdwnName(query, 100)}”`;
  const place = turn.page > 0 ? `, page ${turn.page + 1}` : '';
  if (rows.length > 0) return `*Audit log*${matching === '' ? '' : `, entries${matching}`}: the latest first${place}`;
  if (searchedTo !== undefined) return `*Audit log*: nothing${matching} so far`;
  return `*Audit log*: nothing${matching}${turn.before === undefined ? '' : ' that is older'}.`;
}

function buildRow({ entry, isOpen }: AuditRow, names: AuditNames, { timeZone, team }: Options): SectionBlock {
  const { what, at, reason, requestIds } = entry;
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
      ...(ids.length === 0 ? [] : [`_Request ids: ${ids.join(', ')}_`]),
    ]),
  );
}

const MAX_IDS = 5;
const MAX_ID_LENGTH = 80;

function describeSubject({ subject }: AuditEntry, names: AuditNames): string {
  const { environmentId, agentResourceId } = subject;
  if (environmentId === undefined) return '';
  const environment = names.environment(environmentId);
  const where = describeNamed(environment, environmentId);
  if (agentResourceId === undefined) return `*${where}*`;
  const agent = names.agent(environmentId, agentResourceId);
  return `*${describeNamed(agent, agentResourceId)}* in ${where}`;
}

/** The id as it is, for copying. */
function describeNamed(name: string | undefined, id: string): string {
  return name === undefined ? toMrkdwnLine(id, MAX_ID_LENGTH) : toMrkdwnName(name, MAX_ID_LENGTH);
}

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
  if (team === viewersTeam && /^[UW][A-Z0-9]+$/.test(user)) return `<@${user}>`;
  return `${toMrkdwnLine(user, 40)} of ${toMrkdwnLine(team, 40)}`;
}

function describeChange(entry: AuditEntry): string[] {
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

function describeFound(entry: AuditEntry, timeZone: string): string[] {
  const found = readFoundInstead(entry);
  if (found === undefined) return [];
  if ('limit' in found) return [`Found instead: ${describeKnownLimit(found.limit, timeZone)}`];
  return [describeDifferences(found.expected, found.allocation)];
}

function buildTurns({ query, rows, next }: AuditSearch, { page, before }: PageTurn): ActionsBlock[] {
  const elements = [
    ...(before === undefined ? [] : [buildTurn('audit', 'newest', 'Newest', { query, page: 0 })]),
    ...(next === undefined
      ? []
      : [
          buildTurn('audit', 'older', rows.length === 0 ? 'Search on' : 'Older', {
            query,
            page: page + 1,
            before: next,
          }),
        ]),
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
