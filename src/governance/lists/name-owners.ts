// The owners of what is listed, as people of Slack where they can be known: those who have signed in to this app.
import type { Caller } from '../shell/admin-rules.ts';
import { type FilteredList, type ParsedFilter, parseListFilter, readOwnerId } from './list-filter.ts';

/** Port: both within the caller's team; undefined where nobody who signed in has this account. */
export type OwnerPort = {
  /** The Slack user id. `ownerId`: an id in the directory. */
  findUser(caller: Caller, ownerId: string): Promise<string | undefined>;
  /** The id in the directory. */
  findId(caller: Caller, user: string): Promise<string | undefined>;
};

/** `ownerUser`: a Slack user id. */
export type Owned = { ownerId: string | undefined; ownerUser?: string };

/** For one page: each owner is looked up once. */
export async function nameOwners<Row extends Owned>(
  rows: readonly Row[],
  caller: Caller,
  { owners }: { owners: OwnerPort },
): Promise<Row[]> {
  const ids = [...new Set(rows.flatMap(({ ownerId }) => ownerId ?? []))];
  const users = new Map(await Promise.all(ids.map(async (id) => [id, await owners.findUser(caller, id)] as const)));
  return rows.map((row) => {
    const ownerUser = users.get(row.ownerId ?? '');
    return ownerUser === undefined ? row : { ...row, ownerUser };
  });
}

/** What was typed after the command of a list, with the owner by their id. */
export async function readListFilter(
  list: FilteredList,
  typed: string,
  { caller, owners }: { caller: Caller; owners: OwnerPort },
): Promise<ParsedFilter> {
  const parsed = parseListFilter(list, typed);
  return parsed.ok ? readOwnerId(parsed.filter, (user) => owners.findId(caller, user)) : parsed;
}
