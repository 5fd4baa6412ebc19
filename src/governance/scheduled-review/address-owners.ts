// Finds out who is told what: the owners that Slack knows. Nobody is told anything twice.

import { startOfMonth } from '../allocations/consumption.ts';
import type { ReviewStore } from '../review/review-store.ts';
import { toNoticeKeys } from './consumption-levels.ts';
import { listOwners, type OwnerItem } from './owner-items.ts';
import type { Unreachable, UntoldReason } from './untold.ts';

/** Somebody of the workspace. `timeZone`: IANA, where Slack tells it. */
export type Reached = { user: string; timeZone: string | undefined };

export type OwnerFinder = {
  /** `owner`: a Slack user id, an e-mail address or an id in the directory. Or why they cannot be written to. */
  find(owner: string): Promise<Reached | Unreachable>;
  /** Slack refused to look up addresses: the app was installed before it asked for that scope. */
  lacksAddresses(): boolean;
};

/** What one person is told. `claims`: the notice keys that are claimed in the store for it. */
export type Addressed = Reached & { items: OwnerItem[]; claims: string[] };

export type Addressees = {
  people: Addressed[];
  /** What no owner can be told of. */
  unreached: { item: OwnerItem; reason: UntoldReason }[];
  /** The claims of those. */
  claims: string[];
  /** Owners who are not told because there are too many at once. */
  leftOut: number;
};

type AddressPorts = {
  finder: Pick<OwnerFinder, 'find'>;
  reviews: Pick<ReviewStore, 'claimNotice'>;
  /** Epoch ms: of the current month. */
  at: number;
  /** Who claims: an attempt with the same holder may claim again what a failed one had claimed. */
  holder: string;
};

/** Slack lets an app write to about one person a second, and so much news at once means a mistake in the register. */
export const MAX_PEOPLE = 200;

/** Slack allows about 50 lookups a minute: https://docs.slack.dev/reference/methods/users.lookupByEmail */
export const MAX_LOOKUPS = 500;

/** Of one environment or agent. */
const MAX_OWNERS = 10;

/** Who is told what; nobody is told twice. A consumption level is told once per person, subject and month. */
export async function addressOwners(items: readonly OwnerItem[], ports: AddressPorts): Promise<Addressees> {
  const people = new Map<string, Addressed>();
  const unreached: Addressees['unreached'] = [];
  const nobodys: string[] = [];
  const claim = createClaims(ports);
  const { reachAll, leaveOut, countLeftOut } = createReach(ports.finder, () => people.size >= MAX_PEOPLE);

  async function tell(item: OwnerItem, reached: Reached): Promise<void> {
    const person = people.get(reached.user) ?? { ...reached, items: [], claims: [] };
    if (!people.has(reached.user) && people.size >= MAX_PEOPLE) return leaveOut(reached.user);
    const claims = await claim(item, reached.user);
    if (claims === undefined) return;
    people.set(reached.user, person);
    person.items.push(item);
    person.claims.push(...claims);
  }

  for (const item of items) {
    const own = await reachAll(listOwners(item.finding));
    // Consumption is told to the agent's own owners only.
    const others = item.kind === 'finding' && isNobody(own) ? item.environmentOwners : [];
    const reached = others.length > 0 ? await reachAll(others) : own;
    for (const one of reached.people) await tell(item, one);
    const claims = isNobody(reached) ? await claim(item, 'nobody') : undefined;
    if (claims === undefined) continue;
    unreached.push({ item, reason: own.why ?? reached.why ?? 'no_owner' });
    nobodys.push(...claims);
  }
  return { people: [...people.values()], unreached, claims: nobodys, leftOut: countLeftOut() };
}

/** `why`: of the first who cannot be written to. `isCut`: some of them were not even looked for. */
type ReachedAll = { people: Reached[]; why: Unreachable | undefined; isCut: boolean };

function isNobody({ people, isCut }: Pick<ReachedAll, 'people' | 'isCut'>): boolean {
  return people.length === 0 && !isCut;
}

/** Once nobody else can be told, nobody else is looked for: thousands of lookups would take hours. */
function createReach(finder: AddressPorts['finder'], isFull: () => boolean) {
  const lookedFor = new Set<string>();
  const leftOut = new Set<string>();

  function mayLookFor(owner: string): boolean {
    if (lookedFor.has(owner)) return true;
    if (isFull() || lookedFor.size >= MAX_LOOKUPS) return false;
    lookedFor.add(owner);
    return true;
  }

  return {
    /** One who is named twice, by address and by id, is one. */
    async reachAll(owners: readonly string[]): Promise<ReachedAll> {
      const byUser = new Map<string, Reached>();
      let why: Unreachable | undefined;
      let isCut = false;
      for (const owner of owners.slice(0, MAX_OWNERS)) {
        if (mayLookFor(owner.toLowerCase())) {
          const reached = await finder.find(owner);
          if (typeof reached === 'string') why ??= reached;
          else byUser.set(reached.user, reached);
        } else {
          isCut = true;
          leftOut.add(owner.toLowerCase());
        }
      }
      return { people: [...byUser.values()], why, isCut };
    },
    leaveOut: (user: string) => void leftOut.add(user.toLowerCase()),
    countLeftOut: () => leftOut.size,
  };
}

/** Claims the notices of an item for a recipient. Undefined if they were told before. */
function createClaims({ reviews, at, holder }: AddressPorts) {
  const claimed = new Set<string>();
  const expiresAt = startOfMonth(at, 1);

  async function claimOnce(key: string): Promise<boolean> {
    if (claimed.has(key) || !(await reviews.claimNotice(key, expiresAt, holder))) return false;
    claimed.add(key);
    return true;
  }

  return async function claim(item: OwnerItem, recipient: string): Promise<string[] | undefined> {
    if (item.kind === 'finding') return [];
    const [own = '', ...lower] = toNoticeKeys(recipient, item, at);
    if (!(await claimOnce(own))) return undefined;
    const claims = [own];
    for (const key of lower) if (await claimOnce(key)) claims.push(key);
    return claims;
  };
}
