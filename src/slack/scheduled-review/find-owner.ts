import { TransientError } from '../../errors.ts';
import type { Installation } from '../installation.ts';
import { isSlackError, SlackRefusedError } from '../slack-errors.ts';
import { patiently } from './patiently.ts';
import type { Attempt, ScheduledReviewPorts } from './review-ports.ts';

/** Somebody who can be written to. `channel`: of the direct messages with them. */
export type Reached = { user: string; channel: string };

export type OwnerFinder = {
  /** `owner`: a Slack user id, an e-mail address or an id in the directory. Undefined: nobody we could write to. */
  find(owner: string): Promise<Reached | undefined>;
  /** Slack does not let us look for addresses: the app was installed before it asked for that. */
  lacksAddresses(): boolean;
};

type FinderPorts = Pick<
  ScheduledReviewPorts,
  'call' | 'people' | 'channels' | 'directory' | 'findInstallation' | 'log'
>;

/** Only members of the workspace are found: guests and people of other companies hear nothing of what is inside. */
export function createOwnerFinder(installation: Installation, attempt: Attempt, ports: FinderPorts): OwnerFinder {
  const { workspace, team, botToken } = installation;
  const { call, people, channels, directory, log } = ports;
  const known = new Map<string, Promise<Reached | undefined>>();
  let isScopeMissing = false;

  async function findByAddress(email: string): Promise<string | undefined> {
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
      const { isMember } = await patiently(() => people.profile(workspace, user), attempt);
      if (!isMember) return undefined;
      return { user, channel: await patiently(() => channels.directMessage(workspace, user), attempt) };
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
