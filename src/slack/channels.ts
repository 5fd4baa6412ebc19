import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { NoticeCode } from '../conversation/outcome.ts';
import type { Question } from '../conversation/question.ts';
import type { People } from './people.ts';
import type { CallSlack, Importance } from './web/methods.ts';
import { asRepeatable, isSlackError, SlackUnavailableError, toUnavailable } from './web/slack-errors.ts';

/**
 * `isShared`: people of other organisations read it. `isPublic`: every member of the workspace may read it; then it has a
 * `name`. `teams`: the teams whose people read it, as far as Slack tells.
 */
type ChannelLook = { isShared: boolean; isMember: boolean; isPublic?: boolean; name?: string; teams?: string[] };

/** A channel can be shared at any time. The event channel_shared usually tells us sooner. */
const LOOK_TTL_MS = 10 * 60_000;

/** `maxSize` instead of `max`: see people.ts. */
const CHANNELS = { maxSize: 20_000, sizeCalculation: () => 1 };

type ChannelRequest = { workspace: string; id: string; importance: Importance | undefined };

export type Channels = ReturnType<typeof createChannels>;

export function createChannels(call: CallSlack) {
  const looks = new LRUCache<string, ChannelLook, ChannelRequest>({
    ...CHANNELS,
    ttl: LOOK_TTL_MS,
    ignoreFetchAbort: true,
    fetchMethod: (_key, _known, { context }) => readLook(context),
  });
  const directMessages = new LRUCache<string, string, ChannelRequest>({
    ...CHANNELS,
    ignoreFetchAbort: true,
    fetchMethod: (_key, _known, { context }) => openDirectMessage(context),
  });

  async function readLook({ workspace, id: channel, importance }: ChannelRequest): Promise<ChannelLook> {
    try {
      const { channel: found = {} } = await call('conversations.info', workspace, { channel }, importance);
      const { is_ext_shared, is_pending_ext_shared, is_shared, is_org_shared, is_member, is_private, name } = found;
      const isShared = Boolean(is_ext_shared || is_pending_ext_shared || (is_shared && !is_org_shared));
      return {
        isShared,
        isMember: is_member !== false,
        isPublic: is_private === false,
        ...(is_private === false && name && { name }),
        teams: toTeams(found),
      };
    } catch (error) {
      // Slack does not show us private channels that we are not in.
      if (isSlackError(error, 'channel_not_found', 'not_in_channel')) return { isShared: false, isMember: false };
      throw toUnavailable('conversations.info', error);
    }
  }

  async function openDirectMessage({ workspace, id: user, importance }: ChannelRequest): Promise<string> {
    const method = 'conversations.open';
    const answer = await call(method, workspace, { users: user }, importance).catch(asRepeatable(method));
    const id = answer.channel?.id;
    if (!id) throw new SlackUnavailableError(method);
    return id;
  }

  return {
    /** Who reads the channel, and whether we are in it. Throws a TransientError if Slack cannot be asked. */
    async look(workspace: string, channel: string, importance?: Importance): Promise<ChannelLook> {
      const key = `${workspace}:${channel}`;
      const known = looks.get(key);
      if (known) return known;
      const look = await looks.forceFetch(key, { context: { workspace, id: channel, importance } });
      // Not cached while we are not a member: people invite us and ask again at once.
      if (!look.isMember) looks.delete(key);
      return look;
    },
    /** The channel of the direct messages between the app and a person. */
    async directMessage(workspace: string, user: string, importance?: Importance): Promise<string> {
      const key = `${workspace}:${user}`;
      const context = { workspace, id: user, importance };
      return directMessages.get(key) ?? directMessages.forceFetch(key, { context });
    },
    /** Forgets who reads a channel, and ignores a read under way, which may be outdated. */
    forgetLook: (workspace: string, channel: string) => void looks.delete(`${workspace}:${channel}`),
    /** Forgets everything: after a new installation the app may have another bot user, with other direct messages. */
    forget(): void {
      looks.clear();
      directMessages.clear();
    },
  };
}

function toTeams(channel: unknown): string[] {
  const { context_team_id, shared_team_ids } = teamsSchema.catch({}).parse(channel ?? {});
  return [...new Set([context_team_id ?? [], shared_team_ids ?? []].flat())];
}

const teamsSchema = z.object({
  context_team_id: z.string().optional(),
  shared_team_ids: z.array(z.string()).optional(),
});

/** A question of these origins that only one person reads was asked in a conversation with the app. */
const OF_US = new Set<Question['origin']>(['message', 'slackbot']);

/**
 * Decides whether this person may ask here; returns the notice that says why not. Refused are guests, people of other
 * organisations, channels that other organisations read, and places where we could not post the answer. Throws a
 * TransientError if Slack cannot be asked: nobody is let in unchecked.
 */
export function createAdmission(
  people: People,
  channels: Channels,
): (question: Question) => Promise<NoticeCode | undefined> {
  return async ({ workspace, asker, audience, channel, origin, isSharedChannel }) => {
    const { isMember } = await people.profile(workspace, asker.user);
    if (!isMember) return 'guest';
    if (audience === 'person') {
      // Slack sends us messages only of our own direct messages; a command works in those between people too.
      const isOurs = OF_US.has(origin) || (await channels.directMessage(workspace, asker.user)) === channel;
      return isOurs ? undefined : 'cannot_post';
    }
    if (isSharedChannel) return 'shared_channel';
    const look = await channels.look(workspace, channel);
    if (look.isShared) return 'shared_channel';
    return look.isMember ? undefined : 'cannot_post';
  };
}
