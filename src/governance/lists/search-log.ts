// Finds entries of the log: by words, which also match the names that ids have now, and by month or day.
import type { AuditEntry, AuditStore, LinkedEntry } from '../audit/audit-log.ts';
import { toComparable } from '../inventory/inventory.ts';
import type { KnownRows } from '../inventory/known-inventory.ts';
import type { GovernanceServices } from '../services.ts';
import type { Query } from './list-query.ts';
import { describeAction, describeStates } from './log-words.ts';

type LogRow = {
  entry: LinkedEntry;
  /** It was begun, and did not end yet: it runs, or it broke off. */
  isOpen: boolean;
};

export type LogPage = {
  rows: LogRow[];
  /** For the next page: `before`; undefined where there is none. */
  next: number | undefined;
  /** Where the search was stopped: how far back it came (epoch ms). It goes on with `next`. */
  searchedTo: number | undefined;
};

type LogReader = Pick<AuditStore, 'list' | 'head' | 'origin'>;

type Search = Pick<Query, 'words' | 'period'> & {
  limit: number;
  before?: number | undefined;
  /** What words are looked for in: comparable. */
  toText(entry: LinkedEntry): string;
};

const CHUNK = 100;

/** For one page: nobody waits for longer. */
const MAX_SEARCHED = 5_000;

/** Clocks of replicas differ, so that entries are not quite in the order of their times. */
const SKEW_MS = 10 * 60_000;

/** The latest first. Throws StoreUnavailableError. */
export async function searchLog(search: Search, audit: LogReader): Promise<LogPage> {
  const { period, limit } = search;
  const rows: LogRow[] = [];
  const ended = new Set<string>();
  let before = search.before ?? (period && (await findPlace(period.until + SKEW_MS, audit)));
  for (let searched = CHUNK; ; searched += CHUNK) {
    const entries = await audit.list({ limit: CHUNK, before });
    rows.push(...(await readRows(entries, ended, search, audit)));
    // One more than is shown: there is a next page.
    if (rows.length > limit) return toPage(rows.slice(0, limit), rows[limit - 1]?.entry.seq);
    const oldest = entries.at(-1);
    if (oldest === undefined || entries.length < CHUNK || isPast(oldest, period)) return toPage(rows);
    before = oldest.seq;
    if (searched >= MAX_SEARCHED) return toPage(rows, before, oldest.at);
  }
}

function toPage(rows: LogRow[], next?: number, searchedTo?: number): LogPage {
  return { rows, next, searchedTo };
}

function isPast({ at }: LinkedEntry, period: Query['period']): boolean {
  return period !== undefined && at < period.from - SKEW_MS;
}

async function readRows(
  entries: readonly LinkedEntry[],
  ended: Set<string>,
  search: Search,
  audit: LogReader,
): Promise<LogRow[]> {
  const rows: LogRow[] = [];
  for (const entry of entries) {
    const row = isFitting(entry, search) ? await toRow(entry, ended, audit) : undefined;
    if (row !== undefined) rows.push(row);
    if (entry.outcome.kind !== 'begun') ended.add(toChangeKey(entry));
  }
  return rows;
}

function isFitting(entry: LinkedEntry, { period, words, toText }: Search): boolean {
  if (period !== undefined && (entry.at < period.from || entry.at >= period.until)) return false;
  if (words.length === 0) return true;
  const text = toText(entry);
  return words.every((word) => text.includes(word));
}

/** The place of the first entry that was made at a time or later (epoch ms): found by halves, as the log may be long. */
async function findPlace(at: number, audit: LogReader): Promise<number> {
  let low = (await audit.origin()).seq + 1;
  let high = (await audit.head()).seq + 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    const [entry] = await audit.list({ limit: 1, before: middle + 1 });
    if (entry !== undefined && entry.at < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** What was begun is a row where nothing says how it ended. `ended`: what later entries say of. */
async function toRow(
  entry: LinkedEntry,
  ended: ReadonlySet<string>,
  audit: Pick<AuditStore, 'list'>,
): Promise<LogRow | undefined> {
  if (entry.outcome.kind !== 'begun') return { entry, isOpen: false };
  const key = toChangeKey(entry);
  if (ended.has(key)) return undefined;
  // If a page begins between the two entries, the end is on the page before.
  const after = await audit.list({ limit: CHUNK, before: entry.seq + CHUNK + 1 });
  const isEnd = (one: LinkedEntry) => one.seq > entry.seq && one.outcome.kind !== 'begun' && toChangeKey(one) === key;
  return after.some(isEnd) ? undefined : { entry, isOpen: true };
}

function toChangeKey({ what, subject }: LinkedEntry): string {
  return JSON.stringify([what, subject]);
}

/** Names of the inventory, as it was last read: untrusted. Undefined: not known. */
export type InventoryNames = {
  environment(environmentId: string | undefined): string | undefined;
  agent(environmentId: string | undefined, agentId: string | undefined): string | undefined;
};

export type NamedLogRow = LogRow & { names: InventoryNames };

/** `isGap`: there are no names yet, so that nothing was found by them either. */
export type LogSearch = Omit<LogPage, 'rows'> & { rows: NamedLogRow[]; isGap: boolean };

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

export function toNames({ rows, environments }: KnownRows = { rows: [], environments: [], at: 0 }): InventoryNames {
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
function toHaystack(entry: AuditEntry, names: InventoryNames): string {
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
