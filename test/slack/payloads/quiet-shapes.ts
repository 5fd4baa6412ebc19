// Messages that ask nothing: of apps, of Slack itself, and about the channel.
import type { Json } from '@assistant-bridge/sandbox/slack/records.ts';
import type { Shapes } from './shape.ts';
import { ANA, BOT, CHANNEL, MENTION, toDirect, toMessage, toNotice } from './shapes.ts';

/** Of messages that Slack or another app writes. */
const SUBTYPES = [
  ...['channel_join', 'channel_topic', 'channel_posting_permissions', 'pinned_item', 'bot_add'],
  ...['assistant_app_thread', 'document_mention', 'joiner_notification'],
];

const EVENTS: Record<string, Json> = {
  'our own message': toDirect('An answer', {
    user: BOT,
    bot_id: 'B0BRIDGE',
    app_id: 'A0BRIDGE',
    bot_profile: { id: 'B0BRIDGE', app_id: 'A0BRIDGE', name: 'Assistant', team_id: 'T0ACME', deleted: false },
  }),
  'a message of another app that mentions us': toMessage(`${MENTION} hi`, { bot_id: 'B0OTHER', app_id: 'A0OTHER' }),
  'a bot_message of a webhook': toNotice('bot_message', { text: `${MENTION} hi`, username: 'hook', bot_id: 'B0HOOK' }),
  'a message of a workflow': toMessage(`${MENTION} hi`, {
    bot_id: 'B0FLOW',
    subtype: 'bot_message',
    user: undefined,
    workflow_id: 'Wf0',
  }),
  'a reminder': toDirect('Reminder: ask again.', { user: 'USLACKBOT' }),
  'a reminder in a channel': toMessage('Reminder: ask again.', { user: 'USLACKBOT', subtype: 'reminder_add' }),
  'a welcome of Slack’s': toDirect('Welcome', { user: 'USLACK' }),
  'a /me': toMessage(`asks ${MENTION}`, { subtype: 'me_message' }),
  'a huddle': toMessage('', {
    subtype: 'huddle_thread',
    user: 'USLACKBOT',
    room: { id: 'R0', created_by: ANA, participants: [ANA], channels: [CHANNEL] },
    no_notifications: true,
  }),
  'a message that only the person sees': toMessage('hi', { is_ephemeral: true, hidden: true, user: 'USLACKBOT' }),
  'a conversation where we were made a member': toMessage(`<@${BOT}> has joined the channel`, {
    subtype: 'channel_join',
    user: BOT,
    inviter: ANA,
  }),
  'a message that keys of the organisation hide': toNotice('ekm_access_denied', { text: '', user: 'UREVOKEDU' }),
  ...Object.fromEntries(
    SUBTYPES.map((subtype) => [`a message of subtype ${subtype}`, toMessage(`${MENTION} ${subtype}`, { subtype })]),
  ),
};

export const QUIET_SHAPES: Shapes = Object.fromEntries(
  Object.entries(EVENTS).map(([name, event]) => [name, { event }]),
);
