import { TransientError } from '../../errors.ts';
import type { Installation } from '../../slack/installation.ts';
import { isSlackError, SlackRefusedError } from '../../slack/web/slack-errors.ts';
import type { ReviewStore } from '../review/review-diff.ts';
import { listOwners, type OwnerItem, startOfMonth, toNoticeKeys } from './consumption-levels.ts';
import { type Attempt, patiently, type ScheduledReviewPorts } from './review-attempt.ts';

/** What one person is told. `claims`: what is claimed for it in the store. */
export type Addressed = Reached & { items: OwnerItem[]; claims: string[] };

export type Addressees = {
  people: Addressed[];
  /** What nobody could be told of. */
  unreached: OwnerItem[];
  /** What is claimed for those. */
  claims: string[];
  /** Owners who are not told, because they are too many at once. */
  leftOut: number;
};

type AddressPorts = {
  finder: Pick<OwnerFinder, 'find'>;
  reviews: Pick<ReviewStore, 'claimNotice'>;
  /** Epoch ms: of the month in which it is told. */
  at: number;
  /** Whose claims they are: with the same, what an attempt has claimed that came to nothing is claimed again. */
  holder: string;
};

/** Slack lets an app write to about one person a second, and so many news at once are a fault of the register. */
export const MAX_PEOPLE = 200;

/** Slack lets an app look for about 50 a minute: https://docs.slack.dev/reference/methods/users.lookupByEmail */
export const MAX_LOOKUPS = 500;

/** Of one environment or agent. */
const MAX_OWNERS = 10;

/** Who hears of what, everybody once. That much has been used is news once for each person, level and month. */
export async function addressOwners(items: readonly OwnerItem[], ports: AddressPorts): Promise<Addressees> {
  const people = new Map<string, Addressed>();
  const unreached: OwnerItem[] = [];
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
    // Not of consumption: that is nobody's but theirs whose agent it is.
    const others = item.kind === 'finding' && isNobody(own) ? item.environmentOwners : [];
    const reached = isNobody(own) ? await reachAll(others) : own;
    for (const one of reached.people) await tell(item, one);
    const claims = isNobody(reached) ? await claim(item, 'nobody') : undefined;
    if (claims === undefined) continue;
    unreached.push(item);
    nobodys.push(...claims);
  }
  return { people: [...people.values()], unreached, claims: nobodys, leftOut: countLeftOut() };
}

/** `isCut`: some of them were not even looked for. */
type ReachedAll = { people: Reached[]; isCut: boolean };

function isNobody({ people, isCut }: ReachedAll): boolean {
  return people.length === 0 && !isCut;
}

/** Once nobody more can be told, nobody more is looked for: of thousands that would take hours. */
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
      let isCut = false;
      for (const owner of owners.slice(0, MAX_OWNERS)) {
        if (mayLookFor(owner.toLowerCase())) {
          const reached = await finder.find(owner);
          if (reached !== undefined) byUser.set(reached.user, reached);
        } else {
          isCut = true;
          leftOut.add(owner.toLowerCase());
        }
      }
      return { people: [...byUser.values()], isCut };
    },
    leaveOut: (user: string) => void leftOut.add(user.toLowerCase()),
    countLeftOut: () => leftOut.size,
  };
}

/** Undefined: they have heard of it. */
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

/** Somebody of the workspace. `timeZone`: IANA, where Slack tells it. */
type Reached = { user: string; timeZone: string | undefined };

export type OwnerFinder = {
  /** `owner`: a Slack user id, an e-mail address or an id in the directory. Undefined: nobody we would write to. */
  find(owner: string): Promise<Reached | undefined>;
  /** Slack does not let us look for addresses: the app was installed before it asked for that. */
  lacksAddresses(): boolean;
};

type FinderPorts = Pick<ScheduledReviewPorts, 'call' | 'people' | 'directory' | 'log'>;

/** Only members of the workspace are found: guests and people of other companies hear nothing of what is inside. */
export function createOwnerFinder(installation: Installation, attempt: Attempt, ports: FinderPorts): OwnerFinder {
  const { workspace, team, botToken } = installation;
  const { call, people, directory, log } = ports;
  const known = new Map<string, Promise<Reached | undefined>>();
  let isScopeMissing = false;

  async function findByAddress(email: string): Promise<string | undefined> {
    // It would be missing for all the others as well.
    if (isScopeMissing) return undefined;
    try {
      const { user } = await patiently(() => call('users.lookupByEmail', botToken, { email }, 'notice'), attempt);
      return user?.id;
    } catch (error) {
      isScopeMissing ||= isSlackError(error, 'missing_scope');
      throw error;
    }
  }

  async function findUser(owner: string): Promise<string | undefined> {
    if (/^[UW][A-Z0-9]{2,}$/.test(owner)) return owner;
    if (owner.includes('@')) return findByAddress(owner);
    return (await directory.find(team, owner))?.user;
  }

  async function reach(owner: string): Promise<Reached | undefined> {
    try {
      const user = await findUser(owner);
      if (user === undefined) return undefined;
      const look = () => people.profile(workspace, user, { importance: 'notice' });
      const { isMember, timeZone } = await patiently(look, attempt);
      return isMember ? { user, timeZone } : undefined;
    } catch (error) {
      attempt.signal.throwIfAborted();
      // Whoever cannot be found is told of in the channel, whatever the reason.
      if (!(error instanceof SlackRefusedError || error instanceof TransientError)) throw error;
      if (!isSlackError(error, 'users_not_found', 'missing_scope')) log.warn({ err: error }, 'an owner is not reached');
      return undefined;
    }
  }

  return {
    find(owner) {
      const key = owner.toLowerCase();
      const reaching = known.get(key) ?? reach(owner);
      known.set(key, reaching);
      return reaching;
    },
    lacksAddresses: () => isScopeMissing,
  };
}
