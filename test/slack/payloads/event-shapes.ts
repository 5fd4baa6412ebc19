// Every other event that is subscribed to, and what comes beside events.
import type { Json } from '@assistant-bridge/sandbox/slack/records.ts';
import type { Shapes } from './shape.ts';
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
  OF_WIDE,
  type Place,
  ROOT_TS,
  toDirect,
  toEvent,
  toMessage,
  toView,
  WANDA,
} from './shapes.ts';

const waiting = toDirect('take your time');
const stopping = toDirect('take longer');
const others = toMessage(`${MENTION} take all day`);

const stop = (channel: string, threadTs: unknown, user: string, streams: string[] = []): Json => ({
  type: 'agent_session_stopped',
  channel,
  thread_ts: threadTs,
  user,
  streaming_message_ts: streams,
  // After the question was accepted.
  event_ts: '1795000101.000000',
});

const opened = (tab: string, more: Json = {}): Json => ({
  ...{ type: 'app_home_opened', user: ANA, channel: DIRECT, tab, event_ts: nextTs() },
  ...more,
});

const SESSIONS: Shapes = {
  'a stop by the asker': { before: [toEvent(waiting)], event: stop(DIRECT, waiting.ts, ANA), comes: 'stopped' },
  'a stop of a message that streams': {
    before: [toEvent(stopping)],
    event: stop(DIRECT, stopping.ts, ANA, [nextTs()]),
    comes: 'stopped',
  },
  'a stop by somebody else': {
    before: [toEvent(others)],
    event: stop(CHANNEL, others.ts, BEN),
    comes: 'chat.postEphemeral',
  },
  'a stop where nothing runs': { event: stop(DIRECT, ROOT_TS, ANA), comes: 'agents.sessions.setStatus' },
  'a new title of a session': {
    event: {
      type: 'agent_session_title_changed',
      channel: DIRECT,
      thread_ts: ROOT_TS,
      title: 'Plans',
      previous_title: 'what is new?',
      team_id: 'T0ACME',
      user: ANA,
      event_ts: nextTs(),
    },
  },
  'the home tab, opened for the first time': {
    event: opened('home'),
    comes: 'views.publish',
  },
  'the home tab, opened again': {
    event: opened('home', { view: toView({ id: 'V0HOME', type: 'home', callback_id: '' }) }),
    comes: 'views.publish',
  },
  'the messages tab, opened for the first time': {
    event: opened('messages'),
    comes: ['assistant.threads.setSuggestedPrompts', 'chat.postMessage'],
  },
  'the messages tab, opened again': { before: [toEvent(opened('messages'))], event: opened('messages') },
  'a new context': {
    event: {
      type: 'app_context_changed',
      context: { entities: [{ type: 'slack#/types/channel_id', value: CHANNEL, team_id: 'T0ACME' }] },
    },
  },
  'no context any more': { event: { type: 'app_context_changed', context: {} } },
  'a thread of the older assistant view': {
    event: {
      type: 'assistant_thread_started',
      assistant_thread: {
        user_id: ANA,
        context: { channel_id: CHANNEL, team_id: 'T0ACME', enterprise_id: null },
        channel_id: DIRECT,
        thread_ts: ROOT_TS,
      },
      event_ts: nextTs(),
    },
  },
};

const member = (more: Json = {}, type = 'member_joined_channel'): Json => ({
  type,
  user: ANA,
  channel: CHANNEL,
  channel_type: 'C',
  team: 'T0ACME',
  event_ts: nextTs(),
  ...more,
});

const joined = (user: string, workspace = 'T0ACME') => `audience-changed joined:${workspace}:${user}:${CHANNEL}`;

const CHANNELS: Shapes = {
  'somebody who joins': { event: member({ inviter: BEN }), comes: joined(ANA) },
  'we, made a member': { event: member({ user: BOT, inviter: ANA }), comes: joined(BOT) },
  'somebody who joins a private channel of a Grid organisation': {
    event: member({ user: WANDA, channel_type: 'G', team: 'E0ORG', enterprise: 'E0ORG' }),
    place: IN_GRID,
    comes: joined(WANDA, 'T0GRID'),
  },
  'a stranger who joins a shared channel': {
    event: member({ user: 'U0STRANGER', team: 'T0OTHER' }),
    place: { team: 'T0OTHER', context: 'T0ACME' },
    around: { is_ext_shared_channel: true },
    comes: joined('U0STRANGER'),
  },
  'somebody who leaves': {
    event: member({}, 'member_left_channel'),
    comes: `audience-changed left:T0ACME:${ANA}:${CHANNEL}`,
  },
  'a channel that is shared': {
    event: { type: 'channel_shared', connected_team_id: 'T0OTHER', channel: CHANNEL, event_ts: nextTs() },
    comes: `channel-changed T0ACME:${CHANNEL}`,
  },
  'a channel that is shared no more': {
    event: {
      type: 'channel_unshared',
      previously_connected_team_id: 'T0OTHER',
      channel: CHANNEL,
      is_ext_shared: false,
      event_ts: nextTs(),
    },
    comes: `channel-changed T0ACME:${CHANNEL}`,
  },
};

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

const WIDE_PERSON = { id: WANDA, team_id: 'T0PART', enterprise_user: { id: WANDA, enterprise_id: 'E0WIDE' } };
const OUTSIDER = { id: 'U0STRANGER', team_id: 'T0OTHER', profile: { team: 'T0OTHER' } };
const OTHER_BOT = { id: 'U0OTHERBOT', is_bot: true, profile: { api_app_id: 'A0OTHER', bot_id: 'B0OTHER' } };

/** What is told of somebody, what they are from then on, and of whom and where that is said. */
const CHANGES: [string, Json, 'member' | 'guest', [user: string, workspace?: string]?, Place?][] = [
  ['a person with a new time zone', { tz: 'Asia/Tokyo' }, 'member'],
  ['a person without a time zone', { tz: undefined, tz_label: undefined, tz_offset: undefined }, 'member'],
  ['an administrator', { is_admin: true, is_owner: true }, 'member'],
  ['a guest of many channels', { is_restricted: true }, 'guest'],
  ['a guest of one channel', { is_restricted: true, is_ultra_restricted: true }, 'guest'],
  ['a guest who is invited only', { is_invited_user: true, is_restricted: true }, 'guest'],
  ['a stranger of another organisation', { ...OUTSIDER, is_stranger: true }, 'guest', [OUTSIDER.id]],
  [
    'somebody of another organisation in a channel of ours',
    { ...OUTSIDER, is_stranger: false },
    'guest',
    [OUTSIDER.id],
  ],
  ['a person of a Grid organisation', GRID_PERSON, 'member', [WANDA, 'T0GRID'], IN_GRID],
  ['a person of another team of it', { ...GRID_PERSON, team_id: 'T0GRID2' }, 'member', [WANDA, 'T0GRID'], IN_GRID],
  ['a person where the whole organisation has installed us', WIDE_PERSON, 'member', [WANDA, 'E0WIDE'], IN_WIDE],
  ['a bot', OTHER_BOT, 'member', [OTHER_BOT.id]],
];

const PEOPLE: Shapes = {
  ...Object.fromEntries(
    CHANGES.map(([name, change, kind, of = [], place]) => [
      name,
      { event: person(change), comes: changedTo(kind, ...of), ...(place && { place }) },
    ]),
  ),
  'somebody who leaves, of whom Slack tells little': {
    event: {
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
    },
    comes: [...changedTo('member'), `left ${BEN}`],
  },
};

const ENDS: Shapes = {
  'tokens of bots that are revoked': {
    event: { type: 'tokens_revoked', tokens: { oauth: [], bot: [BOT] } },
    comes: 'revoked T0ACME',
  },
  'tokens of people that are revoked': { event: { type: 'tokens_revoked', tokens: { oauth: [ANA] } } },
  'the end of an installation': {
    event: { type: 'app_uninstalled' },
    around: { authorizations: undefined },
    comes: 'uninstalled T0ACME',
  },
  'the end of one that we do not know': {
    event: { type: 'app_uninstalled' },
    place: { team: 'T0NOBODY' },
    comes: 'uninstalled T0NOBODY',
  },
  'the end that Slack tells for the last time': {
    event: { type: 'app_uninstalled' },
    headers: { 'x-slack-retry-num': '3', 'x-slack-retry-reason': 'http_error' },
    comes: 'uninstalled T0ACME for the last time',
  },
  'the end of an installation of a whole organisation': {
    event: { type: 'app_uninstalled' },
    around: OF_WIDE,
    comes: 'uninstalled E0WIDE',
  },
  'the same, which names one of its teams': {
    event: { type: 'app_uninstalled' },
    place: IN_WIDE,
    comes: ['uninstalled E0WIDE', 'checked T0PART'],
  },
  'the end in a team of an organisation, which may also be that of the organisation': {
    event: { type: 'app_uninstalled' },
    place: IN_GRID,
    comes: ['uninstalled T0GRID', 'checked E0ORG'],
  },
  'the verification of our address': {
    body: { type: 'url_verification', token: 'not-a-secret', challenge: 'a-challenge', event: undefined },
    reply: 'a-challenge',
  },
  'an event that nobody subscribed to': {
    event: {
      type: 'reaction_added',
      user: ANA,
      reaction: 'eyes',
      item: { type: 'message', channel: CHANNEL, ts: ROOT_TS },
      event_ts: nextTs(),
    },
  },
  'an event that does not exist yet': {
    event: { type: 'agent_session_dreamt', user: ANA, event_ts: nextTs() },
  },
};

export const EVENT_SHAPES: Shapes = { ...SESSIONS, ...CHANNELS, ...PEOPLE, ...ENDS };

/** Slack drops events: the one payload that leaves a warning, because an operator has to know. */
export const RATE_LIMITED: Json = {
  token: 'not-a-secret',
  type: 'app_rate_limited',
  team_id: 'T0ACME',
  minute_rate_limited: 1_795_000_000,
  api_app_id: 'A0BRIDGE',
};
