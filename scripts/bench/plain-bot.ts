// The opponent: a Slack bot as people usually write it, with Bolt's own receiver and WebClient, and the global fetch
// for the assistant service. It answers mentions in their thread and goes on in the thread's conversation.
//
// What it does not do: it stores nothing, so a restart forgets the threads and loses running questions; it acknowledges
// before the work; everybody asks with one fixed token; it has no time zone, no files, no sources, no web search switch and
// no buttons; it posts the answer unchanged; it repeats, refuses and explains nothing.
import { App } from '@slack/bolt';
import { askPlainly, type Post, read } from './ask-plainly.ts';

const app = new App({
  token: read('SLACK_BOT_TOKEN'),
  signingSecret: read('SLACK_SIGNING_SECRET'),
  clientOptions: { slackApiUrl: read('SLACK_API_URL') },
});

const post: Post = async (url, token, body) => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`the assistant answered ${response.status}`);
  return response.json();
};

app.event('app_mention', async ({ event, client }) => {
  const { channel } = event;
  const thread = event.thread_ts ?? event.ts;
  const session = { channel_id: channel, thread_ts: thread };
  await client.agents.sessions.setStatus({ ...session, status: 'processing' });
  const text = await askPlainly(thread, event.text.replace(/<@\w+>/g, '').trim(), post);
  await client.chat.postMessage({ channel, thread_ts: thread, text, blocks: [{ type: 'markdown', text }] });
  // Otherwise the thread looks busy for an hour: https://docs.slack.dev/ai/agent-sessions. The stand-in may have forgotten it.
  await client.agents.sessions.setStatus({ ...session, status: 'active' }).catch(() => undefined);
});

await app.start(Number(read('PORT')));
// Exits normally, so that a profile is still written.
process.once('SIGTERM', () => process.exit(0));
console.log('started');
