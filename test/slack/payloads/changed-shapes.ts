// Edits, deletions and files.
import type { Json } from '@assistant-bridge/sandbox/slack/records.ts';
import type { Shapes } from './shape.ts';
import {
  ANA,
  BEN,
  CHANNEL,
  DIRECT,
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

const asked = toDirect('what is old?');
const edited = toDirect('what is new today?');
const byItsAuthor = { user: ANA, ts: '1795000002.000000' };
/** That question, as it is after an edit. */
const rewritten = (text: string, by = byItsAuthor) => toDirect(text, { ts: edited.ts, edited: by });
const IN_DIRECT = { channel: DIRECT, channel_type: 'im' };
const changed = (before: Json | null | undefined, after: Json, more: Json = IN_DIRECT) =>
  toNotice('message_changed', { hidden: true, message: after, previous_message: before, ...more });
const deleted = (before: Json, more: Json = {}) =>
  toNotice('message_deleted', { hidden: true, deleted_ts: before.ts, previous_message: before, ...more });
/** What stands in the place of a message with replies that was deleted. */
const toTombstone = (ts: unknown) => ({
  ...{ type: 'message', subtype: 'tombstone', user: 'USLACKBOT', hidden: true, ts, thread_ts: ts },
  ...{ text: 'This message was deleted.', reply_count: 2 },
});
const withText = (message: Json, text: string, more: Json = {}) => ({ ...message, blocks: undefined, text, ...more });

/** Changes of a message that are no edit by its author. */
const NO_EDITS: Record<string, Json> = {
  'a preview after an edit': { ...edited, edited: byItsAuthor, attachments: [{ from_url: 'https://x.example/a' }] },
  'a pin': { ...edited, pinned_to: [DIRECT], pinned_info: { [DIRECT]: { pinned_by: BEN, pinned_ts: 1 } } },
  'a change by nobody': withText(edited, 'who earns what?'),
  'a change by a bot': withText(edited, 'who earns what?', { bot_id: 'B0OTHER', edited: byItsAuthor }),
  'a change of a message without an author': withText(edited, 'who earns what?', { user: undefined }),
};

const lateEdit = { before: [toEvent(edited)], event: changed(edited, rewritten('what is new tomorrow?')) };

/** Results after which nobody wants to ask again, or it would fail again. */
const NOT_OFFERED = ['cancelled', 'guest', 'shared_channel', 'cannot_post'];

const early = toMessage(`${MENTION} once?`);
const earlyEdit = changed(early, withText(early, `${MENTION} better?`, { edited: byItsAuthor }), {});
const old = toMessage(`${MENTION} once?`, { ts: '1794900000.000100' });

const CHANGED: Shapes = {
  'an edited question': {
    before: [toEvent(edited)],
    event: changed(edited, rewritten('what is new tomorrow?')),
    comes: 'revised question',
  },
  'an edit of the spaces of a question': {
    before: [toEvent(edited)],
    event: changed(edited, rewritten('what  is new today? ')),
  },
  'an edit by somebody else, as Slack itself makes them': {
    before: [toEvent(edited)],
    event: changed(edited, rewritten('what is new tomorrow?', { ...byItsAuthor, user: BEN })),
  },
  'an edit that adds the mention': {
    event: changed(toMessage('hello'), toMessage(`${MENTION} hello`, { edited: byItsAuthor }), {}),
    question: { text: 'hello' },
  },
  'an edit of a question that was answered': { ...lateEdit, ended: 'answer', comes: 'chat.postMessage' },
  ...Object.fromEntries(
    NOT_OFFERED.map((result) => [`an edit of a question that ended as ${result}`, { ...lateEdit, ended: result }]),
  ),
  ...Object.fromEntries(
    Object.entries(NO_EDITS).map(([what, after]) => [
      `${what} of a question`,
      { before: [toEvent(edited)], event: changed(edited, after) },
    ]),
  ),
  'an edit of a question whose own event is yet to come': { event: earlyEdit, question: { text: 'better?' } },
  'its own event after that': { before: [toEvent(earlyEdit)], event: early, comes: 'known question' },
  'an edit of a question that is older than we remember': {
    event: changed(old, withText(old, `${MENTION} again?`, { edited: byItsAuthor }), {}),
  },
  ...Object.fromEntries(
    [null, undefined, {}].map((previous) => [
      `an edit of which Slack does not say what was there before: ${JSON.stringify(previous)}`,
      { event: changed(previous, toMessage(`${MENTION} again?`, { edited: byItsAuthor }), {}) },
    ]),
  ),
  'an unfurl, which comes as an edit without a change of text': {
    event: changed(asked, {
      ...asked,
      attachments: [
        { from_url: 'https://x.example/a', id: 1, title: 'A page', text: 'What it says', fallback: 'A page' },
      ],
    }),
  },
  'a thread that goes on, which changes its root': {
    event: changed(asked, { ...asked, reply_count: 1, reply_users: [BEN], latest_reply: nextTs() }),
  },
  'a reply in a thread, as the root tells it': {
    event: toNotice('message_replied', {
      hidden: true,
      message: { type: 'message', user: ANA, ts: ROOT_TS, thread_ts: ROOT_TS, reply_count: 1, text: 'hello' },
    }),
  },
  'a deleted question that waits': {
    before: [toEvent(asked)],
    event: deleted(asked, IN_DIRECT),
    comes: 'cancelled',
  },
  'a deleted question of which nothing else is said': {
    before: [toEvent(asked)],
    event: toNotice('message_deleted', { hidden: true, deleted_ts: asked.ts, ...IN_DIRECT }),
    comes: 'cancelled',
  },
  'a deleted message that asked nothing': { event: deleted(toMessage('hello')) },
  'the tombstone of a deleted root with replies': {
    event: changed(toMessage('hello'), toTombstone(ROOT_TS), {}),
  },
  'the tombstone of a question with replies': {
    before: [toEvent(asked)],
    event: changed(asked, toTombstone(asked.ts)),
    comes: 'cancelled',
  },
  'a reply that is also sent to the channel': {
    event: toMessage(`${MENTION} tell all`, {
      subtype: 'thread_broadcast',
      thread_ts: ROOT_TS,
      root: { type: 'message', user: BEN, ts: ROOT_TS, text: 'hello' },
    }),
    question: { text: 'tell all', startsThread: false },
  },
};

const sharing = (file: object, text = 'what is in it?') =>
  toDirect(text, { subtype: 'file_share', upload: false, files: [file] });

const FILES: Shapes = {
  'a file of Slack’s': { event: sharing(toFile()), question: { unusable: [{ name: 'plan.pdf', reason: 'upload' }] } },
  'a file without a word': { event: sharing(toFile(), ''), question: { text: '' } },
  'a file that is kept elsewhere': {
    event: sharing(
      toFile({
        mode: 'external',
        is_external: true,
        external_type: 'onedrive',
        url_private: 'https://acme.sharepoint.example/plan.docx',
        external_id: '1',
      }),
    ),
    question: { links: ['https://acme.sharepoint.example/plan.docx'], unusable: [] },
  },
  'a canvas': {
    event: sharing(
      toFile({
        mode: 'quip',
        filetype: 'quip',
        name: 'Notes',
        mimetype: 'application/vnd.slack-docs',
        pretty_type: 'Canvas',
      }),
    ),
    question: { unusable: [{ name: 'Notes', reason: 'upload' }] },
  },
  'a voice message with its transcript': {
    event: sharing(
      toFile({
        subtype: 'slack_audio',
        mimetype: 'audio/webm',
        name: 'audio_message.webm',
        transcription: { status: 'complete', locale: 'en-GB', preview: { content: 'hello', has_more: false } },
      }),
      '',
    ),
    question: { unusable: [{ name: 'audio_message.webm', reason: 'upload' }] },
  },
  'a message that is forwarded, with words': {
    event: toDirect('what does he mean?', {
      attachments: [
        {
          is_share: true,
          is_msg_unfurl: true,
          author_id: BEN,
          channel_id: CHANNEL,
          ts: ROOT_TS,
          text: 'something else',
          from_url: 'https://acme.slack.com/archives/C0PLANS/p1794999000000100',
        },
      ],
    }),
    question: { text: 'what does he mean?\nhttps://acme.slack.com/archives/C0PLANS/p1794999000000100' },
  },
};

const RESENT = { 'x-slack-retry-num': '1', 'x-slack-retry-reason': 'http_error' };
const [lost, lostTwin] = toTwins('are you there?');
const lostIsDeleted = { before: [toEvent(deleted(lost))], headers: RESENT };

/** Questions that were deleted before their own event was accepted. Slack sends that again. */
const LOST: Shapes = {
  'a question that was deleted before it came': { ...lostIsDeleted, event: lost },
  'its other event': { ...lostIsDeleted, event: lostTwin },
  'a question that was deleted before it came, and that has replies': {
    before: [toEvent(changed(lost, toTombstone(lost.ts), {}))],
    headers: RESENT,
    event: lost,
  },
  'another question after that': {
    ...lostIsDeleted,
    event: toMessage(`${MENTION} and you?`),
    question: { text: 'and you?' },
  },
};

export const CHANGED_SHAPES: Shapes = { ...CHANGED, ...LOST, ...FILES };
