// The opponent: a Slack bot as people usually write it, with Bolt's own receiver and WebClient, and the global fetch
// for the assistant service. It answers mentions in their thread and goes on in the thread's conversation.
//
// What it does not do: nothing is written anywhere, so that a restart forgets the threads and loses what runs; Slack's
// acknowledgement comes before the work; everybody asks with one fixed token; no time zone, no files, no sources, no
// web search switch, no buttons; the answer is posted as it came; nothing is repeated, refused or explained.
import { App } from '@slack/bolt';

const ASSISTANT = `${read('ASSISTANT_BASE_URL')}/rest/conversations`;
const ASSISTANT_HEADERS = {
  authorization: `Bearer ${read('ASSISTANT_TOKEN')}`,
  'content-type': 'application/json',
};

type ChatAnswer = { messages: { text: string }[] };

/** The conversation of each thread. */
const conversations = new Map<string, string>();

const app = new App({
  token: read('SLACK_BOT_TOKEN'),
  signingSecret: read('SLACK_SIGNING_SECRET'),
  clientOptions: { slackApiUrl: read('SLACK_API_URL') },
});

app.event('app_mention', async ({ event, client }) => {
  const { channel } = event;
  const thread = event.thread_ts ?? event.ts;
  await client.assistant.threads.setStatus({ channel_id: channel, thread_ts: thread, status: 'is thinking…' });
  const text = await ask(thread, event.text.replace(/<@\w+>/g, '').trim());
  await client.chat.postMessage({ channel, thread_ts: thread, text, blocks: [{ type: 'markdown', text }] });
});

await app.start(Number(read('PORT')));
// An ordinary end, in which a profile still gets written.
process.once('SIGTERM', () => process.exit(0));
console.log('started');

async function ask(thread: string, text: string): Promise<string> {
  const conversation = conversations.get(thread) ?? (await post<{ id: string }>(ASSISTANT, {})).id;
  conversations.set(thread, conversation);
  const answer = await post<ChatAnswer>(`${ASSISTANT}/${conversation}/chat`, { message: { text } });
  return answer.messages.at(-1)?.text ?? 'There is no answer.';
}

async function post<Answer>(url: string, body: object): Promise<Answer> {
  const response = await fetch(url, { method: 'POST', headers: ASSISTANT_HEADERS, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`the assistant answered ${response.status}`);
  return (await response.json()) as Answer;
}

function read(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is missing`);
  return value;
}
