// Facts about Slack that the app relies on: how to try each, and where the sandbox plays it.
import { isObject, type JsonObject as Json } from '../../src/json.ts';
import type { Probe } from './probe.ts';
import type { Answer } from './send.ts';

/** `played`: a line of the sandbox's Slack, by its file and some of its words. */
export type Fact = {
  name: string;
  played: { file: string; words: string };
  /** Tries the fact. Returns the result in few words. */
  find(slack: Probe): Promise<string>;
};

const API = 'web-api';

export const FACTS: Fact[] = [
  fact('what a token may do is named in a header', [`${API}/answer-call.ts`, 'x-oauth-scopes'], async ({ call }) => {
    const { headers } = await call('auth.test');
    return headers['x-oauth-scopes'] ? 'named' : 'not named';
  }),
  fact('a method that does not exist', [`${API}/answer-call.ts`, 'unknown_method'], async ({ call }) =>
    toResult(await call('chat.noSuchMethod')),
  ),
  fact('posting to a channel that does not exist', [`${API}/membership.ts`, 'channel_not_found'], async ({ call }) =>
    toResult(await call('chat.postMessage', { channel: 'C00NOTHERE', text: 'x' })),
  ),
  fact('a reply to a message that does not exist', [`${API}/membership.ts`, 'thread_not_found'], async (slack) =>
    toResult(await slack.call('chat.postMessage', { ...at(slack), text: 'x', thread_ts: '1000000000.000001' })),
  ),
  fact('changing a message that does not exist', [`${API}/membership.ts`, 'message_not_found'], async (slack) =>
    toResult(await slack.call('chat.update', { ...at(slack), text: 'x', ts: '1000000000.000001' })),
  ),
  fact(
    'metadata of a message whose text is changed',
    [`${API}/message-content.ts`, '...(metadata && { metadata })'],
    async (slack) => {
      const ts = await slack.post({ metadata: METADATA });
      await slack.call('chat.update', { ...at(slack), ts, text: 'changed' });
      return (await read(slack, ts, { include_all_metadata: true })).metadata ? 'kept' : 'gone';
    },
  ),
  fact(
    'metadata, read without include_all_metadata',
    [`${API}/conversations.ts`, 'include_all_metadata === true'],
    async (slack) => {
      const ts = await slack.post({ metadata: METADATA });
      const { event_payload } = { event_payload: undefined, ...toJson((await read(slack, ts)).metadata) };
      return event_payload ? 'read' : 'left out';
    },
  ),
  fact('one’s own message, read at once', [`${API}/conversations.ts`, "'conversations.history'"], async (slack) => {
    const ts = await slack.post({});
    return (await read(slack, ts)).ts === ts ? 'found' : 'not found';
  }),
  fact('a thread, read', [`${API}/conversations.ts`, "'conversations.replies'"], async (slack) => {
    const ts = await slack.post({});
    await slack.post({ thread_ts: ts });
    const { messages } = await slack.call('conversations.replies', { ...at(slack), ts });
    return (messages as Json[] | undefined)?.[0]?.ts === ts ? 'begins with its root' : 'does not begin with its root';
  }),
  fact(
    'a heading and a line in Markdown become',
    ['blocks/expand-markdown.ts', 'function expandMarkdown'],
    async (slack) => {
      const ts = await slack.post({ blocks: [{ type: 'markdown', text: '# A\n\na line' }] });
      return ((await read(slack, ts)).blocks as Json[]).map(({ type }) => type).join(', ');
    },
  ),
  fact('sixty headings in one message', ['blocks/check-message.ts', 'MAX_BLOCKS = 50'], async (slack) =>
    toResult(await slack.call('chat.postMessage', toMessage(slack, ['# A\n\n'.repeat(60)]))),
  ),
  fact(
    '11,600 and 14,500 characters in one message',
    ['blocks/check-message.ts', 'MAX_CHARACTERS = 13_200'],
    async (slack) => {
      const section = { type: 'section', text: { type: 'plain_text', text: 'x'.repeat(2_900) } };
      const [few, many] = [4, 5].map((count) => ({ ...at(slack), text: 'x', blocks: Array(count).fill(section) }));
      return `${toResult(await slack.call('chat.postMessage', few))}, ${toResult(await slack.call('chat.postMessage', many))}`;
    },
  ),
  fact('two tables in one message', ['blocks/check-message.ts', 'only_one_table_allowed'], async (slack) => {
    const table = '| a | b |\n| - | - |\n| 1 | 2 |\n\n';
    return toResult(await slack.call('chat.postMessage', toMessage(slack, [`${table}and\n\n${table}`])));
  }),
  fact('4,001 characters as the text of a change', [`${API}/chat.ts`, 'MAX_UPDATE_TEXT = '], async (slack) => {
    const ts = await slack.post({});
    return toResult(await slack.call('chat.update', { ...at(slack), ts, text: 'x'.repeat(4_001) }));
  }),
  fact('a stream in a channel for nobody', [`${API}/chat-stream.ts`, 'missing_recipient_user_id'], async (slack) => {
    const thread_ts = await slack.post({});
    return toResult(await slack.call('chat.startStream', { ...at(slack), thread_ts, markdown_text: 'x' }));
  }),
  fact('a stream that is changed before it ends', [`${API}/chat.ts`, 'streaming_state_conflict'], async (slack) =>
    inStream(slack, (ts) => slack.call('chat.update', { ...at(slack), ts, text: 'changed' })),
  ),
  fact(
    'a stream that is deleted before it ends',
    [`${API}/chat.ts`, "isStreaming(message)) throw new SlackApiError('cant_delete"],
    async (slack) => inStream(slack, (ts) => slack.call('chat.delete', { ...at(slack), ts })),
  ),
  fact('a stream of 12,000 bytes', [`${API}/chat-stream.ts`, 'MAX_BYTES = 11_000'], async (slack) =>
    inStream(slack, async (ts) => {
      const piece = { ...at(slack), ts, markdown_text: 'x'.repeat(6_000) };
      await slack.call('chat.appendStream', piece);
      return slack.call('chat.appendStream', piece);
    }),
  ),
  fact(
    'what is added to a stream that has ended',
    [`${API}/chat-stream.ts`, 'message_not_in_streaming_state'],
    async (slack) => {
      const ts = await startStream(slack);
      await slack.call('chat.stopStream', { ...at(slack), ts });
      return toResult(await slack.call('chat.appendStream', { ...at(slack), ts, markdown_text: 'x' }));
    },
  ),
  fact('that a message was a stream, read back', ['slack-message.ts', 'streaming_state'], async (slack) => {
    const thread_ts = await slack.post({});
    const ts = await startStream(slack, thread_ts);
    await slack.call('chat.stopStream', { ...at(slack), ts });
    const { messages = [] } = await slack.call('conversations.replies', { ...at(slack), ts: thread_ts });
    const found = (messages as Json[]).find((message) => message.ts === ts);
    return String(found?.streaming_state ?? 'not said');
  }),
  fact('the session of a thread, set to work', [`${API}/agents.ts`, "'agents.sessions.setStatus'"], async (slack) =>
    toResult(await setStatus(slack, await slack.post({}), 'processing')),
  ),
  fact('a session set to an unknown status', [`${API}/agents.ts`, "'suspended', 'closed'"], async (slack) =>
    toResult(await setStatus(slack, await slack.post({}), 'dreaming')),
  ),
  fact('a session that is renamed before there is one', [`${API}/agents.ts`, 'not_authorized'], async (slack) => {
    const place = { channel_id: slack.channel, thread_ts: await slack.post({}), title: 'A title' };
    return toResult(await slack.call('agents.sessions.rename', place));
  }),
  fact(
    'a word to one person in a channel',
    [`${API}/chat.ts`, "if (channel.kind === 'im') return true"],
    async (slack) => whisper(slack, 'in the channel'),
  ),
  fact(
    'a word to one person in a thread without replies',
    [`${API}/chat.ts`, 'inThread(channel.id, threadTs).length < 2'],
    async (slack) => whisper(slack, 'in the thread', { threadTs: await slack.post({}) }),
  ),
  fact(
    'a word to one person in their direct message',
    [`${API}/chat.ts`, "if (channel.kind === 'im') return true"],
    async (slack) => {
      const { channel } = await slack.call('conversations.open', { users: slack.user });
      return whisper(slack, 'in the direct message', { channel: String(toJson(channel).id) });
    },
  ),
  fact('a file of the app, in three steps', [`${API}/files.ts`, "'files.completeUploadExternal'"], async (slack) => {
    const {
      upload_url = '',
      file_id,
      error,
    } = await slack.call('files.getUploadURLExternal', { filename: 'a.txt', length: 5 });
    if (error) return error;
    const status = await slack.upload(String(upload_url), 'hello');
    const files = [{ id: file_id, title: 'A check' }];
    return `${status}, ${toResult(await slack.call('files.completeUploadExternal', { files }))}`;
  }),
  fact('somebody’s language', [`${API}/people.ts`, 'given.include_locale'], async (slack) => {
    const { user, error } = await slack.call('users.info', { user: slack.user, include_locale: true });
    return error ?? (toJson(user).locale ? 'told' : 'not told');
  }),
  // The last, because it uses up a limit.
  fact('too many calls in a minute', ['rate-limits.ts', "'conversations.info': 50"], async (slack) => {
    const answers = await slack.burst('conversations.info', at(slack), 120);
    const refused = answers.find(({ status }) => status === 429);
    if (!refused) return 'all of 120 taken';
    const seconds = Number(refused.headers['retry-after']);
    return `${refused.error}, with ${seconds > 0 ? 'the seconds to wait' : 'no time to wait'}`;
  }),
];

const METADATA = { event_type: 'check_slack', event_payload: { part: 1 } };

function fact(name: string, [file, words]: [string, string], find: Fact['find']): Fact {
  return { name, played: { file, words }, find };
}

function at({ channel }: Probe): Json {
  return { channel };
}

function toResult({ ok, error, status }: Answer): string {
  return ok ? 'taken' : (error ?? `status ${status}`);
}

function toJson(value: unknown): Json {
  return isObject(value) ? value : {};
}

function toMessage(slack: Probe, markdown: string[]): Json {
  return { ...at(slack), text: 'A check', blocks: markdown.map((text) => ({ type: 'markdown', text })) };
}

async function read(slack: Probe, ts: string, more: Json = {}): Promise<Json> {
  const window = { ...at(slack), latest: ts, oldest: ts, inclusive: true, limit: 1, ...more };
  const { messages } = await slack.call('conversations.history', window);
  return (messages as Json[] | undefined)?.[0] ?? {};
}

async function startStream(slack: Probe, thread?: string): Promise<string> {
  const thread_ts = thread ?? (await slack.post({}));
  const recipient = { recipient_user_id: slack.user, recipient_team_id: slack.team };
  const { ok, error, ts } = await slack.call('chat.startStream', {
    ...at(slack),
    thread_ts,
    ...recipient,
    markdown_text: 'x',
  });
  if (!ok) throw new Error(`chat.startStream: ${error}`);
  return String(ts);
}

/** The result of a call on an open stream, which is ended afterwards. */
async function inStream(slack: Probe, call: (ts: string) => Promise<Answer>): Promise<string> {
  const ts = await startStream(slack);
  const result = toResult(await call(ts));
  await slack.call('chat.stopStream', { ...at(slack), ts });
  return result;
}

function setStatus(slack: Probe, thread_ts: string, status: string): Promise<Answer> {
  return slack.call('agents.sessions.setStatus', { channel_id: slack.channel, thread_ts, status });
}

async function whisper(slack: Probe, place: string, at: { channel?: string; threadTs?: string } = {}): Promise<string> {
  const { channel = slack.channel, threadTs } = at;
  const words = `A check, for you alone, ${place}`;
  const where = { channel, user: slack.user, ...(threadTs && { thread_ts: threadTs }) };
  const answer = await slack.call('chat.postEphemeral', { ...where, text: words });
  if (!answer.ok) return toResult(answer);
  return slack.look({ question: `Do you see “${words}” ${place}?`, channel, words, ...(threadTs && { threadTs }) });
}
