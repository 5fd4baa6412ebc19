import { LRUCache } from 'lru-cache';
import { TransientError } from '../errors.ts';
import { OutcomeUnknownError } from '../http/http-errors.ts';
import type { FindInstallation } from './installation.ts';
import type { SlackCaller } from './slack-caller.ts';
import { isSlackError, SlackUnavailableError } from './slack-errors.ts';

export type Channels = {
  /** Whether people of other organisations read it. Throws a TransientError where Slack cannot be asked. */
  isShared(workspace: string, channel: string): Promise<boolean>;
  /** The channel of the direct messages between the app and a person. */
  directMessage(workspace: string, user: string): Promise<string>;
};

/** A channel can be shared at any time. */
const SHARED_TTL_MS = 10 * 60_000;

const MAX_CHANNELS = 20_000;

export function createChannels(call: SlackCaller, findInstallation: FindInstallation): Channels {
  const shared = new LRUCache<string, boolean>({ max: MAX_CHANNELS, ttl: SHARED_TTL_MS });
  const directMessages = new LRUCache<string, string>({ max: MAX_CHANNELS });

  return {
    async isShared(workspace, channel) {
      const key = `${workspace}:${channel}`;
      const known = shared.get(key);
      if (known !== undefined) return known;
      const { botToken } = await findInstallation(workspace);
      try {
        const answer = await call('conversations.info', botToken, { channel });
        const { is_ext_shared, is_pending_ext_shared, is_shared, is_org_shared } = answer.channel ?? {};
        const isShared = Boolean(is_ext_shared || is_pending_ext_shared || (is_shared && !is_org_shared));
        shared.set(key, isShared);
        return isShared;
      } catch (error) {
        // A private channel that we are not in cannot be read, nor written: posting will say so.
        if (isSlackError(error, 'channel_not_found', 'not_in_channel')) return false;
        if (error instanceof TransientError) throw error;
        throw new SlackUnavailableError('conversations.info', { cause: error });
      }
    },
    async directMessage(workspace, user) {
      const key = `${workspace}:${user}`;
      const known = directMessages.get(key);
      if (known) return known;
      const { botToken } = await findInstallation(workspace);
      const answer = await call('conversations.open', botToken, { users: user }).catch((error: unknown) => {
        throw error instanceof OutcomeUnknownError
          ? new SlackUnavailableError('conversations.open', { cause: error })
          : error;
      });
      const id = answer.channel?.id;
      if (!id) throw new SlackUnavailableError('conversations.open');
      directMessages.set(key, id);
      return id;
    },
  };
}
