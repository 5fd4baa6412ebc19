// Edits, deletions and files.
import type { Shape } from './shape.ts';
import { ANA, BEN, CHANNEL, DIRECT, MENTION, nextTs, ROOT_TS, toDirect, toEvent, toFile, toMessage } from './shapes.ts';

const asked = toDirect('what is old?');
const edited = toDirect('what is new today?');
const byItsAuthor = { user: ANA, ts: '1795000002.000000' };
/** That question, as it is after an edit. */
const rewritten = (text: string, by = byItsAuthor) => toDirect(text, { ts: edited.ts, edited: by });
const changed = (before: object, after: object, more: object = {}) => ({
  type: 'message',
  subtype: 'message_changed',
  hidden: true,
  channel: DIRECT,
  channel_type: 'im',
  ts: nextTs(),
  event_ts: nextTs(),
  message: after,
  previous_message: before,
  ...more,
});

const CHANGED: Shape[] = [
  {
    shape: 'an edited question',
    before: [toEvent(edited)],
    body: toEvent(changed(edited, rewritten('what is new tomorrow?'))),
    comes: 'revised question',
  },
  {
    shape: 'an edit of the spaces of a question',
    before: [toEvent(edited)],
    body: toEvent(changed(edited, rewritten('what  is new today? '))),
  },
  {
    shape: 'an edit by somebody else, as Slack itself makes them',
    before: [toEvent(edited)],
    body: toEvent(changed(edited, rewritten('what is new tomorrow?', { ...byItsAuthor, user: BEN }))),
  },
  {
    shape: 'an edit that adds the mention',
    body: toEvent(
      changed(toMessage('hello'), toMessage(`${MENTION} hello`, { edited: { user: ANA, ts: '1795000002.000000' } }), {
        channel: CHANNEL,
        channel_type: 'channel',
      }),
    ),
    comes: 'question',
    question: { text: 'hello' },
  },
  {
    shape: 'an unfurl, which comes as an edit without a change of text',
    body: toEvent(
      changed(asked, {
        ...asked,
        attachments: [
          { from_url: 'https://x.example/a', id: 1, title: 'A page', text: 'What it says', fallback: 'A page' },
        ],
      }),
    ),
  },
  {
    shape: 'a thread that goes on, which changes its root',
    body: toEvent(changed(asked, { ...asked, reply_count: 1, reply_users: [BEN], latest_reply: nextTs() })),
  },
  {
    shape: 'a reply in a thread, as the root tells it',
    body: toEvent({
      type: 'message',
      subtype: 'message_replied',
      channel: CHANNEL,
      channel_type: 'channel',
      hidden: true,
      ts: nextTs(),
      event_ts: nextTs(),
      message: { type: 'message', user: ANA, ts: ROOT_TS, thread_ts: ROOT_TS, reply_count: 1, text: 'hello' },
    }),
  },
  {
    shape: 'a deleted question that waits',
    before: [toEvent(asked)],
    body: toEvent({
      type: 'message',
      subtype: 'message_deleted',
      hidden: true,
      channel: DIRECT,
      channel_type: 'im',
      ts: nextTs(),
      event_ts: nextTs(),
      deleted_ts: asked.ts,
      previous_message: asked,
    }),
    comes: 'cancelled',
  },
  {
    shape: 'a deleted message that asked nothing',
    body: toEvent({
      type: 'message',
      subtype: 'message_deleted',
      hidden: true,
      channel: CHANNEL,
      channel_type: 'channel',
      ts: nextTs(),
      event_ts: nextTs(),
      deleted_ts: nextTs(),
      previous_message: toMessage('hello'),
    }),
  },
  {
    shape: 'the tombstone of a deleted root with replies',
    body: toEvent(
      changed(
        toMessage('hello'),
        {
          type: 'message',
          subtype: 'tombstone',
          user: 'USLACKBOT',
          hidden: true,
          ts: ROOT_TS,
          thread_ts: ROOT_TS,
          text: 'This message was deleted.',
          reply_count: 2,
        },
        { channel: CHANNEL, channel_type: 'channel' },
      ),
    ),
  },
  {
    shape: 'the tombstone of a question with replies',
    before: [toEvent(asked)],
    body: toEvent(
      changed(asked, {
        ...{
          type: 'message',
          subtype: 'tombstone',
          user: 'USLACKBOT',
          hidden: true,
          ts: asked.ts,
          thread_ts: asked.ts,
        },
        ...{ text: 'This message was deleted.', reply_count: 2 },
      }),
    ),
    comes: 'cancelled',
  },
  {
    shape: 'a reply that is also sent to the channel',
    body: toEvent(
      toMessage(`${MENTION} tell all`, {
        subtype: 'thread_broadcast',
        thread_ts: ROOT_TS,
        root: { type: 'message', user: BEN, ts: ROOT_TS, text: 'hello' },
      }),
    ),
    comes: 'question',
    question: { text: 'tell all', startsThread: false },
  },
];

const sharing = (file: object, text = 'what is in it?') =>
  toEvent(toDirect(text, { subtype: 'file_share', upload: false, files: [file] }));

const FILES: Shape[] = [
  {
    shape: 'a file of Slack’s',
    body: sharing(toFile()),
    comes: 'question',
    question: { unusable: [{ name: 'plan.pdf', reason: 'upload' }] },
  },
  { shape: 'a file without a word', body: sharing(toFile(), ''), comes: 'question', question: { text: '' } },
  {
    shape: 'a file that is kept elsewhere',
    body: sharing(
      toFile({
        mode: 'external',
        is_external: true,
        external_type: 'onedrive',
        url_private: 'https://acme.sharepoint.example/plan.docx',
        external_id: '1',
      }),
    ),
    comes: 'question',
    question: { links: ['https://acme.sharepoint.example/plan.docx'], unusable: [] },
  },
  {
    shape: 'a canvas',
    body: sharing(
      toFile({
        mode: 'quip',
        filetype: 'quip',
        name: 'Notes',
        mimetype: 'application/vnd.slack-docs',
        pretty_type: 'Canvas',
      }),
    ),
    comes: 'question',
    question: { unusable: [{ name: 'Notes', reason: 'upload' }] },
  },
  {
    shape: 'a voice message with its transcript',
    body: sharing(
      toFile({
        subtype: 'slack_audio',
        mimetype: 'audio/webm',
        name: 'audio_message.webm',
        transcription: { status: 'complete', locale: 'en-GB', preview: { content: 'hello', has_more: false } },
      }),
      '',
    ),
    comes: 'question',
    question: { unusable: [{ name: 'audio_message.webm', reason: 'upload' }] },
  },
  {
    shape: 'a message that is forwarded, with words',
    body: toEvent(
      toDirect('what does he mean?', {
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
    ),
    comes: 'question',
    question: { text: 'what does he mean?' },
  },
];

export const CHANGED_SHAPES: readonly Shape[] = [...CHANGED, ...FILES];
