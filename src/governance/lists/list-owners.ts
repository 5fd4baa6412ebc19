// The owners of what is listed, as people of Slack where they can be known: those who have signed in to this app.
import type { Caller } from '../shell/admin-rules.ts';
import type { ListServices, Shown } from './list.ts';
import type { Query } from './list-query.ts';

/** `ownerId`: in the directory. `ownerUser`: a Slack user id. */
export type Owned = { ownerId: string | undefined; ownerUser?: string | undefined };

/** Each owner is looked up once. */
export async function nameOwners<Row extends Owned>(
  rows: readonly Row[],
  caller: Caller,
  { owners }: Pick<ListServices, 'owners'>,
): Promise<Row[]> {
  const ids = [...new Set(rows.flatMap(({ ownerId }) => ownerId ?? []))];
  const users = new Map(await Promise.all(ids.map(async (id) => [id, await owners.findUser(caller, id)] as const)));
  return rows.map((row) => ({ ...row, ownerUser: users.get(row.ownerId ?? '') }));
}

export function showOwner({ ownerId, ownerUser }: Owned): Shown {
  if (ownerId === undefined) return 'no owner';
  return ownerUser === undefined ? `owner ${ownerId}` : { user: ownerUser, more: ownerId };
}

/** An id in the directory, or part of it. `value`: comparable. */
export function testOwner({ ownerId }: Owned, value: string): boolean {
  return ownerId?.toLowerCase().includes(value) ?? false;
}

const UNKNOWN_OWNER =
  'I do not know whose account that is in the directory. After `owner:` comes a person who has signed in to this app, or their id in the directory.';

/** Somebody who is mentioned becomes their id in the directory. */
export async function resolveOwner(
  query: Query,
  caller: Caller,
  { owners }: Pick<ListServices, 'owners'>,
): Promise<Query | { problem: string }> {
  const owner = query.filters.get('owner') ?? '';
  const user = /^<@([UW][A-Z0-9]+)>$/.exec(owner)?.[1];
  if (user === undefined) return owner.startsWith('@') ? { problem: UNKNOWN_OWNER } : query;
  const id = await owners.findId(caller, user);
  return id === undefined
    ? { problem: UNKNOWN_OWNER }
    : { ...query, filters: new Map([...query.filters, ['owner', id]]) };
}
