// Finds entries of the log: by words, which also match the names that ids have now, and by month or day.
import { setImmediate } from 'node:timers/promises';
import type { AuditEntry, AuditStore, LinkedEntry } from '../../audit/audit-log.ts';
import { hasWords, toComparable } from '../inventory/inventory.ts';
import { type InventoryNames, toNames } from '../inventory/known-inventory.ts';
import type { GovernanceServices } from '../services.ts';
import type { Query } from './list-query.ts';
import { describeAction, describeStates } from './log-words.ts';

/** `isOpen`: it was begun and has not ended: it still runs, or was interrupted. */
export type LogRow = { entry: LinkedEntry; isOpen: boolean; names: InventoryNames };

export type LogPage = {
  rows: LogRow[];
  /** `before` of the next page. Undefined: there is none. */
  next?: number | undefined;
  /** If the search stopped early: how far back it came (epoch ms). Go on with `next`. */
  searchedTo?: number | undefined;
  /** There are no names yet, so they were not searched. */
  isGap: boolean;
};

type LogLook = { query: Pick<Query, 'words' | 'period'>; limit: number; before?: number | undefined };

const CHUNK = 100;

/** How many entries are searched for one page. More would take too long. */
const MAX_SEARCHED = 5_000;

/** Clocks of replicas differ, so that entries are not quite in the order of their times. */
const SKEW_MS = 10 * 60_000;

/**
 * The latest first. Names come from the inventory as it was last read, so nobody has to be signed in. Throws
 * StoreUnavailableError.
 */
export async function readLog(
  { query, limit, before: from }: LogLook,
  { audit, known }: Pick<GovernanceServices, 'audit' | 'known'>,
): Promise<LogPage> {
  const inventory = await known.read();
  const names = toNames(inventory);
  const isGap = inventory === undefined;
  const rows: LogRow[] = [];
  const ended = new Set<string>();
  let before = from ?? (query.period && (await findPlace(query.period.until + SKEW_MS, audit)));
  for (let searched = CHUNK; ; searched += CHUNK) {
    const entries = await audit.list({ limit: CHUNK, before });
    for (const entry of entries) rows.push(...(await toRows(entry, { query, names, ended }, audit)));
    // One more than is shown: there is a next page.
    if (rows.length > limit) return { rows: rows.slice(0, limit), next: rows[limit - 1]?.entry.seq, isGap };
    const oldest = entries.at(-1);
    if (oldest === undefined || entries.length < CHUNK || isPast(oldest, query)) return { rows, isGap };
    before = oldest.seq;
    // A store in a file reads a whole month without a pause.
    await setImmediate();
    if (searched >= MAX_SEARCHED) return { rows, next: before, searchedTo: oldest.at, isGap };
  }
}

function isPast({ at }: LinkedEntry, { period }: LogLook['query']): boolean {
  return period !== undefined && at < period.from - SKEW_MS;
}

function isFitting(entry: LinkedEntry, { period, words }: LogLook['query'], names: InventoryNames): boolean {
  if (period !== undefined && (entry.at < period.from || entry.at >= period.until)) return false;
  return words.length === 0 || hasWords(words, toHaystack(entry, names));
}

/** The place of the first entry made at this time (epoch ms) or later. A binary search, because the log may be long. */
async function findPlace(at: number, audit: Pick<AuditStore, 'list' | 'head' | 'origin'>): Promise<number> {
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

/** `ended`: the changes whose end is in entries that were read before. */
type Searching = Pick<LogLook, 'query'> & { names: InventoryNames; ended: Set<string> };

/** At most one row. An entry that begins something is a row only if no entry says how it ended. */
async function toRows(
  entry: LinkedEntry,
  { query, names, ended }: Searching,
  audit: Pick<AuditStore, 'list'>,
): Promise<LogRow[]> {
  const isOpen = entry.outcome.kind === 'begun';
  if (!isOpen) ended.add(toChangeKey(entry));
  if (!isFitting(entry, query, names) || (isOpen && (await hasEnd(entry, ended, audit)))) return [];
  return [{ entry, isOpen, names }];
}

async function hasEnd(
  entry: LinkedEntry,
  ended: ReadonlySet<string>,
  audit: Pick<AuditStore, 'list'>,
): Promise<boolean> {
  const key = toChangeKey(entry);
  if (ended.has(key)) return true;
  // If a page begins between the two entries, the end is on the page before.
  const after = await audit.list({ limit: CHUNK, before: entry.seq + CHUNK + 1 });
  return after.some((one) => one.seq > entry.seq && one.outcome.kind !== 'begun' && toChangeKey(one) === key);
}

function toChangeKey({ what, subject }: LinkedEntry): string {
  return JSON.stringify([what, subject]);
}

/** The text that is searched for words: names and ids, people, what was done, and the settings. */
function toHaystack(entry: AuditEntry, names: InventoryNames): string {
  const { what, who, subject, reason, outcome, requestIds, policy } = entry;
  const { environmentId, agentId, planId, channel, className, currency } = subject;
  const parts = [
    what.replaceAll('_', ' '),
    describeAction(what),
    describeStates(entry),
    outcome.kind.replaceAll('_', ' '),
    ...[who.user, who.approver, environmentId, names.environment(environmentId)],
    ...[agentId, names.agent(environmentId, agentId), planId, reason, outcome.said],
    ...[channel, className, currency],
    policy === undefined ? undefined : `policy ${policy}`,
    ...requestIds,
  ];
  return toComparable(parts.filter((part) => part !== undefined).join('\n'));
}
