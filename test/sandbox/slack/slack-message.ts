/** Slack's forms of messages, users and channels, as methods answer and events carry them. */
import { DateTime } from 'luxon';
import { expandBlocks } from './blocks/expand-markdown.ts';
import { withIds } from './make-view.ts';
import { isStreaming } from './messages.ts';
import type { Channel, Json, Message, User } from './records.ts';
import type { Team, Workspace } from './workspace.ts';

export function toSlackMessage(message: Message, options: { withMetadata?: boolean } = {}): Json {
  return {
    type: 'message',
    ...(message.subtype !== undefined && { subtype: message.subtype }),
    user: message.user,
    ...(message.botId !== undefined && { bot_id: message.botId, app_id: message.appId }),
    ...(message.clientMsgId !== undefined && { client_msg_id: message.clientMsgId }),
    text: message.text,
    ts: message.ts,
    ...(message.threadTs !== undefined && { thread_ts: message.threadTs }),
    team: message.teamId,
    ...(message.blocks.length > 0 && { blocks: withIds(expandBlocks(message.blocks)) }),
    ...(message.files && { files: message.files, upload: false }),
    ...(message.edited && { edited: message.edited }),
    ...(message.stream && { streaming_state: isStreaming(message) ? 'in_progress' : 'completed' }),
    ...(options.withMetadata && message.metadata && { metadata: message.metadata }),
  };
}

/** https://docs.slack.dev/reference/objects/user-object. Of a deactivated person Slack says less. */
export function toSlackUser(user: User, team: Team): Json {
  const zone = user.tz === undefined ? undefined : DateTime.now().setZone(user.tz);
  const both = {
    id: user.id,
    team_id: user.teamId,
    name: user.name,
    deleted: user.deleted,
    profile: toProfile(user),
    is_bot: user.isBot,
    is_app_user: false,
    updated: Math.floor(Date.now() / 1000),
  };
  if (user.deleted) return both;
  return {
    ...both,
    real_name: user.realName,
    ...(zone && { tz: user.tz, tz_label: zone.offsetNameLong, tz_offset: zone.offset * 60 }),
    is_admin: user.isAdmin,
    is_owner: user.isOwner,
    is_primary_owner: false,
    is_restricted: user.isRestricted,
    is_ultra_restricted: user.isUltraRestricted,
    ...(user.isStranger && { is_stranger: true }),
    ...(team.enterprise && user.teamId === team.id && { enterprise_user: toEnterpriseUser(user, team) }),
  };
}

function toProfile(user: User): Json {
  return {
    real_name: user.realName,
    display_name: user.name,
    ...(user.email !== undefined && { email: user.email }),
    ...(user.botId !== undefined && { bot_id: user.botId, api_app_id: user.appId }),
    team: user.teamId,
  };
}

function toEnterpriseUser(user: User, { id, enterprise }: Team): Json {
  return {
    id: user.id,
    enterprise_id: enterprise?.id,
    enterprise_name: enterprise?.name,
    is_admin: false,
    is_owner: user.isOrgOwner,
    teams: [id],
  };
}

/** https://docs.slack.dev/reference/objects/conversation-object */
export function toSlackChannel(channel: Channel, workspace: Workspace): Json {
  const bot = workspace.app.botUserId;
  if (channel.kind === 'im') {
    const other = [...channel.members].find((id) => id !== bot) ?? '';
    return {
      id: channel.id,
      is_im: true,
      user: other,
      is_org_shared: channel.isOrgShared,
      context_team_id: workspace.team.id,
    };
  }
  return {
    id: channel.id,
    name: channel.name,
    is_channel: channel.kind === 'public',
    is_group: channel.kind === 'private',
    is_im: false,
    is_mpim: channel.kind === 'mpim',
    is_private: channel.kind !== 'public',
    is_archived: channel.isArchived,
    is_general: false,
    is_shared: channel.isExtShared || channel.isOrgShared,
    is_ext_shared: channel.isExtShared,
    is_org_shared: channel.isOrgShared,
    is_pending_ext_shared: channel.isPendingExtShared,
    is_member: channel.members.has(bot),
    num_members: channel.members.size,
    context_team_id: workspace.team.id,
  };
}
