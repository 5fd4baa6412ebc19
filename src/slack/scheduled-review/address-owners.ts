import type { ReviewStore } from '../../governance/review/review-store.ts';
import { startOfMonth, toNoticeKeys } from '../../governance/review/schedule/consumption-levels.ts';
import { listOwners, type OwnerItem } from '../../governance/review/schedule/owner-items.ts';
import type { OwnerFinder, Reached } from './find-owner.ts';

/** What one person is told. `claims`: what is claimed for it in the store. */
export type Addressed = Reached & { items: OwnerItem[]; claims: string[] };

export type Addressees = {
  people: Addressed[];
  /** What nobody could be told of. */
  unreached: OwnerItem[];
  /** People who are not told, because they are too many at once. */
  leftOut: number;
};

type AddressPorts = { finder: OwnerFinder; reviews: Pick<ReviewStore, 'claimNotice'>; now: () => number };

/** Slack lets an app write to about one person a second, and so many news at once are a fault of the register. */
export const MAX_PEOPLE = 200;

/** Of one environment or agent. */
const MAX_OWNERS = 10;

/** Who hears of what, everybody once. That much has been used is news once for each person, level and month. */
export async function addressOwners(items: readonly OwnerItem[], ports: AddressPorts): Promise<Addressees> {
  const people = new Map<string, Addressed>();
  const leftOut = new Set<string>();
  const unreached: OwnerItem[] = [];
  const tell = async (item: OwnerItem, reached: Reached) => {
    const person = people.get(reached.user) ?? { ...reached, items: [], claims: [] };
    if (!people.has(reached.user) && people.size >= MAX_PEOPLE) return void leftOut.add(reached.user);
    const claims = await claim(item, reached.user, ports);
    if (claims === undefined) return;
    people.set(reached.user, person);
    person.items.push(item);
    person.claims.push(...claims);
  };
  for (const item of items) {
    const own = await reachAll(listOwners(item.finding), ports.finder);
    // Not of consumption: that is nobody's but theirs whose agent it is.
    const others = own.length === 0 && item.kind === 'finding' ? item.environmentOwners : [];
    const reached = own.length > 0 ? own : await reachAll(others, ports.finder);
    for (const one of reached) await tell(item, one);
    if (reached.length === 0 && (await claim(item, 'nobody', ports)) !== undefined) unreached.push(item);
  }
  return { people: [...people.values()], unreached, leftOut: leftOut.size };
}

/** One who is named twice, by address and by id, is one. */
async function reachAll(owners: readonly string[], finder: OwnerFinder): Promise<Reached[]> {
  const byUser = new Map<string, Reached>();
  for (const owner of owners.slice(0, MAX_OWNERS)) {
    const reached = await finder.find(owner);
    if (reached !== undefined) byUser.set(reached.user, reached);
  }
  return [...byUser.values()];
}

/** Undefined: they have heard of it. */
async function claim(
  item: OwnerItem,
  recipient: string,
  { reviews, now }: AddressPorts,
): Promise<string[] | undefined> {
  if (item.kind === 'finding') return [];
  const expiresAt = startOfMonth(now(), 1);
  const [own = '', ...lower] = toNoticeKeys(recipient, item, now());
  if (!(await reviews.claimNotice(own, expiresAt))) return undefined;
  const claims = [own];
  for (const key of lower) if (await reviews.claimNotice(key, expiresAt)) claims.push(key);
  return claims;
}
