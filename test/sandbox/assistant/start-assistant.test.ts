import { describe, expect, it, onTestFinished } from 'vitest';
import { ask, askAs, create, post, readEvents } from './asking.ts';
import { type AssistantOptions, type AssistantSandbox, startAssistant } from './start-assistant.ts';

async function start(options: AssistantOptions = {}): Promise<AssistantSandbox> {
  const assistant = await startAssistant({ stepMs: 0, ...options });
  onTestFinished(() => assistant.close());
  return assistant;
}

describe('conversations', () => {
  it.each(['/rest/conversations', '/rest/beta/conversations'])('are created at %s', async (path) => {
    const assistant = await start();

    const created = await post(assistant, path, {});

    expect(created.status).toBe(201);
    expect(created.json).toMatchObject({ displayName: '', status: 'active', turnCount: 0 });
    expect(created.json.createdDateTime).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}Z$/);
    expect(assistant.ledger.created).toBe(1);
  });

  it('answer with the echo and the reply of this turn only', async () => {
    const assistant = await start();
    const id = await create(assistant);
    await ask(assistant, id, 'First?');

    const { status, json } = await ask(assistant, id, 'Second?');

    expect(status).toBe(200);
    expect(json).toMatchObject({ id, state: 'active', turnCount: 2, displayName: 'First?' });
    expect(json.messages).toHaveLength(2);
    expect(json.messages?.[0]).toMatchObject({
      text: 'Second?',
      adaptiveCards: [{}],
      attributions: [],
      references: {},
    });
    expect(json.messages?.[1]?.text).toContain('Earlier you asked one question: “First?”.');
    expect(json.messages?.[1]?.sensitivityLabel).toMatchObject({ displayName: null, isEncrypted: null });
  });

  it('tell the name, the time zone, the files, and web sources unless web search is off', async () => {
    const assistant = await start();
    const path = `/rest/conversations/${await create(assistant)}/chat`;
    const question = { message: { text: 'Plan?' }, locationHint: { timeZone: 'Europe/Madrid' } };
    const files = [{ uri: 'https://files.example.com/sites/a/Plan%20B.docx' }];

    const open = await post(assistant, path, { ...question, contextualResources: { files } });
    const closed = await post(assistant, path, {
      ...question,
      contextualResources: { webContext: { isWebEnabled: false } },
    });

    expect(open.json.messages?.[1]?.text).toMatch(/^Hi Ana.*Plan B\.docx.*Europe\/Madrid/s);
    const providers = [open, closed].map(({ json }) => JSON.stringify(json.messages?.[1]?.attributions));
    expect(providers[0]).toContain('Public overview');
    expect(providers[1]).not.toContain('Public overview');
    expect(closed.json.messages?.[1]?.text).toContain('Web search was off');
    expect(assistant.ledger.chats().map((chat) => chat.isWebEnabled)).toEqual([undefined, false]);
  });
});

describe('the request check', () => {
  const chat = (parts: object) => ({ message: { text: 'a' }, ...parts });
  const withFile = (file: object) => chat({ contextualResources: { files: [file] } });

  it.each<[string, unknown]>([
    ['a message as a string', { message: 'hi' }],
    ['no message', {}],
    ['an empty text', { message: { text: ' ' } }],
    ['an unknown field of the message', { message: { text: 'a', role: 'user' } }],
    ['an unknown field', chat({ additionalContext: [] })],
    ['a location hint as a string', chat({ locationHint: 'Europe/Madrid' })],
    ['a Windows time zone', chat({ locationHint: { timeZone: 'Romance Standard Time' } })],
    ['an offset as time zone', chat({ locationHint: { timeZone: '+01:00' } })],
    ['a string for isWebEnabled', chat({ contextualResources: { webContext: { isWebEnabled: 'false' } } })],
    ['a file over http', withFile({ uri: 'http://files.example.com/a' })],
    ['a relative file', withFile({ uri: '/sites/a' })],
    ['a file with a space', withFile({ uri: 'https://f.example.com/a b' })],
    ['a file by item id', withFile({ itemId: '1' })],
    ['an array', []],
    ['no JSON', '{"message"'],
  ])('refuses %s', async (_name, body) => {
    const assistant = await start();
    const id = await create(assistant);

    const { status, json } = await post(assistant, `/rest/conversations/${id}/chat`, body);

    expect(status).toBe(400);
    expect(json.error?.innerError?.['request-id']).toBeTruthy();
    expect(assistant.conversations.get(id)?.turnCount).toBe(0);
  });

  it('refuses another content type, a body in create, other methods and paths, and no location hint where one is wanted', async () => {
    const assistant = await start();
    const id = await create(assistant);
    const chat = `/rest/conversations/${id}/chat`;

    const answers = [
      await post(assistant, chat, '{}', { 'content-type': 'text/plain' }),
      await post(assistant, '/rest/conversations', { displayName: 'x' }),
      await post(assistant, '/rest/other', {}),
      await post(assistant, `/rest/conversations/${id}/chatOverStream`, { message: { text: 'a' } }),
    ];
    const read = await fetch(assistant.url + chat, { headers: { authorization: 'Bearer sandbox-ana' } });
    const demanding = await start({ requireLocationHint: true });

    expect([...answers.map(({ status }) => status), read.status]).toEqual([415, 400, 404, 404, 405]);
    expect((await ask(demanding, await create(demanding))).status).toBe(400);
  });
});

describe('rights', () => {
  it('demands a token, of its own audience, with the scope', async () => {
    const scopes: Record<string, string> = { other: 'api://admin.sandbox/Read', less: 'api://assistant.sandbox/Read' };
    const assistant = await start({
      verifyToken: (token) => {
        const scope = scopes[token];
        return scope === undefined ? undefined : { subject: 'ana', name: 'Ana', scope };
      },
    });
    const create401 = (authorization: string) => post(assistant, '/rest/conversations', {}, { authorization });

    const answers = await Promise.all(
      ['', 'Basic YQ==', 'Bearer expired', 'Bearer other', 'Bearer less'].map(create401),
    );

    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 403]);
    expect(answers[2]?.headers.get('www-authenticate')).toContain('error="invalid_token"');
    expect(answers[4]?.text).toContain('Required scopes = [');
    expect(assistant.ledger.requests.every((entry) => !/expired|other/.test(JSON.stringify(entry.headers)))).toBe(true);
  });

  it('keeps a conversation to its owner, as the test wants it', async () => {
    const assistant = await start();
    const id = await create(assistant);

    const statuses: number[] = [];
    for (const others of ['forbidden', 'not-found', 'allowed'] as const) {
      assistant.access.others = others;
      statuses.push((await askAs(assistant, 'ben', id)).status);
    }

    expect(statuses).toEqual([403, 404, 200]);
    expect(assistant.ledger.chats().map((chat) => [chat.subject, chat.isProcessed])).toEqual([
      ['ben', false],
      ['ben', false],
      ['ben', true],
    ]);
  });

  it('refuses one person for good as a 500 whose message holds the status, and serves the others', async () => {
    const assistant = await start();
    const [ofAna, ofBen] = [await create(assistant), await create(assistant, 'ben')];
    assistant.access.unlicensed.set('ana', '500-wrapped-403');

    const refused = [await ask(assistant, ofAna), await ask(assistant, ofAna)];
    const served = await askAs(assistant, 'ben', ofBen);

    expect(refused.map(({ status }) => status)).toEqual([500, 500]);
    expect(refused[1]?.json.error?.message).toContain('Status = 403');
    expect(served.status).toBe(200);
  });
});

describe('streaming', () => {
  it('sends heartbeats, growing snapshots of the reply, and the whole conversation', async () => {
    const assistant = await start();
    const id = await create(assistant);

    const { headers, text } = await ask(assistant, id, 'Stream?', 'chatoverstream');

    const events = readEvents(text);
    const last = events.at(-1);
    const texts = events
      .filter((event) => event.messages?.length === 1)
      .map((event) => String(event.messages?.[0]?.text));
    expect(headers.get('content-type')).toBe('text/event-stream');
    expect(events.slice(0, 2).map((event) => [event.displayName, event.turnCount, event.messages?.length])).toEqual([
      ['Intermediate Conversation Update', 0, 0],
      ['Intermediate Conversation Update', 1, 0],
    ]);
    expect(texts.length).toBeGreaterThan(5);
    expect(texts.every((one, index) => one.startsWith(texts[index - 1] ?? ''))).toBe(true);
    expect(last?.messages).toHaveLength(2);
    expect(last?.messages?.[1]?.text).toBe(texts.at(-1));
    expect(text).toMatch(/^id:\d+ $/m);
    expect(text).not.toContain('[DONE]');
  });

  it('can be off, and can be spelled the other way', async () => {
    const off = await start({ streaming: 'off' });
    const refusing = await start({ streaming: 'off', streamingOffStatus: 405 });
    const spelled = await start({ spelling: 'chatOverStream' });
    const tell = async (assistant: AssistantSandbox, way: string) =>
      (await ask(assistant, await create(assistant), 'a', way)).status;

    const statuses = [
      await tell(off, 'chatoverstream'),
      await tell(refusing, 'chatoverstream'),
      await tell(spelled, 'chatoverstream'),
      await tell(spelled, 'chatOverStream'),
    ];

    expect(statuses).toEqual([404, 405, 404, 200]);
  });
});

it('one turn at a time is taken in a conversation', async () => {
  const assistant = await start();
  const id = await create(assistant);
  assistant.hold();
  const first = ask(assistant, id);
  await expect.poll(() => assistant.held).toBe(1);

  const second = await ask(assistant, id);
  assistant.release();

  expect([second.status, (await first).status]).toEqual([409, 200]);
});
