// Messages and mentions as people write them, here and in shared channels and organisations.
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

const SPOKEN: Shape[] = [
  {
    shape: 'a direct message',
    body: toEvent(toDirect('what is new?')),
    comes: 'question',
    question: {
      asker: { team: 'T0ACME', user: ANA },
      channel: DIRECT,
      audience: 'person',
      text: 'what is new?',
      startsThread: true,
    },
  },
  {
    shape: 'a direct message with the context that the person looks at',
    body: toEvent(
      toDirect('sum it up', {
        app_context: { entities: [{ type: 'slack#/types/channel_id', value: CHANNEL, team_id: 'T0ACME' }] },
      }),
    ),
    comes: 'question',
    question: { text: 'sum it up', audience: 'person' },
  },
  {
    shape: 'a direct message in an assistant thread',
    body: toEvent(
      toDirect('go on', { thread_ts: ROOT_TS, parent_user_id: BOT, assistant_thread: { action_token: '1.2.abc' } }),
    ),
    comes: 'question',
    question: { text: 'go on', threadTs: ROOT_TS, startsThread: false },
  },
  {
    shape: 'a direct message without blocks, as old clients and integrations of people send',
    body: toEvent(toDirect('what is &lt;new&gt; &amp; good?', { blocks: undefined, client_msg_id: undefined })),
    comes: 'question',
    question: { text: 'what is <new> & good?' },
  },
  {
    shape: 'a message that mentions us',
    body: toEvent(mention),
    comes: 'question',
    question: { text: 'where is the plan?', audience: 'channel', channel: CHANNEL },
  },
  {
    shape: 'the other event of that mention',
    before: [toEvent(mention)],
    body: toEvent(mentionTwin),
    comes: 'known question',
  },
  {
    shape: 'the mention before the message',
    body: toEvent(earlyTwin),
    comes: 'question',
    question: { text: 'what is next?' },
  },
  {
    shape: 'the message after its mention',
    before: [toEvent(earlyTwin)],
    body: toEvent(lateMention),
    comes: 'known question',
  },
  {
    shape: 'a mention in the thread of somebody else',
    body: toEvent(threadMention),
    comes: 'question',
    question: { threadTs: ROOT_TS, startsThread: false },
  },
  {
    shape: 'a further message of the asker in that thread',
    before: [toEvent(threadMention)],
    body: toEvent(toMessage('and when?', { thread_ts: ROOT_TS })),
    comes: 'question',
    question: { text: 'and when?' },
  },
  {
    shape: 'the same where it mentions somebody else',
    before: [toEvent(threadMention)],
    body: toEvent(toMessage(`<@${BEN}> and you?`, { thread_ts: ROOT_TS })),
  },
  { shape: 'a message in a channel that is not for us', body: toEvent(toMessage('hello all')) },
  {
    shape: 'a message in a private channel that mentions us',
    body: toEvent(toMessage(`${MENTION} hello`, { channel: 'G0OLD', channel_type: 'group' })),
    comes: 'question',
    question: { audience: 'channel', channel: 'G0OLD' },
  },
  {
    shape: 'a message in a group conversation that mentions us',
    body: toEvent(toMessage(`${MENTION} hello`, { channel: 'C0MPIM', channel_type: 'mpim' })),
    comes: 'question',
    question: { audience: 'channel' },
  },
  { shape: 'a mention and nothing else', body: toEvent(toMessage(MENTION)), comes: 'question', question: { text: '' } },
  {
    shape: 'a mention with the words that turn web search off',
    body: toEvent(toMessage(`${MENTION} !web-off what is new?`)),
    comes: 'question',
    question: { text: 'what is new?', webSearch: false },
  },
  {
    shape: 'the app_mention of a channel where no messages are subscribed to',
    body: toEvent({ ...toTwins('hi')[1], channel_type: undefined, blocks: undefined }),
    comes: 'question',
    question: { text: 'hi' },
  },
  { shape: 'a delivery', body: toEvent(retried), comes: 'question' },
  {
    shape: 'the same delivery again, after a time-out',
    before: [toEvent(retried)],
    body: toEvent(retried),
    headers: RETRIED,
    comes: 'known question',
  },
  {
    shape: 'the second delivery where the first got lost',
    body: toEvent(toDirect('lost?')),
    headers: { ...RETRIED, 'x-slack-retry-num': '3', 'x-slack-retry-reason': 'http_error' },
    comes: 'question',
  },
];

const ELSEWHERE: Shape[] = [
  {
    shape: 'a message in a channel that is shared with another organisation',
    body: toEvent(toMessage(`${MENTION} hi`), {}, { is_ext_shared_channel: true }),
    comes: 'question',
    question: { isSharedChannel: true, asker: { team: 'T0ACME', user: ANA } },
  },
  {
    shape: 'a message of a stranger there, delivered in our context',
    body: toEvent(
      toMessage(`${MENTION} hi`, {
        user: 'U0STRANGER',
        team: 'T0OTHER',
        user_team: 'T0OTHER',
        source_team: 'T0OTHER',
        user_profile: { team: 'T0OTHER', is_restricted: false },
      }),
      { team: 'T0OTHER', context: 'T0ACME' },
      { is_ext_shared_channel: true },
    ),
    comes: 'question',
    question: { workspace: 'T0ACME', isSharedChannel: true, asker: { team: 'T0ACME', user: 'U0STRANGER' } },
  },
  {
    shape: 'a message for a team that never installed us',
    body: toEvent(toDirect('hi'), { team: 'T0NOBODY' }),
    status: 403,
    complaint: 'Authorization of incoming event did not succeed',
  },
  {
    shape: 'a message in a workspace of a Grid organisation',
    body: toEvent(toDirect('hi', { user: WANDA, team: 'E0ORG' }), IN_GRID),
    comes: 'question',
    question: { workspace: 'T0GRID', asker: { team: 'E0ORG', user: WANDA } },
  },
  {
    shape: 'a mention by a `W` id',
    body: toEvent(toMessage(`${MENTION} and <@${WANDA}>?`, { user: WANDA, team: 'E0ORG' }), IN_GRID),
    comes: 'question',
    question: { asker: { team: 'E0ORG', user: WANDA } },
  },
  {
    shape: 'a message where the whole organisation has installed us',
    body: toEvent(toDirect('hi', { user: WANDA, team: 'T0PART' }), IN_WIDE),
    comes: 'question',
    question: { workspace: 'E0WIDE', asker: { team: 'E0WIDE', user: WANDA } },
  },
  {
    shape: 'an event of that organisation that names no team',
    body: toEvent(
      toDirect('hi'),
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
    comes: 'question',
    question: { workspace: 'E0WIDE' },
  },
  {
    shape: 'an event as they were before authorizations, with authed_users',
    body: toEvent(
      toDirect('hi'),
      {},
      { authorizations: undefined, context_team_id: undefined, context_enterprise_id: undefined, authed_users: [BOT] },
    ),
    comes: 'question',
    question: { workspace: 'T0ACME' },
  },
];

export const SPOKEN_SHAPES: readonly Shape[] = [...SPOKEN, ...ELSEWHERE];
