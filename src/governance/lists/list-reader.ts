// Reads a list for somebody: what they typed, their filter, and the result kept while its pages are turned.
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

type Asked = {
  name: ListName;
  typed: string;
  caller: Caller;
  session: AdminSession;
  timeZone: string;
  /** False: what was read a while ago will do, because a page is turned. */
  isFresh: boolean;
};

/** All that fits, and how to complete a page of it. Rows are as the list made them, whichever it is. */
export type Found = { list: List<Owned>; query: Query; result: Result<Owned>; look: Look };

export type ListReader = {
  /** `problem`: a sentence in mrkdwn, where what was typed cannot be understood. Throws what reading throws. */
  read(asked: Asked): Promise<Found | { problem: string }>;
};

/** What is made from lists. */
export type ListingServices = GovernanceServices & { lists: ListReader };

const KEPT_MS = 5 * 60_000;

/** Of all people together; about a kilobyte each. */
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
      kept.set(key, result);
      return { list, query, result, look };
    },
  };
}

function findProblem({ period, filters }: Query, list: List<Owned>): string | undefined {
  if (period && period.text.length > 7) return 'Here goes a month, such as `2026-10`.';
  const foreign = [...filters.keys()].find((word) => !list.filters.some((one) => one.word === word));
  return foreign && `\`${foreign}\` does not go with a month.`;
}

const UNKNOWN_OWNER =
  'I do not know whose account that is in the directory. After `owner:` comes a person who has signed in to this app, or their id in the directory.';

/** Somebody who is mentioned becomes their id in the directory. */
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

/** The rows of a page, complete, with their owners as people of Slack, as far as these have signed in to this app. */
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
