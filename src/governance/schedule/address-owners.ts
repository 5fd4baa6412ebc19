// Finds out who is written to about what: the owners that Slack knows. Nobody reads the same level twice in a month.
import type { ClaimStore } from '../../identity/account-link.ts';
import { startOfMonth, toNoticeKeys } from './consumption-levels.ts';
import type { OwnerItem } from './owner-items.ts';
import type { FindOwner } from './slack-delivery.ts';

/** `claims`: the keys that are claimed in the store for it. */
type Addressed = { user: string; items: OwnerItem[]; claims: string[] };

export type Addressees = {
  people: Addressed[];
  /** What no owner can be written to about, and the claims of that. */
  unreached: OwnerItem[];
  claims: string[];
  /** How many things are not written about because there are too many at once. */
  leftOut: number;
};

type AddressOptions = {
  findOwner: FindOwner;
  once: Pick<ClaimStore, 'claim'>;
  /** Epoch ms: of the current month. */
  at: number;
  /** Who claims: an attempt with the same holder may claim again what a failed one had claimed. */
  holder: string;
};

/** Slack lets an app write to about one person a second, and so much news at once means a mistake in the policy. */
export const MAX_PEOPLE = 200;

/** Slack allows about 50 lookups of people a minute. */
const MAX_ITEMS = 500;

/** Of one environment or agent. */
const MAX_OWNERS = 10;

export async function addressOwners(items: readonly OwnerItem[], options: AddressOptions): Promise<Addressees> {
  const people = new Map<string, Addressed>();
  const found: Omit<Addressees, 'people'> = {
    unreached: [],
    claims: [],
    leftOut: Math.max(0, items.length - MAX_ITEMS),
  };

  async function address(item: OwnerItem, user: string): Promise<void> {
    const person = people.get(user) ?? { user, items: [], claims: [] };
    if (!people.has(user) && people.size >= MAX_PEOPLE) found.leftOut += 1;
    else if (await addTo(person, item, user, options)) people.set(user, person);
  }

  for (const item of items.slice(0, MAX_ITEMS)) {
    const own = await findAll(item.owners, options);
    const users = own.length > 0 ? own : await findAll(item.fallback, options);
    for (const user of users) await address(item, user);
    if (users.length > 0) continue;
    const nobody = { items: found.unreached, claims: found.claims };
    await addTo(nobody, item, 'nobody', options);
  }
  return { people: [...people.values()], ...found };
}

/** One who is named twice, by address and by id, is one. */
async function findAll(owners: readonly string[], { findOwner }: AddressOptions): Promise<string[]> {
  const found = await Promise.all(owners.slice(0, MAX_OWNERS).map(findOwner));
  return [...new Set(found.filter((user) => user !== undefined))];
}

/** False if they have read it before. */
async function addTo(
  { items, claims }: Pick<Addressed, 'items' | 'claims'>,
  item: OwnerItem,
  recipient: string,
  options: AddressOptions,
): Promise<boolean> {
  const claimed = await claim(item, recipient, options);
  if (claimed === undefined) return false;
  items.push(item);
  claims.push(...claimed);
  return true;
}

/** Undefined if it was said before. */
async function claim(
  item: OwnerItem,
  recipient: string,
  { once, at, holder }: AddressOptions,
): Promise<string[] | undefined> {
  if (item.kind === 'finding') return [];
  const [own = '', ...lower] = toNoticeKeys(recipient, item, at);
  const claimOnce = async (key: string) => (await once.claim(key, holder, startOfMonth(at, 1))) === holder;
  if (!(await claimOnce(own))) return undefined;
  const claims = [own];
  for (const key of lower) if (await claimOnce(key)) claims.push(key);
  return claims;
}
