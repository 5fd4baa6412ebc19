// Messages and mentions as people write them, here and in shared channels and organisations.
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
  OF_WIDE,
  ROOT_TS,
  toDirect,
  toEvent,
  toMessage,
  toTwins,
  WANDA,
} from './shapes.ts';

const RETRIED = { 'x-slack-retry-num': '1', 'x-slack-retry-reason': 'http_timeout' };

const [mention, mentionTwin] = toTwins('where is the plan?');
const [lateMention, earlyTwin] = toTwins('what is next?');
const retried = toDirect('are you there?');
const [threadMention] = toTwins('and who does it?', { thread_ts: ROOT_TS, parent_user_id: BEN });

/** A mention that Slack sends again so many days after it was written. */
const mentionOf = (days: number, edited?: Json) => {
  const ts = `${1_795_000_100 - days * 24 * 3_600}.000100`;
  return { ...toTwins('what is on?', { ts })[1], event_ts: ts, edited };
};
const EDITED = { user: ANA, ts: '1795000002.000000' };

const SPOKEN: Shapes = {
  'a direct message': {
    event: toDirect('what is new?'),
    question: {
      asker: { team: 'T0ACME', user: ANA },
      channel: DIRECT,
      audience: 'person',
      text: 'what is new?',
      startsThread: true,
    },
  },
  'a direct message with the context that the person looks at': {
    event: toDirect('sum it up', {
      app_context: { entities: [{ type: 'slack#/types/channel_id', value: CHANNEL, team_id: 'T0ACME' }] },
    }),
    question: { text: 'sum it up', audience: 'person' },
  },
  'a direct message in an assistant thread': {
    event: toDirect('go on', {
      thread_ts: ROOT_TS,
      parent_user_id: BOT,
      assistant_thread: { action_token: '1.2.abc' },
    }),
    question: { text: 'go on', threadTs: ROOT_TS, startsThread: false },
  },
  'a direct message without blocks, as old clients and integrations of people send': {
    event: toDirect('what is &lt;new&gt; &amp; good?', { blocks: undefined, client_msg_id: undefined }),
    question: { text: 'what is <new> & good?' },
  },
  'a message that mentions us': {
    event: mention,
    question: { text: 'where is the plan?', audience: 'channel', channel: CHANNEL },
  },
  'the other event of that mention': {
    before: [toEvent(mention)],
    event: mentionTwin,
    comes: 'known question',
  },
  'the mention before the message': { event: earlyTwin, question: { text: 'what is next?' } },
  'the message after its mention': {
    before: [toEvent(earlyTwin)],
    event: lateMention,
    comes: 'known question',
  },
  'a mention in the thread of somebody else': {
    event: threadMention,
    question: { threadTs: ROOT_TS, startsThread: false },
  },
  'a further message of the asker in that thread': {
    before: [toEvent(threadMention)],
    event: toMessage('and when?', { thread_ts: ROOT_TS }),
    question: { text: 'and when?' },
  },
  'the same where it mentions somebody else': {
    before: [toEvent(threadMention)],
    event: toMessage(`<@${BEN}> and you?`, { thread_ts: ROOT_TS }),
  },
  'a message in a channel that is not for us': { event: toMessage('hello all') },
  'a message in a private channel that mentions us': {
    event: toMessage(`${MENTION} hello`, { channel: 'G0OLD', channel_type: 'group' }),
    question: { audience: 'channel', channel: 'G0OLD' },
  },
  'a message in a group conversation that mentions us': {
    event: toMessage(`${MENTION} hello`, { channel: 'C0MPIM', channel_type: 'mpim' }),
    question: { audience: 'channel' },
  },
  'a mention and nothing else': { event: toMessage(MENTION), question: { text: '' } },
  'a mention with the words that turn web search off': {
    event: toMessage(`${MENTION} !web-off what is new?`),
    question: { text: 'what is new?', webSearch: false },
  },
  'the app_mention of a channel where no messages are subscribed to': {
    event: { ...toTwins('hi')[1], channel_type: undefined, blocks: undefined },
    question: { text: 'hi' },
  },
  'a mention that is edited after 28 days': { event: mentionOf(28, EDITED), question: { text: 'what is on?' } },
  'a mention that is edited after 30 days, when we may have forgotten its answer': { event: mentionOf(30, EDITED) },
  'a mention that comes after 30 days and was not edited': { event: mentionOf(30), question: { text: 'what is on?' } },
  'a delivery': { event: retried, comes: 'question' },
  'the same delivery again, after a time-out': {
    before: [toEvent(retried)],
    event: retried,
    headers: RETRIED,
    comes: 'known question',
  },
  'the second delivery where the first got lost': {
    event: toDirect('lost?'),
    headers: { ...RETRIED, 'x-slack-retry-num': '3', 'x-slack-retry-reason': 'http_error' },
    comes: 'question',
  },
};

const ELSEWHERE: Shapes = {
  'a message in a channel that is shared with another organisation': {
    event: toMessage(`${MENTION} hi`),
    around: { is_ext_shared_channel: true },
    question: { isSharedChannel: true, asker: { team: 'T0ACME', user: ANA } },
  },
  'a message of a stranger there, delivered in our context': {
    event: toMessage(`${MENTION} hi`, {
      user: 'U0STRANGER',
      team: 'T0OTHER',
      user_team: 'T0OTHER',
      source_team: 'T0OTHER',
      user_profile: { team: 'T0OTHER', is_restricted: false },
    }),
    place: { team: 'T0OTHER', context: 'T0ACME' },
    around: { is_ext_shared_channel: true },
    question: { workspace: 'T0ACME', isSharedChannel: true, asker: { team: 'T0ACME', user: 'U0STRANGER' } },
  },
  'a message for a team that never installed us': {
    event: toDirect('hi'),
    place: { team: 'T0NOBODY' },
    status: 403,
    complaint: 'Authorization of incoming event did not succeed',
  },
  'a message in a workspace of a Grid organisation': {
    event: toDirect('hi', { user: WANDA, team: 'E0ORG' }),
    place: IN_GRID,
    question: { workspace: 'T0GRID', asker: { team: 'E0ORG', user: WANDA } },
  },
  'a mention by a `W` id': {
    event: toMessage(`${MENTION} and <@${WANDA}>?`, { user: WANDA, team: 'E0ORG' }),
    place: IN_GRID,
    question: { asker: { team: 'E0ORG', user: WANDA } },
  },
  'a message where the whole organisation has installed us': {
    event: toDirect('hi', { user: WANDA, team: 'T0PART' }),
    place: IN_WIDE,
    question: { workspace: 'E0WIDE', asker: { team: 'E0WIDE', user: WANDA } },
  },
  'an event of that organisation that names no team': {
    event: toDirect('hi'),
    around: OF_WIDE,
    question: { workspace: 'E0WIDE' },
  },
  'an event as they were before authorizations, with authed_users': {
    event: toDirect('hi'),
    around: {
      authorizations: undefined,
      context_team_id: undefined,
      context_enterprise_id: undefined,
      authed_users: [BOT],
    },
    question: { workspace: 'T0ACME' },
  },
};

export const SPOKEN_SHAPES: Shapes = { ...SPOKEN, ...ELSEWHERE };
