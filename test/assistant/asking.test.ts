import { describe, expect, it } from 'vitest';
import type { AssistantClientOptions } from '../../src/assistant/assistant-client.ts';
import { findClosedUrl } from '../http/loopback.ts';
import { aCall, aConversation, connect, failureOf, startScripted } from './scripted-service.ts';

const CREATE = { person: 'T1:U1', accessToken: 'token' };

const ANSWER = aConversation([{ text: 'What is new?' }, { text: 'Nothing.' }]);

describe('creating a conversation', () => {
  it.each([
    ['production', '/rest/conversations'],
    ['beta', '/rest/beta/conversations'],
  ] as const)('posts an empty object in %s', async (stage, path) => {
    const service = await startScripted(() => ({ id: 'c1', status: 'active', turnCount: 0 }));

    const created = await connect(`${service.url}/`, { stage }).createConversation(CREATE);

    expect(created).toEqual({ id: 'c1' });
    expect(service.received[0]).toMatchObject({ method: 'POST', path, body: {} });
    expect(service.received[0]?.headers).toMatchObject({
      authorization: 'Bearer token',
      'content-type': 'application/json',
      accept: 'application/json',
    });
  });

  it.each([{}, { id: '' }, { id: 7 }, { id: '..' }, { id: '\ud800' }, []])(
    'takes no conversation from %j',
    async (body) => {
      const service = await startScripted(() => body);

      const failure = await failureOf(connect(service.url).createConversation(CREATE));

      expect(failure).toMatchObject({ code: 'assistant_unreachable' });
    },
  );

  it.each([
    [500, 'assistant_unreachable'],
    [502, 'assistant_unreachable'],
    [504, 'assistant_unreachable'],
    [401, 'assistant_unauthorized'],
    [403, 'assistant_forbidden'],
    [400, 'assistant_misconfigured'],
    [404, 'assistant_misconfigured'],
    [429, 'assistant_throttled'],
  ])('fails with status %i as %s: no question was asked', async (status, code) => {
    const service = await startScripted(() => status);

    expect(await failureOf(connect(service.url).createConversation(CREATE))).toMatchObject({ code });
  });

  it('may be tried again after a time-out, a reset and a refused connection', async () => {
    const silent = await startScripted(() => undefined);
    const resetting = await startScripted((_, response) => void response.socket?.resetAndDestroy());

    const failures = [
      await failureOf(connect(silent.url, { timeouts: { createMs: 50 } }).createConversation(CREATE)),
      await failureOf(connect(resetting.url).createConversation(CREATE)),
      await failureOf(connect(await findClosedUrl()).createConversation(CREATE)),
    ];

    expect(failures.map((failure) => 'code' in failure && failure.code)).toEqual(
      Array(3).fill('assistant_unreachable'),
    );
  });

  it('stops with its signal', async () => {
    const stop = new AbortController();
    const service = await startScripted(() => void stop.abort());

    const failure = await failureOf(connect(service.url).createConversation({ ...CREATE, signal: stop.signal }));

    expect(failure).toMatchObject({ code: 'assistant_stopped' });
  });
});

describe('the request of a question', () => {
  it('carries the text and the time zone, and nothing at its default', async () => {
    const service = await startScripted(() => ANSWER);

    await connect(service.url, { streaming: 'off' }).ask(aCall());

    expect(service.received).toHaveLength(1);
    expect(service.received[0]).toMatchObject({ method: 'POST', path: '/rest/conversations/c1/chat' });
    expect(service.received[0]?.headers).toMatchObject({
      authorization: 'Bearer sandbox-ana',
      'content-type': 'application/json',
      accept: 'application/json',
    });
    expect(service.received[0]?.body).toEqual({
      message: { text: 'What is new?' },
      locationHint: { timeZone: 'Europe/Madrid' },
    });
  });

  const files = ['https://a.example/x.docx'];
  const sentFiles = { files: [{ uri: files[0] }] };
  const sentOff = { webContext: { isWebEnabled: false } };

  it.each([
    [
      { webSearch: false, files },
      { ...sentOff, ...sentFiles },
    ],
    [{ files }, sentFiles],
    [{ webSearch: false }, sentOff],
  ])('carries files, and web search only as off: %j', async (parts, contextualResources) => {
    const service = await startScripted(() => ANSWER);

    await connect(service.url).ask(aCall(parts));

    expect(service.received[0]?.body).toHaveProperty('contextualResources', contextualResources);
  });

  it('is the same for the stream, which it asks for first', async () => {
    const service = await startScripted(() => ANSWER);

    await connect(service.url, { stage: 'beta' }).ask(aCall({ conversationId: 'a/b?c d' }));

    expect(service.received).toHaveLength(1);
    expect(service.received[0]?.path).toBe('/rest/beta/conversations/a%2Fb%3Fc%20d/chatoverstream');
    expect(service.received[0]?.headers.accept).toBe('text/event-stream');
    expect(service.received[0]?.body).toEqual({
      message: { text: 'What is new?' },
      locationHint: { timeZone: 'Europe/Madrid' },
    });
  });
});

/** One question: what the service offers then, if anything, and how it ends, if not with an answer. */
type Step = { offered?: string; reused?: boolean; code?: string };

type Way = { options?: Partial<AssistantClientOptions>; status?: number; steps: Step[]; asked: string[] };

const BOTH_SPELLINGS = ['chatoverstream', 'chatOverStream'];

describe('the way to ask', () => {
  const WAYS: Record<string, Way> = {
    'is the other spelling where the first is unknown, and is remembered': {
      steps: [{ offered: 'chatOverStream' }, { offered: 'chatOverStream', reused: true }],
      asked: [...BOTH_SPELLINGS, 'chatOverStream'],
    },
    'is the spelling of the contract where the configured one is unknown': {
      options: { streamSegment: 'chatOverStream' },
      steps: [{ offered: 'chatoverstream' }],
      asked: ['chatOverStream', 'chatoverstream'],
    },
    'has no other spelling for a segment of a deployment': {
      options: { streamSegment: 'talk' },
      steps: [{ offered: 'chat' }],
      asked: ['talk', 'chat'],
    },
    ...Object.fromEntries(
      [404, 405, 406, 415, 501].map((status): [string, Way] => [
        `is chat where the stream is refused with ${status}, and is remembered`,
        { status, steps: [{ offered: 'chat' }, { offered: 'chat' }], asked: [...BOTH_SPELLINGS, 'chat', 'chat'] },
      ]),
    ),
    ...Object.fromEntries(
      [400, 401, 403, 409, 410, 413, 429, 500, 502, 503, 504].map((status): [string, Way] => [
        `is not tried again after ${status}`,
        { status, steps: [{ offered: 'chat', code: expect.any(String) }], asked: ['chatoverstream'] },
      ]),
    ),
    'does not mistake a dead conversation for a missing stream': {
      steps: [{ offered: 'chatoverstream' }, { reused: true, code: 'conversation_gone' }],
      asked: ['chatoverstream', 'chatoverstream'],
    },
    'finds a dead conversation before it knows the way, and learns nothing from it': {
      steps: [{ reused: true, code: 'conversation_gone' }, { offered: 'chatOverStream' }],
      asked: [...BOTH_SPELLINGS, 'chat', ...BOTH_SPELLINGS],
    },
    'is looked for again where a known stream vanishes': {
      steps: [{ offered: 'chatoverstream' }, { offered: 'chat' }],
      asked: ['chatoverstream', ...BOTH_SPELLINGS, 'chat'],
    },
    'is rejected where not even chat exists': {
      steps: [{ code: 'assistant_misconfigured' }],
      asked: [...BOTH_SPELLINGS, 'chat'],
    },
  };

  it.each(Object.entries(WAYS))('%s', async (_, { options, status = 404, steps, asked }) => {
    let offered: string | undefined;
    const service = await startScripted(({ path }) => (path.split('/').at(-1) === offered ? ANSWER : status));
    const client = connect(service.url, options);

    for (const { code, reused = false, ...step } of steps) {
      offered = step.offered;
      const asking = client.ask(aCall({ reused }));
      if (code) expect(await failureOf(asking)).toMatchObject({ code });
      else expect((await asking).text).toBe('Nothing.');
    }

    expect(service.paths().map((path) => path.split('/').at(-1))).toEqual(asked);
  });

  it('is looked for again an hour after no stream was found', async () => {
    let at = 0;
    let isOffered = false;
    const service = await startScripted(({ path }) => (isOffered || path.endsWith('/chat') ? ANSWER : 404));
    const client = connect(service.url, { now: () => at });
    await client.ask(aCall());
    isOffered = true;
    at = 3_599_000;
    await client.ask(aCall());
    at = 3_600_000;

    await client.ask(aCall());

    expect(service.paths().map((path) => path.split('/').at(-1))).toEqual([
      ...[...BOTH_SPELLINGS, 'chat'],
      ...['chat', 'chatoverstream'],
    ]);
  });
});

describe('a question on its way', () => {
  it('provably did not arrive where the connection is refused', async () => {
    const failure = await failureOf(connect(await findClosedUrl()).ask(aCall()));

    expect(failure).toMatchObject({ code: 'assistant_unreachable', cause: { code: 'not_sent' } });
  });

  it('is stopped by its signal, with the reason as cause, also while a stream has brought text', async () => {
    const stop = new AbortController();
    const service = await startScripted((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`data:${JSON.stringify(aConversation([{ text: 'Some' }]))}\n\n`);
      setTimeout(() => stop.abort('pressed'), 100);
      return undefined;
    });

    const asking = connect(service.url).ask(aCall({ signal: stop.signal }));

    expect(await failureOf(asking)).toMatchObject({ code: 'assistant_stopped', cause: 'pressed' });
  });

  it('is not sent at all where its signal was given before', async () => {
    const service = await startScripted(() => ANSWER);

    const failure = await failureOf(connect(service.url).ask(aCall({ signal: AbortSignal.abort() })));

    expect(failure).toMatchObject({ code: 'assistant_stopped' });
    expect(service.received).toHaveLength(0);
  });
});
