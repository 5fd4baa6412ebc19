import type { Json } from '@assistant-bridge/sandbox/slack/records.ts';

const ACTIONS = [
  ...['ask_again', 'ask_without_web', 'ask_edited', 'answer_details', 'sign_in', 'feedback', 'share_in_thread'],
  'cancel_waiting',
];

/** What Slack sends, in the smallest form that the app takes for real: to be spoilt. */
export function wholePayloads({ channel, dm, user, bot }: Record<'channel' | 'dm' | 'user' | 'bot', string>): Json[] {
  const ts = '1700000000.000100';
  const message = { type: 'message', user, ts, event_ts: ts, text: 'what is new?', blocks: toBlocks('what is new?') };
  const inChannel = { ...message, channel, channel_type: 'channel' };
  return [
    toEvent({ ...message, channel: dm, channel_type: 'im' }),
    toEvent({ ...inChannel, thread_ts: '1700000000.000000' }),
    toEvent({ ...inChannel, type: 'app_mention', text: `<@${bot}> what is new?` }),
    toEvent({ ...inChannel, subtype: 'message_changed', hidden: true, message, previous_message: message }),
    toEvent({
      ...{ ...inChannel, subtype: 'message_changed', hidden: true, previous_message: message },
      message: { ...message, blocks: toBlocks('what else?'), edited: { user, ts: '1700000001.000000' } },
    }),
    toEvent({ ...inChannel, subtype: 'message_deleted', hidden: true, previous_message: message, deleted_ts: ts }),
    toEvent({ ...inChannel, subtype: 'file_share', files: [{ id: 'F1', url_private: 'https://files.example.com/a' }] }),
    toEvent({ type: 'app_home_opened', user, channel: dm, tab: 'home', event_ts: ts }),
    toEvent({ type: 'user_change', user: { id: user, team_id: 'T0001', tz: 'Europe/Berlin' }, event_ts: ts }),
    toEvent({ type: 'agent_session_stopped', user, channel, thread_ts: ts, streaming_message_ts: [ts], event_ts: ts }),
    ...ACTIONS.map((action) =>
      toInteraction({ type: 'block_actions', actions: [toAction(action)], channel: { id: channel } }, user),
    ),
    toInteraction({ type: 'view_submission', view: { id: 'V1', callback_id: 'web_off_question', state: {} } }, user),
    toInteraction({ type: 'view_submission', view: { id: 'V1', callback_id: 'feedback', state: {} } }, user),
    toInteraction({ type: 'message_action', callback_id: 'ask_without_web', channel: { id: channel }, message }, user),
    ...['/assistant', '/assistant-web-off', '/assistant-admin'].map((command) => toCommand(command, channel, user)),
  ];
}

function toBlocks(text: string): Json[] {
  const section = { type: 'rich_text_section', elements: [{ type: 'text', text }] };
  return [{ type: 'rich_text', block_id: 'typed', elements: [section] }];
}

function toEvent(event: Json): Json {
  const authorizations = [{ enterprise_id: null, team_id: 'T0001', user_id: 'U0BRIDGE', is_bot: true }];
  return {
    ...{ token: 'x', team_id: 'T0001', context_team_id: 'T0001', api_app_id: 'A0BRIDGE', type: 'event_callback' },
    ...{ event_id: 'Ev1', event_time: 1_700_000_000, authorizations, event },
  };
}

function toInteraction(interaction: Json, user: string): Json {
  const team = { id: 'T0001', domain: 'acme' };
  return { ...interaction, token: 'x', api_app_id: 'A0BRIDGE', team, user: { id: user }, trigger_id: '1.2.3' };
}

function toAction(action: string): Json {
  return { action_id: action, block_id: 'b', type: 'button', value: 'message:T0001:C0GENERAL:1700000000.000100' };
}

function toCommand(command: string, channel: string, user: string): Json {
  const place = { team_id: 'T0001', team_domain: 'acme', channel_id: channel, user_id: user, user_name: 'ana' };
  return { ...place, command, text: 'status', api_app_id: 'A0BRIDGE', trigger_id: '1.2.3', response_url: '' };
}
