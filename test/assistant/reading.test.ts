// Answers and refusals that the strict stand-in never gives.
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { aCall, aConversation, connect, failureOf, startScripted } from './scripted-service.ts';

const ECHO = { text: 'What is new?' };

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

describe('an answer', () => {
  const stream = `data:${JSON.stringify(aConversation([ECHO, { text: 'News.' }]))}\n\n`;

  it.each([
    ['text', aConversation([ECHO, { text: 'News.' }])],
    ['content', aConversation([{ content: 'What is new?' }, { content: 'News.' }])],
    ['content of the body', { content: 'News.' }],
    ['content of the body beside no messages', { messages: [], content: 'News.' }],
    ['text beside fields nobody knows', aConversation([ECHO, { text: 'News.', x: 1 }, []], { y: {} })],
  ])('is read from %s', async (_, body) => {
    expect((await answerTo(JSON.stringify(body), 'application/json')).text).toBe('News.');
  });

  it.each([
    ['in one piece', JSON.stringify(aConversation([ECHO, { text: 'News.' }])), 'application/json'],
    ['as a stream', stream, 'text/event-stream'],
  ])('that comes %s names the request, for the support of the service', async (_, body, type) => {
    expect((await answerTo(body, type)).requestId).toBe('r-1');
  });

  it.each([
    ['text/event-stream; charset=utf-8', stream],
    ['Event/Stream', stream],
    ['text/plain', stream],
    [undefined, `: hello\n\n${stream}`],
    ['text/plain', JSON.stringify(aConversation([ECHO, { text: 'News.' }]))],
    ['application/json', `\ufeff${JSON.stringify(aConversation([ECHO, { text: 'News.' }]))}`],
  ])('is read as what it is where its type is %s', async (type, body) => {
    expect(await answerTo(body, type)).toMatchObject({ text: 'News.', partial: false });
  });

  it('is read with any status of success', async () => {
    expect((await answerTo(stream, 'text/event-stream', 201)).text).toBe('News.');
  });

  it.each([
    ['nothing', '', 'unreadable'],
    ['a page', '<html>', 'unreadable'],
    ['a list', '[]', 'unreadable'],
    ['an empty object', '{}', 'unreadable'],
    ['a conversation without messages', '{"id":"c1","state":"active","turnCount":1}', 'unreadable'],
    ['half of one', '{"messages":[{"text":"Wha', 'unreadable'],
    ['an error', '{"error":{"code":"x"}}', 'service_error'],
  ])('leaves the outcome unknown where it is %s', async (_, body, reason) => {
    const failure = await failureOf(answerTo(body, 'application/json'));

    expect(failure).toMatchObject({
      code: 'assistant_outcome_unknown',
      reason,
      trace: { status: 200, requestId: 'r-1' },
    });
  });

  it('keeps the code of an error that a stream brings alone', async () => {
    const failure = await failureOf(answerTo('data:{"error":{"code":"generalException"}}\n\n', 'text/event-stream'));

    expect(failure).toMatchObject({ reason: 'service_error', trace: { serviceCode: 'generalException' } });
  });

  it.each(['state', 'status'])('tells by its %s that the conversation is closed', async (field) => {
    const body = { messages: [ECHO, { text: 'No.' }], [field]: 'disengagedForRai' };

    expect(await answerTo(JSON.stringify(body), 'application/json')).toMatchObject({ text: 'No.', disengaged: true });
  });

  it('may repeat its text over more bytes than any answer has', async () => {
    const growing = aConversation([{ text: 'x'.repeat(100_000) }], { displayName: 'Intermediate Conversation Update' });
    const events = `data:${JSON.stringify(growing)}\n\n`.repeat(50);

    expect(await answerTo(`${events}${stream}`, 'text/event-stream')).toMatchObject({ text: 'News.', partial: false });
  });

  it.each([
    ['a stream', 'data:{"error":{"code":"QUOTA_EXCEEDED"}}\n\n', 'text/event-stream'],
    ['one piece', '{"error":{"code":"QUOTA_EXCEEDED"}}', 'application/json'],
  ])('that turns out to be a refusal says why, in %s', async (_, body, type) => {
    expect(await failureOf(answerTo(body, type))).toMatchObject({ code: 'assistant_forbidden', reason: 'credits' });
  });

  it('ends with an error event, also where the stream stays open', async () => {
    const service = await startScripted((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data:{"error":{"code":"x"}}\n\n');
      return undefined;
    });

    expect(await failureOf(connect(service.url).ask(aCall()))).toMatchObject({ reason: 'service_error' });
  });

  it('shows the most sensitive label of its replies', async () => {
    const label = (displayName: string | null, priority: number | null) => ({
      sensitivityLabel: { displayName, priority },
    });
    const messages = [ECHO, { text: 'A', ...label('Secret', 7) }, { text: 'B', ...label('Public', 1) }];

    const answer = await answerTo(JSON.stringify(aConversation(messages)), 'application/json');

    expect(answer.sensitivity).toBe('Secret');
  });
});

describe('a refusal', () => {
  it.each<[number, Parameters<typeof refusal>[1], object]>([
    [429, {}, { code: 'assistant_throttled', retryAfterMs: 5_000 }],
    [429, { headers: { 'retry-after': 'soon' } }, { retryAfterMs: 5_000 }],
    [429, { headers: { 'retry-after': 'Thu, 01 Jan 1970 00:00:09 GMT' } }, { retryAfterMs: 9_000 }],
    [503, { headers: { 'retry-after': 'soon' } }, { code: 'assistant_outcome_unknown' }],
    [408, {}, { code: 'assistant_outcome_unknown', reason: 'timeout' }],
    [418, {}, { code: 'assistant_rejected' }],
    [302, { headers: { location: '/' } }, { code: 'assistant_rejected' }],
    [501, {}, { code: 'assistant_rejected' }],
    [599, {}, { code: 'assistant_outcome_unknown' }],
    [400, { reused: true }, { code: 'conversation_gone' }],
    [404, {}, { code: 'assistant_rejected' }],
    [410, {}, { code: 'assistant_rejected' }],
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

  it('keeps the ids of the request for the logs', async () => {
    const innerError = { 'request-id': 'inner', 'client-request-id': 'c-1' };
    const body = { error: { code: 'generalException', message: 'You asked: what is new?', innerError } };

    const failure = await refusal(500, { body, headers: { 'request-id': 'outer' } });

    expect(failure).toMatchObject({
      trace: { status: 500, serviceCode: 'generalException', requestId: 'outer', clientRequestId: 'c-1' },
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
