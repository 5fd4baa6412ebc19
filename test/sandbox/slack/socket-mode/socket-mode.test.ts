import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSlackForEach } from '../open-test-app.ts';
import type { Json } from '../records.ts';

const slack = openSlackForEach({ retry: [10, 1_000, 2_000, 2_000], ackTimeoutMs: 2_000 });
const clients: WebSocket[] = [];

beforeEach(() => {
  slack.registration.isSocketMode = true;
});
afterEach(() => {
  for (const client of clients.splice(0)) client.close();
});

async function openUrl(token = slack.appToken, body = '{}'): Promise<Json> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const answer = await fetch(`${slack.apiUrl}apps.connections.open`, { method: 'POST', headers, body });
  return (await answer.json()) as Json;
}

type Client = { socket: WebSocket; messages: Json[]; ack(envelope: Json | undefined, payload?: Json): void };

async function connect(): Promise<Client> {
  const { url } = await openUrl();
  const socket = new WebSocket(String(url));
  clients.push(socket);
  const client: Client = {
    socket,
    messages: [],
    ack: (envelope, payload) => socket.send(JSON.stringify({ envelope_id: envelope?.envelope_id, payload })),
  };
  socket.addEventListener('message', ({ data }) => client.messages.push(JSON.parse(data) as Json));
  await expect.poll(() => client.messages.length).toBeGreaterThan(0);
  return client;
}

const ofType = ({ messages }: Client, type: string) => messages.filter((message) => message.type === type);

describe('a connection', () => {
  it('needs a ticket of its own', async () => {
    const { url } = await openUrl();
    const first = new WebSocket(String(url));
    clients.push(first);
    await expect.poll(() => slack.socketMode.count).toBe(1);
    const second = new WebSocket(String(url));

    await new Promise((resolve) => second.addEventListener('error', resolve));
    expect(slack.socketMode.count).toBe(1);
  });

  it('is one of ten: the eleventh is told so, and closed', async () => {
    for (let open = 0; open < 10; open++) await connect();
    const last = await connect();

    expect(last.messages).toMatchObject([{ type: 'disconnect', reason: 'too_many_websockets' }]);
    await expect.poll(() => last.socket.readyState).toBe(WebSocket.CLOSED);
    expect(slack.socketMode.count).toBe(10);
  });
});

describe('the token', () => {
  it.each([
    ['a bot token', () => slack.botToken, 'not_allowed_token_type'],
    ['a wrong one', () => 'xapp-1-wrong', 'invalid_auth'],
  ])('of the app is needed: %s is refused', async (_, token, error) => {
    expect(await openUrl(token())).toEqual({ ok: false, error });
  });

  it('of the app is good for nothing else', async () => {
    const headers = { authorization: `Bearer ${slack.appToken}` };
    const answer = await fetch(`${slack.apiUrl}auth.test`, { method: 'POST', headers });

    expect(await answer.json()).toEqual({ ok: false, error: 'not_allowed_token_type' });
  });
});

describe('an envelope', () => {
  it('is sent over one connection, once acknowledged', async () => {
    const both = [await connect(), await connect()];
    const said = slack.as('U0ANA').say('C0FINANCE', 'hello');
    await expect.poll(() => both.flatMap((client) => ofType(client, 'events_api')).length).toBe(1);
    for (const client of both) for (const envelope of ofType(client, 'events_api')) client.ack(envelope);

    expect((await said).deliveries).toMatchObject([{ ok: true, attempts: 1 }]);
    expect(both.flatMap((client) => ofType(client, 'events_api'))).toMatchObject([
      { accepts_response_payload: false, retry_attempt: 0, payload: { type: 'event_callback' } },
    ]);
    expect(slack.socketMode.problems).toEqual([]);
  });

  it('of an event is sent again in another one where it is not acknowledged in time', async () => {
    const client = await connect();
    const said = slack.as('U0ANA').say('C0FINANCE', 'hello');
    await expect.poll(() => ofType(client, 'events_api').length).toBe(2);
    const [first, second] = ofType(client, 'events_api');
    client.ack(second);

    expect((await said).deliveries).toMatchObject([{ ok: true, attempts: 2 }]);
    expect(second).toMatchObject({ retry_attempt: 1, retry_reason: 'timeout' });
    expect(second?.envelope_id).not.toBe(first?.envelope_id);
    expect(second?.payload).toEqual(first?.payload);
  });

  it('of an event is sent again where there was no connection, or it was lost', async () => {
    const said = slack.as('U0ANA').say('C0FINANCE', 'hello');
    const client = await connect();
    await expect.poll(() => ofType(client, 'events_api').length).toBe(1);
    slack.socketMode.cut();
    const next = await connect();
    await expect.poll(() => ofType(next, 'events_api').length).toBe(1);
    next.ack(ofType(next, 'events_api')[0]);

    expect((await said).deliveries).toMatchObject([{ ok: true }]);
  });

  it('of a command takes an answer, and is not sent again', async () => {
    const client = await connect();
    const given = slack.as('U0ANA').command('/x', 'y', 'C0GENERAL');
    await expect.poll(() => ofType(client, 'slash_commands').length).toBe(1);
    client.ack(ofType(client, 'slash_commands')[0], { text: 'here you are' });

    expect((await given).reply).toMatchObject({ text: 'here you are' });
    expect(await slack.as('U0ANA').command('/x', 'y', 'C0GENERAL')).toMatchObject({ error: 'operation_timeout' });
    expect(ofType(client, 'slash_commands')).toHaveLength(2);
  });

  it('is acknowledged on the connection that it came on, and nowhere else', async () => {
    const both = [await connect(), await connect()];
    const said = slack.as('U0ANA').say('C0FINANCE', 'hello', { retry: 'none' });
    await expect.poll(() => both.flatMap((client) => ofType(client, 'events_api')).length).toBe(1);
    const [envelope] = both.flatMap((client) => ofType(client, 'events_api'));
    both.find((client) => ofType(client, 'events_api').length === 0)?.ack(envelope);

    expect((await said).deliveries).toMatchObject([{ ok: false }]);
    expect(slack.socketMode.problems).toEqual(['an acknowledgement on another connection']);
  });
});
