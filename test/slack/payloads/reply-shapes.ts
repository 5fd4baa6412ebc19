// Messages without a mention, in channels where administrators have set to which messages the app replies.
import type { Json } from '@assistant-bridge/sandbox/slack/records.ts';
import { expect } from 'vitest';
import type { Shapes } from './shape.ts';
import {
  BEN,
  BOT,
  MENTION,
  nextTs,
  ROOT_TS,
  toDirect,
  toEvent,
  toFile,
  toMessage,
  toNotice,
  toTwins,
} from './shapes.ts';

const IN_ALL = { channel: 'C0ALL' };
const IN_FEW = { channel: 'C0FEW' };
const [mention, twin] = toTwins('what is on?', IN_ALL);
const deleted = toMessage('never mind', IN_ALL);

/** Ana has asked in a thread there, and somebody goes on in it. */
const inThread = (channel: Json, reply: Json = {}) => ({
  before: [toEvent(toMessage(`${MENTION} what is on?`, { ...channel, thread_ts: ROOT_TS }))],
  event: toMessage('and tomorrow?', { ...channel, thread_ts: ROOT_TS, ...reply }),
});

const NOT_FOR_US: Record<string, Json> = {
  'of a bot': { bot_id: 'B0OTHER' },
  'of another app': { app_id: 'A0OTHER' },
  'of the app itself': { user: BOT },
  'to somebody else': { blocks: undefined, text: `<@${BEN}> can you look at this?` },
  'without words': { blocks: undefined, text: '', files: [toFile()], subtype: 'file_share' },
};

export const REPLY_SHAPES: Shapes = {
  'a message that begins a thread where the app replies to all of these': {
    event: toMessage('what is on?', IN_ALL),
    question: { text: 'what is on?', isUnaddressed: true, startsThread: true },
  },
  'the same with a mention': { event: mention, question: expect.not.objectContaining({ isUnaddressed: true }) },
  'the other event of that mention there': { before: [toEvent(mention)], event: twin, comes: 'known question' },
  'the same where the app replies when it is mentioned': { event: toMessage('what is on?', IN_FEW) },
  'the same where nobody can tell, so that Slack sends it again': {
    event: toMessage('what is on?', { channel: 'C0DARK' }),
    status: 503,
  },
  'the same after it was deleted, which Slack sends again': {
    before: [toEvent(toNotice('message_deleted', { ...IN_ALL, deleted_ts: deleted.ts, previous_message: deleted }))],
    event: deleted,
    headers: { 'x-slack-retry-num': '1' },
  },
  ...Object.fromEntries(
    Object.entries(NOT_FOR_US).map(([what, change]) => [
      `a message ${what} where the app replies to all`,
      { event: toMessage('what is on?', { ...IN_ALL, ...change }) },
    ]),
  ),
  'a message that people of other organisations read where the app replies to all': {
    event: toMessage('what is on?', IN_ALL),
    around: { is_ext_shared_channel: true },
  },
  'a reply of the asker where the app replies to all': { ...inThread(IN_ALL), question: { text: 'and tomorrow?' } },
  'a reply of somebody else there': inThread(IN_ALL, { user: BEN }),
  'a reply of the asker where the app replies when it is mentioned': inThread(IN_FEW),
  'the same with a mention in the thread': {
    ...inThread(IN_FEW, { ts: nextTs(), blocks: undefined, text: `${MENTION} and tomorrow?` }),
    question: { text: 'and tomorrow?' },
  },
  'a direct message, which is for the app in every mode': { event: toDirect('what?'), question: { text: 'what?' } },
};
