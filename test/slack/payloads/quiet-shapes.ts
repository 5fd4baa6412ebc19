// Messages that ask nothing: of apps, of Slack itself, and about the channel.
import type { Shape } from './shape.ts';
import { ANA, BOT, CHANNEL, MENTION, nextTs, toDirect, toEvent, toMessage } from './shapes.ts';

const QUIET: Shape[] = [
  {
    shape: 'our own message',
    body: toEvent(
      toDirect('An answer', {
        user: BOT,
        bot_id: 'B0BRIDGE',
        app_id: 'A0BRIDGE',
        bot_profile: { id: 'B0BRIDGE', app_id: 'A0BRIDGE', name: 'Assistant', team_id: 'T0ACME', deleted: false },
      }),
    ),
  },
  {
    shape: 'a message of another app that mentions us',
    body: toEvent(toMessage(`${MENTION} hi`, { bot_id: 'B0OTHER', app_id: 'A0OTHER' })),
  },
  {
    shape: 'a bot_message of a webhook',
    body: toEvent({
      type: 'message',
      subtype: 'bot_message',
      text: `${MENTION} hi`,
      username: 'hook',
      bot_id: 'B0HOOK',
      ts: nextTs(),
      event_ts: nextTs(),
      channel: CHANNEL,
      channel_type: 'channel',
    }),
  },
  {
    shape: 'a message of a workflow',
    body: toEvent(
      toMessage(`${MENTION} hi`, { bot_id: 'B0FLOW', subtype: 'bot_message', user: undefined, workflow_id: 'Wf0' }),
    ),
  },
  { shape: 'a reminder', body: toEvent(toDirect('Reminder: ask again.', { user: 'USLACKBOT' })) },
  {
    shape: 'a reminder in a channel',
    body: toEvent(toMessage('Reminder: ask again.', { user: 'USLACKBOT', subtype: 'reminder_add' })),
  },
  { shape: 'a welcome of Slack’s', body: toEvent(toDirect('Welcome', { user: 'USLACK' })) },
  { shape: 'a /me', body: toEvent(toMessage(`asks ${MENTION}`, { subtype: 'me_message' })) },
  {
    shape: 'a huddle',
    body: toEvent(
      toMessage('', {
        subtype: 'huddle_thread',
        user: 'USLACKBOT',
        room: { id: 'R0', created_by: ANA, participants: [ANA], channels: [CHANNEL] },
        no_notifications: true,
      }),
    ),
  },
  {
    shape: 'a message that only the person sees',
    body: toEvent(toMessage('hi', { is_ephemeral: true, hidden: true, user: 'USLACKBOT' })),
  },
  {
    shape: 'a conversation where we were made a member',
    body: toEvent(toMessage(`<@${BOT}> has joined the channel`, { subtype: 'channel_join', user: BOT, inviter: ANA })),
  },
  {
    shape: 'a message that keys of the organisation hide',
    body: toEvent({
      type: 'message',
      subtype: 'ekm_access_denied',
      text: '',
      user: 'UREVOKEDU',
      ts: nextTs(),
      event_ts: nextTs(),
      channel: CHANNEL,
      channel_type: 'channel',
    }),
  },
  ...[
    'channel_join',
    'channel_topic',
    'channel_posting_permissions',
    'pinned_item',
    'bot_add',
    'assistant_app_thread',
    'document_mention',
    'joiner_notification',
  ].map(
    (subtype): Shape => ({
      shape: `a message of subtype ${subtype}`,
      body: toEvent(toMessage(`${MENTION} ${subtype}`, { subtype })),
    }),
  ),
];

export const QUIET_SHAPES: readonly Shape[] = QUIET;
