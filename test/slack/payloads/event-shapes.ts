// Every other event that is subscribed to, and what comes beside events.
import type { Json } from '@assistant-bridge/sandbox/slack/records.ts';
import type { Shape } from './shape.ts';
import {
  ANA,
  BEN,
  BOT,
  CHANNEL,
  DIRECT,
  IN_GRID,
  IN_WIDE,
  MENTION,
  nextTs,
  ROOT_TS,
  toDirect,
  toEvent,
  toMessage,
  WANDA,
} from './shapes.ts';

const waiting = toDirect('take your time');
const stopping = toDirect('take longer');
const others = toMessage(`${MENTION} take all day`);

const stop = (channel: string, threadTs: unknown, user: string, streams: string[] = []): Json =>
  toEvent({
    type: 'agent_session_stopped',
    channel,
    thread_ts: threadTs,
    user,
    streaming_message_ts: streams,
    event_ts: nextTs(),
  });

const toMessagesTab = (): Json =>
  toEvent({ type: 'app_home_opened', user: ANA, channel: DIRECT, tab: 'messages', event_ts: nextTs() });

const SESSIONS: Shape[] = [
  { shape: 'a stop by the asker', before: [toEvent(waiting)], body: stop(DIRECT, waiting.ts, ANA), comes: 'stopped' },
  {
    shape: 'a stop of a message that streams',
    before: [toEvent(stopping)],
    body: stop(DIRECT, stopping.ts, ANA, [nextTs()]),
    comes: 'stopped',
  },
  {
    shape: 'a stop by somebody else',
    before: [toEvent(others)],
    body: stop(CHANNEL, others.ts, BEN),
    comes: 'chat.postEphemeral',
  },
  { shape: 'a stop where nothing runs', body: stop(DIRECT, ROOT_TS, ANA), comes: 'agents.sessions.setStatus' },
  {
    shape: 'a new title of a session',
    body: toEvent({
      type: 'agent_session_title_changed',
      channel: DIRECT,
      thread_ts: ROOT_TS,
      title: 'Plans',
      previous_title: 'what is new?',
      team_id: 'T0ACME',
      user: ANA,
      event_ts: nextTs(),
    }),
  },
  {
    shape: 'the home tab, opened for the first time',
    body: toEvent({ type: 'app_home_opened', user: ANA, channel: DIRECT, tab: 'home', event_ts: nextTs() }),
    comes: 'views.publish',
  },
  {
    shape: 'the home tab, opened again',
    body: toEvent({
      type: 'app_home_opened',
      user: ANA,
      channel: DIRECT,
      tab: 'home',
      event_ts: nextTs(),
      view: {
        id: 'V0HOME',
        team_id: 'T0ACME',
        type: 'home',
        blocks: [],
        private_metadata: '',
        callback_id: '',
        hash: '1.a',
        app_id: 'A0BRIDGE',
        bot_id: 'B0BRIDGE',
      },
    }),
    comes: 'views.publish',
  },
  {
    shape: 'the messages tab, opened for the first time',
    body: toMessagesTab(),
    comes: ['assistant.threads.setSuggestedPrompts', 'chat.postMessage'],
  },
  { shape: 'the messages tab, opened again', before: [toMessagesTab()], body: toMessagesTab() },
  {
    shape: 'a new context',
    body: toEvent({
      type: 'app_context_changed',
      context: { entities: [{ type: 'slack#/types/channel_id', value: CHANNEL, team_id: 'T0ACME' }] },
    }),
  },
  { shape: 'no context any more', body: toEvent({ type: 'app_context_changed', context: {} }) },
  {
    shape: 'a thread of the older assistant view',
    body: toEvent({
      type: 'assistant_thread_started',
      assistant_thread: {
        user_id: ANA,
        context: { channel_id: CHANNEL, team_id: 'T0ACME', enterprise_id: null },
        channel_id: DIRECT,
        thread_ts: ROOT_TS,
      },
      event_ts: nextTs(),
    }),
  },
];

const member = (type: string, more: Json = {}): Json => ({
  type,
  user: ANA,
  channel: CHANNEL,
  channel_type: 'C',
  team: 'T0ACME',
  event_ts: nextTs(),
  ...more,
});

const CHANNELS: Shape[] = [
  {
    shape: 'somebody who joins',
    body: toEvent(member('member_joined_channel', { inviter: BEN })),
    comes: `audience-changed joined:T0ACME:${ANA}:${CHANNEL}`,
  },
  {
    shape: 'we, made a member',
    body: toEvent(member('member_joined_channel', { user: BOT, inviter: ANA })),
    comes: `audience-changed joined:T0ACME:${BOT}:${CHANNEL}`,
  },
  {
    shape: 'somebody who joins a private channel of a Grid organisation',
    body: toEvent(
      member('member_joined_channel', { user: WANDA, channel_type: 'G', team: 'E0ORG', enterprise: 'E0ORG' }),
      IN_GRID,
    ),
    comes: `audience-changed joined:T0GRID:${WANDA}:${CHANNEL}`,
  },
  {
    shape: 'a stranger who joins a shared channel',
    body: toEvent(
      member('member_joined_channel', { user: 'U0STRANGER', team: 'T0OTHER' }),
      { team: 'T0OTHER', context: 'T0ACME' },
      { is_ext_shared_channel: true },
    ),
    comes: `audience-changed joined:T0ACME:U0STRANGER:${CHANNEL}`,
  },
  {
    shape: 'somebody who leaves',
    body: toEvent(member('member_left_channel')),
    comes: `audience-changed left:T0ACME:${ANA}:${CHANNEL}`,
  },
  {
    shape: 'a channel that is shared',
    body: toEvent({ type: 'channel_shared', connected_team_id: 'T0OTHER', channel: CHANNEL, event_ts: nextTs() }),
    comes: `channel-changed T0ACME:${CHANNEL}`,
  },
  {
    shape: 'a channel that is shared no more',
    body: toEvent({
      type: 'channel_unshared',
      previously_connected_team_id: 'T0OTHER',
      channel: CHANNEL,
      is_ext_shared: false,
      event_ts: nextTs(),
    }),
    comes: `channel-changed T0ACME:${CHANNEL}`,
  },
];

const person = (more: Json = {}): Json => ({
  type: 'user_change',
  user: {
    ...{ id: BEN, team_id: 'T0ACME', name: 'ben', deleted: false, color: 'e7392d', real_name: 'Ben', locale: 'de-DE' },
    ...{ tz: 'Europe/Berlin', tz_label: 'Central European Time', tz_offset: 3600, updated: 1_795_000_000 },
    ...{ is_admin: false, is_owner: false, is_primary_owner: false, is_restricted: false, is_ultra_restricted: false },
    ...{ is_bot: false, is_app_user: false, is_email_confirmed: true, who_can_share_contact_card: 'EVERYONE' },
    profile: {
      real_name: 'Ben',
      display_name: 'ben',
      team: 'T0ACME',
      email: 'ben@acme.example',
      fields: {},
      status_text: '',
    },
    ...more,
  },
  cache_ts: 1_795_000_000,
  event_ts: nextTs(),
});

const changedTo = (kind: string, user = BEN, workspace = 'T0ACME') => [
  `person-changed ${workspace}:${user}`,
  `audience-changed ${kind}:${workspace}:${user}`,
];

const GRID_PERSON = {
  id: WANDA,
  team_id: 'T0GRID',
  enterprise_user: {
    id: WANDA,
    enterprise_id: 'E0ORG',
    enterprise_name: 'Org',
    is_admin: false,
    is_owner: false,
    teams: ['T0GRID', 'T0GRID2'],
  },
};

const PEOPLE: Shape[] = [
  { shape: 'a person with a new time zone', body: toEvent(person({ tz: 'Asia/Tokyo' })), comes: changedTo('member') },
  {
    shape: 'a person without a time zone',
    body: toEvent(person({ tz: undefined, tz_label: undefined, tz_offset: undefined })),
    comes: changedTo('member'),
  },
  { shape: 'an administrator', body: toEvent(person({ is_admin: true, is_owner: true })), comes: changedTo('member') },
  { shape: 'a guest of many channels', body: toEvent(person({ is_restricted: true })), comes: changedTo('guest') },
  {
    shape: 'a guest of one channel',
    body: toEvent(person({ is_restricted: true, is_ultra_restricted: true })),
    comes: changedTo('guest'),
  },
  {
    shape: 'a guest who is invited only',
    body: toEvent(person({ is_invited_user: true, is_restricted: true })),
    comes: changedTo('guest'),
  },
  {
    shape: 'a stranger of another organisation',
    body: toEvent(person({ id: 'U0STRANGER', team_id: 'T0OTHER', is_stranger: true, profile: { team: 'T0OTHER' } })),
    comes: changedTo('guest', 'U0STRANGER'),
  },
  {
    shape: 'somebody of another organisation who shares a channel with us',
    body: toEvent(person({ id: 'U0STRANGER', team_id: 'T0OTHER', is_stranger: false, profile: { team: 'T0OTHER' } })),
    comes: changedTo('guest', 'U0STRANGER'),
  },
  {
    shape: 'a person of a Grid organisation',
    body: toEvent(person(GRID_PERSON), IN_GRID),
    comes: changedTo('member', WANDA, 'T0GRID'),
  },
  {
    shape: 'a person of another workspace of the same organisation',
    body: toEvent(person({ ...GRID_PERSON, team_id: 'T0GRID2' }), IN_GRID),
    comes: changedTo('member', WANDA, 'T0GRID'),
  },
  {
    shape: 'a person where the whole organisation has installed us',
    body: toEvent(
      person({
        ...GRID_PERSON,
        team_id: 'T0PART',
        enterprise_user: { id: WANDA, enterprise_id: 'E0WIDE', teams: ['T0PART'] },
      }),
      IN_WIDE,
    ),
    comes: changedTo('member', WANDA, 'E0WIDE'),
  },
  {
    shape: 'a bot',
    body: toEvent(
      person({
        id: 'U0OTHERBOT',
        is_bot: true,
        profile: { api_app_id: 'A0OTHER', bot_id: 'B0OTHER', always_active: true },
      }),
    ),
    comes: changedTo('member', 'U0OTHERBOT'),
  },
  {
    shape: 'somebody who leaves, of whom Slack tells little',
    body: toEvent({
      type: 'user_change',
      user: {
        id: BEN,
        team_id: 'T0ACME',
        name: 'ben',
        deleted: true,
        profile: {},
        is_bot: false,
        updated: 1_795_000_000,
      },
      event_ts: nextTs(),
    }),
    comes: [...changedTo('member'), `left ${BEN}`],
  },
];

const ENDS: Shape[] = [
  {
    shape: 'tokens of bots that are revoked',
    body: toEvent({ type: 'tokens_revoked', tokens: { oauth: [], bot: [BOT] } }),
    comes: 'uninstalled T0ACME',
  },
  {
    shape: 'tokens of people that are revoked',
    body: toEvent({ type: 'tokens_revoked', tokens: { oauth: [ANA] } }),
  },
  {
    shape: 'the end of an installation',
    body: toEvent({ type: 'app_uninstalled' }, {}, { authorizations: undefined }),
    comes: 'uninstalled T0ACME',
  },
  {
    shape: 'the end of one that we do not know',
    body: toEvent({ type: 'app_uninstalled' }, { team: 'T0NOBODY' }),
    comes: 'uninstalled T0NOBODY',
  },
  {
    shape: 'the end of an installation of a whole organisation',
    body: toEvent(
      { type: 'app_uninstalled' },
      {},
      {
        team_id: null,
        context_team_id: null,
        enterprise_id: 'E0WIDE',
        context_enterprise_id: 'E0WIDE',
        authorizations: [
          { enterprise_id: 'E0WIDE', team_id: null, user_id: BOT, is_bot: true, is_enterprise_install: true },
        ],
      },
    ),
    comes: 'uninstalled E0WIDE',
  },
  {
    shape: 'the verification of our address',
    body: { type: 'url_verification', token: 'not-a-secret', challenge: 'a-challenge', event: undefined },
    reply: 'a-challenge',
  },
  {
    shape: 'an event that nobody subscribed to',
    body: toEvent({
      type: 'reaction_added',
      user: ANA,
      reaction: 'eyes',
      item: { type: 'message', channel: CHANNEL, ts: ROOT_TS },
      event_ts: nextTs(),
    }),
  },
  {
    shape: 'an event that does not exist yet',
    body: toEvent({ type: 'agent_session_dreamt', user: ANA, event_ts: nextTs() }),
  },
];

export const EVENT_SHAPES: readonly Shape[] = [...SESSIONS, ...CHANNELS, ...PEOPLE, ...ENDS];

/** Slack drops events: the one payload that leaves a warning, because an operator has to know. */
export const RATE_LIMITED: Json = {
  token: 'not-a-secret',
  type: 'app_rate_limited',
  team_id: 'T0ACME',
  minute_rate_limited: 1_795_000_000,
  api_app_id: 'A0BRIDGE',
};
