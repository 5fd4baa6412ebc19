// Answers and refusals that the strict stand-in never gives.
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { aCall, aConversation, connect, failureOf, startScripted } from './scripted-service.ts';

const ECHO = { text: 'What is new?' };

const toStream = (event: object) => `data:${JSON.stringify(event)}\n\n`;

async function answerTo(body: string, type: string | undefined, status = 200) {
  const service = await startScripted((_, response) => {
    response.writeHead(status, { 'request-id': 'r-1', ...(type ? { 'content-type': type } : {}) }).end(body);
    return undefined;
  });
  return connect(service.url).ask(aCall());
}

async function refusal(status: number, parts: { body?: unknown; headers?: Record<string, string>; reused?: boolean }) {
  const service = await startScripted((_, response) => {
    const body = typeof parts.body === 'string' ? parts.body : JSON.stringify(parts.body ?? {});
    response.writeHead(status, parts.headers).end(body);
    return undefined;
  });
  const client = connect(service.url, { streaming: 'off', now: () => 0 });
  return failureOf(client.ask(aCall({ reused: parts.reused ?? false })));
}

/** A refusal whose body is a conversation that explains it. */
function explained(text: string) {
  return { body: aConversation([{ text }]) };
}

const JSON_TYPE = 'application/json';
const STREAM_TYPE = 'text/event-stream';
const NEWS = aConversation([ECHO, { text: 'News.' }]);
const STREAM = toStream(NEWS);
const label = (displayName: string, priority: number) => ({ sensitivityLabel: { displayName, priority } });
const growing = aConversation([{ text: 'x'.repeat(100_000) }], { displayName: 'Intermediate Conversation Update' });

describe('an answer', () => {
  it.each<[string, object | string, string | undefined, object?]>([
    ['text', NEWS, JSON_TYPE],
    ['content', aConversation([{ content: 'What is new?' }, { content: 'News.' }]), JSON_TYPE],
    ['content of the body', { content: 'News.' }, JSON_TYPE],
    ['content of the body beside no messages', { messages: [], content: 'News.' }, JSON_TYPE],
    ['text beside fields nobody knows', aConversation([ECHO, { text: 'News.', x: 1 }, []], { y: {} }), JSON_TYPE],
    [
      'text with half a character, which Slack would refuse',
      '{"messages":[{"text":"What is new?"},{"text":"News. \\ud83d"}]}',
      JSON_TYPE,
      { text: 'News. \ufffd' },
    ],
    ['a stream', STREAM, STREAM_TYPE],
    ['a stream whose type names its encoding', STREAM, `${STREAM_TYPE}; charset=utf-8`],
    ['a stream of an older type', STREAM, 'Event/Stream'],
    ['a stream that is called text', STREAM, 'text/plain'],
    ['a stream without a type', `: hello\n\n${STREAM}`, undefined],
    ['JSON that is called text', NEWS, 'text/plain'],
    ['JSON with a mark of its encoding', `\ufeff${JSON.stringify(NEWS)}`, JSON_TYPE],
    ['a stream that repeats more than any answer has', toStream(growing).repeat(50) + STREAM, STREAM_TYPE],
    ['a closed conversation, by its state', { ...NEWS, state: 'disengagedForRai' }, JSON_TYPE, { disengaged: true }],
    [
      'a closed conversation, by its status',
      { ...NEWS, state: undefined, status: 'disengagedForRai' },
      JSON_TYPE,
      { disengaged: true },
    ],
    [
      'a closed conversation without messages',
      { id: 'c1', state: 'disengagedForRai' },
      JSON_TYPE,
      { text: '', disengaged: true },
    ],
    [
      'replies with labels, of which the most sensitive counts',
      aConversation([ECHO, { text: 'News.', ...label('Secret', 7) }, { text: '', ...label('Public', 1) }]),
      ...([JSON_TYPE, { sensitivity: 'Secret' }] as const),
    ],
  ])('is read from %s', async (_, body, type, more) => {
    const answer = await answerTo(typeof body === 'string' ? body : JSON.stringify(body), type);

    expect(answer).toMatchObject({ text: 'News.', partial: false, requestId: 'r-1', ...more });
  });

  it('is read with any status of success', async () => {
    expect((await answerTo(STREAM, STREAM_TYPE, 201)).text).toBe('News.');
  });

  const UNKNOWN = { code: 'assistant_outcome_unknown', reason: 'unreadable', trace: { status: 200, requestId: 'r-1' } };
  const FAILED = { ...UNKNOWN, reason: 'service_error' };
  const REFUSED = { code: 'assistant_forbidden', reason: 'credits' };
  it.each<[string, string, object, string?]>([
    ['nothing', '', UNKNOWN],
    ['a page', '<html>', UNKNOWN],
    ['a list', '[]', UNKNOWN],
    ['an empty object', '{}', UNKNOWN],
    ['a conversation without messages', '{"id":"c1","state":"active","turnCount":1}', UNKNOWN],
    ['half of one', '{"messages":[{"text":"Wha', UNKNOWN],
    ['an error', '{"error":{"code":"x"}}', FAILED],
    [
      'an error in a stream',
      'data:{"error":{"code":"x"}}\n\n',
      { ...FAILED, trace: { serviceCode: 'x' } },
      STREAM_TYPE,
    ],
    ['a refusal', '{"error":{"code":"QUOTA_EXCEEDED"}}', REFUSED],
    ['a refusal in a stream', 'data:{"error":{"code":"QUOTA_EXCEEDED"}}\n\n', REFUSED, STREAM_TYPE],
  ])('is no answer where it is %s', async (_, body, error, type = JSON_TYPE) => {
    expect(await failureOf(answerTo(body, type))).toMatchObject(error);
  });

  it('ends with an error event, also where the stream stays open', async () => {
    const service = await startScripted((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data:{"error":{"code":"x"}}\n\n');
      return undefined;
    });

    expect(await failureOf(connect(service.url).ask(aCall()))).toMatchObject({ reason: 'service_error' });
  });
});

describe('a refusal', () => {
  it.each<[number, Parameters<typeof refusal>[1], object]>([
    [429, {}, { code: 'assistant_throttled', retryAfterMs: 5_000 }],
    [429, { headers: { 'retry-after': 'soon' } }, { retryAfterMs: 5_000 }],
    [429, { headers: { 'retry-after': 'Thu, 01 Jan 1970 00:00:09 GMT' } }, { retryAfterMs: 9_000 }],
    [503, { headers: { 'retry-after': 'soon' } }, { code: 'assistant_outcome_unknown' }],
    [408, {}, { code: 'assistant_outcome_unknown', reason: 'timeout' }],
    [418, {}, { code: 'assistant_misconfigured' }],
    [422, {}, { code: 'assistant_rejected' }],
    [302, { headers: { location: '/' } }, { code: 'assistant_misconfigured' }],
    [501, {}, { code: 'assistant_misconfigured' }],
    [599, {}, { code: 'assistant_outcome_unknown' }],
    [400, { reused: true }, { code: 'conversation_gone' }],
    [404, {}, { code: 'assistant_misconfigured' }],
    [410, {}, { code: 'assistant_misconfigured' }],
    [410, { reused: true }, { code: 'conversation_gone' }],
    [400, { reused: true, body: { error: { code: 'AuthenticationError' } } }, { code: 'assistant_account' }],
    [400, { body: { error: { innerError: { code: 'AuthenticationError' } } } }, { code: 'assistant_account' }],
    [400, { body: { error: { message: 'AuthenticationError' } } }, { code: 'assistant_rejected' }],
    [403, {}, { code: 'assistant_forbidden', reason: 'other' }],
    [403, { headers: { 'www-authenticate': 'Bearer error="insufficient_scope"' } }, { reason: 'consent' }],
    [403, explained('You have no Copilot licence. Ask for one.'), { reason: 'licence' }],
    [403, explained('Your organization has run out of credits.'), { reason: 'credits' }],
    [403, explained('A policy of your organization does not allow this.'), { reason: 'policy' }],
    [403, explained('Your admin has to consent first.'), { reason: 'consent' }],
    [403, explained('You may not.'), { reason: 'other', explanation: 'You may not.' }],
    [429, { body: { error: { innerError: { code: 'quota_exceeded' } } } }, { reason: 'credits' }],
    [
      429,
      { body: { error: { code: 'QUOTA_EXCEEDED' } }, headers: { 'retry-after': '9' } },
      { code: 'assistant_throttled', retryAfterMs: 9_000 },
    ],
    [400, { body: { error: { code: 'QUOTA_EXCEEDED' } } }, { code: 'assistant_rejected' }],
    [402, {}, { code: 'assistant_forbidden', reason: 'credits' }],
    [413, {}, { code: 'question_too_long' }],
    [504, {}, { code: 'assistant_outcome_unknown', reason: 'timeout' }],
    [
      500,
      { body: { error: { message: 'Status = 403 (Forbidden)' } } },
      { code: 'assistant_forbidden', reason: 'other' },
    ],
    [403, { body: '<html>no</html>' }, { reason: 'other', explanation: undefined }],
    [500, { body: { error: { message: 'Status = 404 (Not Found)' } } }, { code: 'assistant_outcome_unknown' }],
    [502, { body: { error: { message: 'Status = 403 (Forbidden)' } } }, { code: 'assistant_outcome_unknown' }],
  ])('of status %i with %j becomes %j', async (status, parts, error) => {
    expect(await refusal(status, parts)).toMatchObject(error);
  });

  it.each([
    ['its own header', { 'request-id': 'outer', 'x-ms-request-id': 'gateway' }, 'outer'],
    ['its body, rather than a header of the gateway', { 'x-ms-request-id': 'gateway' }, 'inner'],
  ])('keeps the ids of the request for the logs: of the service, in %s', async (_, headers, requestId) => {
    const innerError = { 'request-id': 'inner', 'client-request-id': 'c-1' };
    const body = { error: { code: 'generalException', message: 'You asked: what is new?', innerError } };

    const failure = await refusal(500, { body, headers });

    expect(failure).toMatchObject({
      trace: { status: 500, serviceCode: 'generalException', requestId, clientRequestId: 'c-1' },
    });
    expect(failure.message).not.toContain('asked');
  });

  it('logs nothing that is more than an identifier', async () => {
    const failure = await refusal(500, { body: { error: { code: 'Text of a person' } } });

    expect(failure).toMatchObject({ trace: { serviceCode: undefined } });
  });

  it.each<[string, string, (response: ServerResponse) => void]>([
    ['breaks off', '{"error":', (response) => response.destroy()],
    ['is large and does not end', 'x'.repeat(100_000), () => undefined],
  ])('is known by its status where its body %s', async (_, body, goOn) => {
    const service = await startScripted((_received, response) => {
      response.writeHead(429, { 'retry-after': '2' });
      response.write(body, () => goOn(response));
      return undefined;
    });

    const failure = await failureOf(connect(service.url).ask(aCall()));

    expect(failure).toMatchObject({ code: 'assistant_throttled', retryAfterMs: 2_000 });
  });
});
