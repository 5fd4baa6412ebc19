// The log: who did what and why, from one description of its columns.
import type { AuditEntry } from '../audit/audit-log.ts';
import { toTime } from '../exports/sheet.ts';
import { toComparable } from '../inventory/inventory.ts';
import type { KnownRows } from '../inventory/known-inventory.ts';
import type { GovernanceServices } from '../services.ts';
import { toCanonicalJson } from '../shell/canonical-json.ts';
import type { Column, Shown } from './list.ts';
import type { Query } from './list-query.ts';
import { describeAction, describeOutcome, describeStates } from './log-words.ts';
import { type LogPage, type LogRow, searchLog } from './search-log.ts';

/** Names as they are now: the log has none. */
type LogNames = {
  environment(environmentId: string | undefined): string | undefined;
  agent(environmentId: string | undefined, agentId: string | undefined): string | undefined;
};

export type NamedLogRow = LogRow & { names: LogNames };

/** `isGap`: there are no names yet, so that nothing was found by them either. */
export type LogSearch = Omit<LogPage, 'rows'> & { rows: NamedLogRow[]; isGap: boolean };

/** `team`: of the reader; people of other teams are shown by their ids. */
export function buildLogColumns(team: string): Column<NamedLogRow>[] {
  return [
    { name: 'seq', read: ({ entry }) => entry.seq },
    { name: 'at', read: ({ entry }) => toTime(entry.at) },
    { name: 'what', read: ({ entry }) => entry.what },
    { name: 'change', read: ({ entry }) => describeStates(entry), show: ({ entry }) => describeStates(entry) },
    {
      name: 'outcome',
      read: ({ entry }) => entry.outcome.kind,
      show: (row) => describeOutcome(row),
    },
    { name: 'outcome_reason', read: ({ entry }) => entry.outcome.reason },
    { name: 'written', read: ({ entry }) => entry.outcome.written },
    { name: 'policy', read: ({ entry }) => entry.policy, show: ({ entry }) => showPolicy(entry), line: 2 },
    { name: 'team', read: ({ entry }) => entry.team },
    {
      name: 'user',
      read: ({ entry }) => entry.who.user,
      show: ({ entry }) => showPerson(entry, entry.who.user, '', team),
      line: 2,
    },
    { name: 'account', read: ({ entry }) => entry.who.account },
    {
      name: 'approver',
      read: ({ entry }) => entry.who.approver,
      show: ({ entry }) => (entry.who.approver ? showPerson(entry, entry.who.approver, 'approver', team) : undefined),
      line: 2,
    },
    { name: 'approver_account', read: ({ entry }) => entry.who.approverAccount },
    { name: 'environment_id', read: ({ entry }) => entry.subject.environmentId },
    { name: 'environment_name', read: ({ entry, names }) => names.environment(entry.subject.environmentId) },
    { name: 'agent_id', read: ({ entry }) => entry.subject.agentId },
    {
      name: 'agent_name',
      read: ({ entry, names }) => names.agent(entry.subject.environmentId, entry.subject.agentId),
    },
    { name: 'currency', read: ({ entry }) => entry.subject.currency },
    { name: 'plan', read: ({ entry }) => entry.subject.planId ?? entry.subject.changeId },
    { name: 'before', read: ({ entry }) => toJson(entry.before) },
    { name: 'after', read: ({ entry }) => toJson(entry.after) },
    { name: 'reason', read: ({ entry }) => entry.reason, show: ({ entry }) => showReason(entry), line: 3 },
    { name: 'request_ids', read: ({ entry }) => entry.requestIds.join(' ') },
    { name: 'hash', read: ({ entry }) => entry.hash },
  ];
}

/** What was done, and to what. */
export function toLogTitle({ entry, names }: NamedLogRow): { name: string; where?: string } {
  const { environmentId, agentId, className, channel, currency } = entry.subject;
  const environment = names.environment(environmentId) ?? environmentId;
  const agent = names.agent(environmentId, agentId) ?? agentId;
  const [what, where] = agent === undefined ? [environment ?? className ?? channel, undefined] : [agent, environment];
  const inCurrency = currency === undefined ? '' : ` (${currency})`;
  const name = `${describeAction(entry.what)}${what === undefined ? '' : `: ${what}${inCurrency}`}`;
  return { name, ...(where !== undefined && { where }) };
}

function showPolicy({ policy }: AuditEntry): string | undefined {
  return policy === undefined ? undefined : `policy ${policy}`;
}

function showPerson({ team }: AuditEntry, user: string | undefined, role: string, viewersTeam: string): Shown {
  if (user === undefined) return 'this app by itself';
  if (team === viewersTeam && /^[UW][A-Z0-9]+$/.test(user)) return { user, more: role };
  return `${role} ${user}${team === '' ? '' : ` of ${team}`}`.trim();
}

function showReason({ reason, outcome }: AuditEntry): string | undefined {
  const said = [...(reason ? [`“${reason}”`] : []), ...(outcome.said ? [`rejected: “${outcome.said}”`] : [])];
  return said.length === 0 ? undefined : said.join(' · ');
}

function toJson(value: unknown): string | undefined {
  return value === undefined ? undefined : toCanonicalJson(value);
}

type LogLook = { query: Pick<Query, 'words' | 'period'>; limit: number; before?: number | undefined };

type LogServices = Pick<GovernanceServices, 'audit' | 'known'>;

/** Names are as the inventory had them when it was read last: nobody has to be signed in. Throws StoreUnavailableError. */
export async function readLog({ query, limit, before }: LogLook, { audit, known }: LogServices): Promise<LogSearch> {
  const inventory = await known.read();
  const names = toNames(inventory);
  const toText = (entry: AuditEntry) => toHaystack(entry, names);
  const { rows, ...page } = await searchLog({ ...query, limit, before, toText }, audit);
  return { ...page, rows: rows.map((row) => ({ ...row, names })), isGap: inventory === undefined };
}

function toNames({ rows, environments }: KnownRows = { rows: [], environments: [], at: 0 }): LogNames {
  const byEnvironment = new Map(environments.map(({ environmentId, name }) => [environmentId.toLowerCase(), name]));
  const toKey = (environmentId: string, id: string) => `${environmentId}\n${id}`.toLowerCase();
  const byAgent = new Map(
    rows.flatMap(({ environmentId = '', name, agentResourceId, displayName }) =>
      [name, agentResourceId].map((id) => [toKey(environmentId, id), displayName] as const),
    ),
  );
  return {
    environment: (id) => (id === undefined ? undefined : byEnvironment.get(id.toLowerCase())),
    agent: (environmentId, id) =>
      environmentId === undefined || id === undefined ? undefined : byAgent.get(toKey(environmentId, id)),
  };
}

/** What words are looked for in: names and ids, people, what was done, and the settings. */
function toHaystack(entry: AuditEntry, names: LogNames): string {
  const { what, who, subject, reason, outcome, requestIds, policy } = entry;
  const { environmentId, agentId, planId, changeId } = subject;
  const parts = [
    what.replaceAll('_', ' '),
    describeAction(what),
    describeStates(entry),
    outcome.kind.replaceAll('_', ' '),
    ...[who.user, who.approver, environmentId, names.environment(environmentId)],
    ...[agentId, names.agent(environmentId, agentId), planId, changeId, reason, outcome.said],
    policy === undefined ? undefined : `policy ${policy}`,
    ...requestIds,
  ];
  return toComparable(parts.filter((part) => part !== undefined).join('\n'));
}
