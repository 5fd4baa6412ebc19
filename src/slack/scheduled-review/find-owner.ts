import { TransientError } from '../../errors.ts';
import type { ScheduledReviewPorts } from '../../governance/scheduled-review/review-attempt.ts';
import type { Installation } from '../installation.ts';
import { isSlackError, SlackRefusedError } from '../web/slack-errors.ts';
import type { Attempt } from './attempt.ts';
import { patiently } from './patiently.ts';

/** Somebody of the workspace. `timeZone`: IANA, where Slack tells it. */
export type Reached = { user: string; timeZone: string | undefined };

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
