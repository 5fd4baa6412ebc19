// The floor: the work of plain-bot.ts with Node's own server, and with undici as client, which costs a quarter of the global
// fetch that is built on it. It shows how much of a turn is HTTP and JSON, which nobody can avoid.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { request } from 'undici';
import { askPlainly, read } from './ask-plainly.ts';

const SLACK = read('SLACK_API_URL');
const BOT_TOKEN = read('SLACK_BOT_TOKEN');
const SIGNING_SECRET = read('SLACK_SIGNING_SECRET');

type Mention = { type: string; channel: string; ts: string; thread_ts?: string; text: string };

const server = createServer((incoming, response) => {
  void readText(incoming).then((body) => {
    const isFromSlack = isSigned(incoming, body);
    response.writeHead(isFromSlack ? 200 : 401).end();
    if (isFromSlack) void answer((JSON.parse(body) as { event: Mention }).event);
  });
});
server.listen(Number(read('PORT')), '127.0.0.1', () => console.log('started'));
// Exits normally, so that a profile is still written.
process.once('SIGTERM', () => process.exit(0));

async function readText(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** https://docs.slack.dev/authentication/verifying-requests-from-slack */
function isSigned({ headers }: IncomingMessage, body: string): boolean {
  const base = `v0:${headers['x-slack-request-timestamp']}:${body}`;
  const expected = Buffer.from(`v0=${createHmac('sha256', SIGNING_SECRET).update(base).digest('hex')}`);
  const given = Buffer.from(String(headers['x-slack-signature']));
  return given.length === expected.length && timingSafeEqual(given, expected);
}

async function answer(event: Mention): Promise<void> {
  if (event.type !== 'app_mention') return;
  const { channel } = event;
  const thread = event.thread_ts ?? event.ts;
  const session = { channel_id: channel, thread_ts: thread };
  await callSlack('agents.sessions.setStatus', { ...session, status: 'processing' });
  const text = await askPlainly(thread, event.text.replace(/<@\w+>/g, '').trim(), postJson);
  await callSlack('chat.postMessage', { channel, thread_ts: thread, text, blocks: [{ type: 'markdown', text }] });
  // The stand-in of Slack forgets its messages between the rounds.
  await callSlack('agents.sessions.setStatus', { ...session, status: 'active' }).catch(() => undefined);
}

async function callSlack(method: string, args: object): Promise<void> {
  const { ok, error } = (await postJson(SLACK + method, BOT_TOKEN, args)) as { ok: boolean; error?: string };
  if (!ok) throw new Error(`${method} was refused: ${error}`);
}

async function postJson(url: string, token: string, body: object): Promise<unknown> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json; charset=utf-8' };
  const { statusCode, body: answered } = await request(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (statusCode >= 300) throw new Error(`${url} answered ${statusCode}`);
  return answered.json();
}
