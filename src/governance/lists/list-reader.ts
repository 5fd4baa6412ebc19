// Reads a list by what a person typed, and keeps the result while they turn its pages.
import { LRUCache } from 'lru-cache';
import type { AdminSession } from '../../admin-api/admin-session.ts';
import type { GovernanceServices } from '../services.ts';
import type { Caller } from '../shell/admin-rules.ts';
import { type Page, takePage } from '../shell/blocks.ts';
import { AGENTS } from './agents-list.ts';
import { ENVIRONMENTS } from './environments-list.ts';
import { findRows, type List, type ListServices, type Look, type Owned, PAGE_SIZE, type Result } from './list.ts';
import { parseQuery, type Query } from './list-query.ts';
import { toMonthList } from './months-list.ts';

export type ListName = 'agents' | 'environments';

type ListRequest = {
  name: ListName;
  typed: string;
  caller: Caller;
  session: AdminSession;
  timeZone: string;
  /** False: the kept result is good enough, because a page is turned. */
  isFresh: boolean;
};

/** All rows that fit, with what `readPage` needs to complete a page of them. */
export type Found = { list: List<Owned>; query: Query; result: Result<Owned>; look: Look };

export type ListReader = {
  /** `problem`: a sentence in mrkdwn if the typed text cannot be understood. Throws the errors of reading. */
  read(request: ListRequest): Promise<Found | { problem: string }>;
};

/** The services with the lists. */
export type ListingServices = GovernanceServices & { lists: ListReader };

const KEPT_MS = 5 * 60_000;

/** For all people together. A row has about a kilobyte. */
const MAX_ROWS = 20_000;

const LISTS: Record<ListName, List<Owned>> = { agents: AGENTS, environments: ENVIRONMENTS };

export function createListReader(services: ListServices): ListReader {
  const kept = new LRUCache<string, Result<Owned>>({
    maxSize: MAX_ROWS,
    sizeCalculation: ({ rows }) => rows.length + 1,
    ttl: KEPT_MS,
    perf: { now: services.now },
  });
  return {
    async read({ name, typed, caller, session, timeZone, isFresh }) {
      const filters = LISTS[name].filters.map(({ word }) => word);
      const parsed = parseQuery(typed, { filters, timeZone });
      const query = 'problem' in parsed ? parsed : await resolveOwner(parsed, caller, services);
      if ('problem' in query) return query;
      const list = query.period ? toMonthList(name, query.period) : LISTS[name];
      const problem = findProblem(query, list);
      if (problem !== undefined) return { problem };
      const look = { session, caller, timeZone, query, services };
      const key = [name, caller.team, caller.user, query.typed].join('\n');
      const known = isFresh || query.isFile ? undefined : kept.get(key);
      const result = known ?? (await findRows(list, look));
      // Not if it is known, which would keep it for longer.
      if (!known) kept.set(key, result);
      return { list, query, result, look };
    },
  };
}

function findProblem({ period, filters }: Query, list: List<Owned>): string | undefined {
  if (period && period.text.length > 7) return 'Give a month here, such as `2026-10`.';
  const foreign = [...filters.keys()].find((word) => !list.filters.some((one) => one.word === word));
  return foreign && `\`${foreign}\` does not go with a month.`;
}

const UNKNOWN_OWNER =
  'I do not know whose account that is in the directory. After `owner:` comes a person who has signed in to this app, or their id in the directory.';

/** Replaces a mentioned person by their id in the directory. */
async function resolveOwner(
  query: Query,
  caller: Caller,
  { owners }: Pick<ListServices, 'owners'>,
): Promise<Query | { problem: string }> {
  const owner = query.filters.get('owner') ?? '';
  const user = /^<@([UW][A-Z0-9]+)>$/.exec(owner)?.[1];
  if (user === undefined && !owner.startsWith('@')) return query;
  const id = user && (await owners.findId(caller, user));
  return id ? { ...query, filters: new Map([...query.filters, ['owner', id]]) } : { problem: UNKNOWN_OWNER };
}

/** The complete rows of a page. Owners who have signed in to this app get their Slack user id. */
export async function readPage(
  { list, result, look }: Found,
  page: number,
): Promise<Page & { rows: readonly Owned[] }> {
  const { caller, services } = look;
  const taken = takePage(result.rows, page, PAGE_SIZE);
  const rows = (result.isComplete ? undefined : await list.complete?.(taken.rows, look)) ?? taken.rows;
  const ids = [...new Set(rows.flatMap(({ ownerId }) => ownerId ?? []))];
  const users = new Map(
    await Promise.all(ids.map(async (id) => [id, await services.owners.findUser(caller, id)] as const)),
  );
  return { ...taken, rows: rows.map((row) => ({ ...row, ownerUser: users.get(row.ownerId ?? '') })) };
}
