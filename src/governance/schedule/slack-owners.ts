// Finds the owners that Slack knows, and what each of them is told.
import { TransientError } from '../../errors.ts';
import type { Installation } from '../../slack/installation.ts';
import { isSlackError, SlackRefusedError } from '../../slack/web/slack-errors.ts';
import type { Attempt } from './lane-job.ts';
import type { OwnerItem } from './owner-message.ts';
import { isMember, patiently, type ScheduledServices } from './slack-delivery.ts';

/**
 * Finds the Slack user of an owner, who has to be a member of the workspace. Undefined: nobody. `unsure`: Slack does not
 * say it now.
 */
type FindOwner = (owner: string) => Promise<string | undefined | 'unsure'>;

/** `owner`: a Slack user id, an e-mail address or an id in the directory. Each is looked up once. */
export function createFindOwner(
  { workspace, team }: Installation,
  attempt: Attempt,
  { call, people, directory, log }: Pick<ScheduledServices, 'call' | 'people' | 'directory' | 'log'>,
): FindOwner {
  const known = new Map<string, ReturnType<FindOwner>>();
  let isScopeMissing = false;

  async function findUser(owner: string): Promise<string | undefined> {
    if (/^[UW][A-Z0-9]{2,}$/.test(owner)) return owner;
    if (!owner.includes('@')) return (await directory.find(team, owner))?.user;
    // The scope is missing for everybody.
    if (isScopeMissing) return undefined;
    const look = () => call('users.lookupByEmail', workspace, { email: owner }, 'notice');
    return (await patiently(look, attempt)).user?.id;
  }

  async function find(owner: string): ReturnType<FindOwner> {
    try {
      const user = await findUser(owner);
      return user !== undefined && (await isMember({ workspace, user }, attempt, { people })) ? user : undefined;
    } catch (error) {
      attempt.signal.throwIfAborted();
      if (!(error instanceof SlackRefusedError || error instanceof TransientError)) throw error;
      isScopeMissing ||= isSlackError(error, 'missing_scope');
      log.warn({ err: error }, 'an owner is not found');
      // A cache may report a refusal of Slack as transient.
      return error instanceof TransientError && !(error.cause instanceof SlackRefusedError) ? 'unsure' : undefined;
    }
  }

  return (owner) => {
    const key = owner.toLowerCase();
    const finding = known.get(key) ?? find(owner);
    known.set(key, finding);
    return finding;
  };
}

/**
 * `people`: by Slack user id. `nobody`: items without a known owner. `unsure`: items whose owners Slack did not say.
 * `leftOut`: how many items were too many at once.
 */
export type Addressees = {
  people: Map<string, OwnerItem[]>;
  nobody: OwnerItem[];
  unsure: OwnerItem[];
  leftOut: number;
};

/** Slack lets an app write to about one person a second, and so much news at once means a mistake in the policy. */
export const MAX_PEOPLE = 200;

/** Slack allows about 50 lookups of people a minute. */
const MAX_ITEMS = 500;

/** The owners of one environment or agent. */
const MAX_OWNERS = 10;

export async function addressOwners(items: readonly OwnerItem[], findOwner: FindOwner): Promise<Addressees> {
  const people = new Map<string, OwnerItem[]>();
  const nobody: OwnerItem[] = [];
  const unsure: OwnerItem[] = [];
  let leftOut = Math.max(0, items.length - MAX_ITEMS);

  /** A person who is named twice, by address and by id, counts once. */
  async function findAll(owners: readonly string[]): Promise<string[]> {
    const found = await Promise.all(owners.slice(0, MAX_OWNERS).map(findOwner));
    return [...new Set(found.filter((user) => user !== undefined))];
  }

  function give(user: string, item: OwnerItem): void {
    const theirs = people.get(user);
    if (theirs) theirs.push(item);
    else if (people.size < MAX_PEOPLE) people.set(user, [item]);
    else leftOut += 1;
  }

  for (const item of items.slice(0, MAX_ITEMS)) {
    const own = await findAll(item.owners);
    const found = own.length > 0 ? own : await findAll(item.fallback);
    const users = found.filter((user) => user !== 'unsure');
    if (users.length === 0) (found.length === 0 ? nobody : unsure).push(item);
    for (const user of users) give(user, item);
  }
  return { people, nobody, unsure, leftOut };
}
