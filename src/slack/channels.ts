import { LRUCache } from 'lru-cache';
import type { NoticeCode } from '../conversation/outcome.ts';
import type { Question } from '../conversation/question.ts';
import { TransientError } from '../errors.ts';
import { OutcomeUnknownError } from '../http/http-errors.ts';
import type { FindInstallation } from './installation.ts';
import type { People } from './people.ts';
import type { CallSlack, Importance } from './web/methods.ts';
import { isSlackError, SlackUnavailableError } from './web/slack-errors.ts';

export type Channels = {
  /**
   * Who reads it, and whether we are in it. Throws a TransientError where Slack cannot be asked. `importance`: `answer`
   * where it is not said.
   */
  look(workspace: string, channel: string, importance?: Importance): Promise<ChannelLook>;
  /** The channel of the direct messages between the app and a person. */
  directMessage(workspace: string, user: string, importance?: Importance): Promise<string>;
  /** Forgets all of it: with another installation the app may be another person, with direct messages of its own. */
  forget(): void;
};

/** `isShared`: people of other organisations read it. */
type ChannelLook = { isShared: boolean; isMember: boolean };

/** A channel can be shared at any time. */
const LOOK_TTL_MS = 10 * 60_000;

const MAX_CHANNELS = 20_000;

type Asked = { workspace: string; id: string; importance: Importance | undefined };

export function createChannels(call: CallSlack, findInstallation: FindInstallation): Channels {
  const looks = new LRUCache<string, ChannelLook, Asked>({
    max: MAX_CHANNELS,
    ttl: LOOK_TTL_MS,
    ignoreFetchAbort: true,
    fetchMethod: (_key, _known, { context }) => readLook(context),
  });
  const directMessages = new LRUCache<string, string, Asked>({
    max: MAX_CHANNELS,
    ignoreFetchAbort: true,
    fetchMethod: (_key, _known, { context }) => openDirectMessage(context),
  });

  async function readLook({ workspace, id: channel, importance }: Asked): Promise<ChannelLook> {
    const { botToken } = await findInstallation(workspace);
    try {
      const answer = await call('conversations.info', botToken, { channel }, importance);
      const { is_ext_shared, is_pending_ext_shared, is_shared, is_org_shared, is_member } = answer.channel ?? {};
      const isShared = Boolean(is_ext_shared || is_pending_ext_shared || (is_shared && !is_org_shared));
      return { isShared, isMember: is_member !== false };
    } catch (error) {
      // A private channel that we are not in cannot even be looked at.
      if (isSlackError(error, 'channel_not_found', 'not_in_channel')) return { isShared: false, isMember: false };
      if (error instanceof TransientError) throw error;
      throw new SlackUnavailableError('conversations.info', { cause: error });
    }
  }

  async function openDirectMessage({ workspace, id: user, importance }: Asked): Promise<string> {
    const { botToken } = await findInstallation(workspace);
    const answer = await call('conversations.open', botToken, { users: user }, importance).catch((error: unknown) => {
      throw error instanceof OutcomeUnknownError
        ? new SlackUnavailableError('conversations.open', { cause: error })
        : error;
    });
    const id = answer.channel?.id;
    if (!id) throw new SlackUnavailableError('conversations.open');
    return id;
  }

  return {
    async look(workspace, channel, importance) {
      const key = `${workspace}:${channel}`;
      const known = looks.get(key);
      if (known) return known;
      const look = await looks.forceFetch(key, { context: { workspace, id: channel, importance } });
      // Not kept while we are not in it: whoever reads that invites us and asks again at once.
      if (!look.isMember) looks.delete(key);
      return look;
    },
    async directMessage(workspace, user, importance) {
      const key = `${workspace}:${user}`;
      const context = { workspace, id: user, importance };
      return directMessages.get(key) ?? directMessages.forceFetch(key, { context });
    },
    forget() {
      looks.clear();
      directMessages.clear();
    },
  };
}

/**
 * Whether this person may ask here; else the notice that says why not. Guests and people of other organisations get
 * nothing, nothing is answered where people of other organisations read along, and nothing is asked whose answer could
 * not be posted. Throws a TransientError where Slack cannot be asked: who cannot be known is not let in.
 */
export function createAdmission(
  people: People,
  channels: Channels,
): (question: Question) => Promise<NoticeCode | undefined> {
  return async ({ workspace, asker, audience, channel, origin, isSharedChannel }) => {
    const { isMember } = await people.profile(workspace, asker.user);
    if (!isMember) return 'guest';
    if (audience === 'person') {
      // Slack delivers us messages of our own direct messages only; a command works in those between people, too.
      const isOurs = origin === 'message' || (await channels.directMessage(workspace, asker.user)) === channel;
      return isOurs ? undefined : 'cannot_post';
    }
    if (isSharedChannel) return 'shared_channel';
    const look = await channels.look(workspace, channel);
    if (look.isShared) return 'shared_channel';
    return look.isMember ? undefined : 'cannot_post';
  };
}
