// Commands and shortcuts.
import type { Json } from '@assistant-bridge/sandbox/slack/records.ts';
import type { Shapes } from './shape.ts';
import {
  ANA,
  BEN,
  CHANNEL,
  CLICKED_IN_GRID,
  CLICKED_IN_WIDE,
  DIRECT,
  KIM,
  ROOT_TS,
  TS,
  toCommand,
  toInteraction,
  WANDA,
} from './shapes.ts';

const IN_GRID = { team_id: 'T0GRID', enterprise_id: 'E0ORG', enterprise_name: 'Org', user_id: WANDA };
const IN_WIDE = {
  team_id: 'T0PART',
  enterprise_id: 'E0WIDE',
  enterprise_name: 'Wide',
  is_enterprise_install: 'true',
  user_id: WANDA,
};

const COMMANDS: Shapes = {
  '/assistant in a channel': { body: toCommand('/assistant', 'help'), reply: '!web-off' },
  '/assistant about a new conversation': { body: toCommand('/assistant', 'new'), reply: 'conversation of its own' },
  '/assistant with a word that it does not know': {
    body: toCommand('/assistant', 'frobnicate'),
    reply: '/assistant help',
  },
  '/assistant without a word': { body: toCommand('/assistant', ''), reply: 'not signed in' },
  '/assistant in a direct message': {
    body: toCommand('/assistant', 'status', { channel_id: DIRECT, channel_name: 'directmessage' }),
    reply: 'not signed in',
  },
  '/assistant in a private channel': {
    body: toCommand('/assistant', 'privacy', { channel_id: 'G0OLD', channel_name: 'privategroup' }),
    reply: 'What is not kept',
  },
  '/assistant in a Grid workspace': { body: toCommand('/assistant', 'sign-in', IN_GRID), reply: 'Sign in' },
  '/assistant where the whole organisation has installed us': {
    body: toCommand('/assistant', 'sign-out', IN_WIDE),
    reply: 'not signed in',
  },
  '/assistant in a team that never installed us': {
    body: toCommand('/assistant', 'help', { team_id: 'T0NOBODY' }),
    status: 403,
    complaint: 'Authorization of incoming event did not succeed',
  },
  '/assistant-web-off with a question': {
    body: toCommand('/assistant-web-off', 'what is new?'),
    question: {
      text: 'what is new?',
      webSearch: false,
      origin: 'command',
      channel: CHANNEL,
      asker: { team: 'T0ACME', user: ANA },
    },
  },
  '/assistant-web-off with more than can be shown, which is given back': {
    body: toCommand('/assistant-web-off', 'what is new? '.repeat(1_000)),
    comes: ['response_url', 'response_url'],
    reply: 'too long to be shown',
  },
  '/assistant-web-off in the Grid, with escaped names': {
    body: toCommand('/assistant-web-off', 'ask &lt;this&gt; of <@W0WANDA|wanda> in <#C0PLANS|plans>', IN_GRID),
    question: { workspace: 'T0GRID', asker: { team: 'E0ORG', user: WANDA } },
  },
  '/assistant-web-off in a direct message with us': {
    body: toCommand('/assistant-web-off', 'what is new?', { channel_id: DIRECT, channel_name: 'directmessage' }),
    question: { audience: 'person' },
  },
  '/assistant-web-off without a question': { body: toCommand('/assistant-web-off', ' '), comes: 'views.open' },
  '/assistant-web-off help': { body: toCommand('/assistant-web-off', 'help'), reply: 'assistant-web-off' },
  '/assistant-admin of somebody who may not': { body: toCommand('/assistant-admin', 'agents'), comes: 'response_url' },
  '/assistant-admin help of an administrator': {
    body: toCommand('/assistant-admin', 'help', { user_id: KIM }),
    comes: 'response_url',
  },
  '/assistant-admin of an administrator who is not signed in': {
    body: toCommand('/assistant-admin', 'agents', { user_id: KIM }),
    comes: 'response_url',
  },
  'a command of another release': { body: toCommand('/assistant-later', 'x'), reply: 'older version' },
};

const clickedMessage = {
  type: 'message',
  user: BEN,
  ts: TS,
  text: 'what is the plan?',
  team: 'T0ACME',
  client_msg_id: 'x',
};
const shortcut = (more: Json = {}) =>
  toInteraction('message_action', {
    callback_id: 'ask_without_web',
    message_ts: TS,
    message: clickedMessage,
    channel: { id: CHANNEL, name: 'plans' },
    response_url: '',
    action_ts: '1795000001.000000',
    ...more,
  });

const SHORTCUTS: Shapes = {
  'a shortcut that asks about a message': { body: shortcut({ callback_id: 'ask_about' }), comes: 'views.open' },
  'a shortcut on a message': {
    body: shortcut(),
    question: {
      text: 'what is the plan?',
      origin: 'shortcut',
      webSearch: false,
      asker: { team: 'T0ACME', user: ANA },
      startsThread: true,
    },
  },
  'a shortcut on a message in a thread': {
    body: shortcut({ message: { ...clickedMessage, thread_ts: ROOT_TS } }),
    question: { threadTs: ROOT_TS, startsThread: false },
  },
  'a shortcut on a message of an app, which has no user': {
    body: shortcut({
      message: {
        type: 'message',
        subtype: 'bot_message',
        bot_id: 'B0HOOK',
        ts: TS,
        text: 'build failed',
        attachments: [{ fallback: 'x' }],
      },
    }),
    question: { text: 'build failed' },
  },
  'a shortcut in a direct message of two others': {
    body: shortcut({ channel: { id: 'D0OTHERS', name: 'directmessage' } }),
    comes: 'question',
  },
  'a shortcut by somebody of the Grid': {
    body: shortcut(CLICKED_IN_GRID),
    question: { asker: { team: 'E0ORG', user: WANDA } },
  },
  'a shortcut where the whole organisation has installed us': {
    body: shortcut(CLICKED_IN_WIDE),
    question: { workspace: 'E0WIDE' },
  },
  'a shortcut of another release': { body: shortcut({ callback_id: 'ask_later' }), comes: 'response_url' },
  'a global shortcut, which we have none of': {
    body: toInteraction('shortcut', { callback_id: 'anything', action_ts: '1.2' }),
    comes: 'chat.postMessage',
  },
};

export const COMMAND_SHAPES: Shapes = { ...COMMANDS, ...SHORTCUTS };
