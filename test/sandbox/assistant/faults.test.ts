import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ask, create, post, readEvents, type Told } from './asking.ts';
import { DEMANDED_CLAIMS } from './error-replies.ts';
import type { FaultKind } from './faults.ts';
import { type AssistantSandbox, startAssistant } from './start-assistant.ts';

let assistant: AssistantSandbox;
let id: string;

beforeEach(async () => {
  assistant = await startAssistant({ stepMs: 0 });
  id = await create(assistant);
});
afterEach(() => assistant.close());

const stream = () => ask(assistant, id, 'Stream?', 'chatoverstream');
const replyOf = ({ json }: Told) => json.messages?.at(-1);
const turns = () => assistant.conversations.get(id)?.turnCount;

describe('refusals', () => {
  const statuses: [FaultKind, number, RegExp][] = [
    ['400-bad-request', 400, /BadRequest/],
    ['400-authentication', 400, /Error authenticating with resource/],
    ['401-expired', 401, /InvalidAuthenticationToken/],
    ['402', 402, /PaymentRequired/],
    ['403-credits', 403, /EnforcementMessageC2/],
    ['403-policy', 403, /DataLossPreventionViolation/],
    ['403-consent', 403, /MODEL_CONSENT_DENIED/],
    ['429-quota', 429, /QUOTA_EXCEEDED/],
    ['403-scopes', 403, /Required scopes = \[/],
    ['403-licence', 403, /"messages":\[.*valid license/],
    ['413', 413, /RequestEntityTooLarge/],
    ['500-wrapped-403', 500, /Got Non-2xx response from IC3\. Status = 403 \(Forbidden\)/],
    ['503', 503, /ServiceUnavailable/],
  ];

  it.each(statuses)('%s is answered without processing, once', async (kind, status, text) => {
    assistant.faults.next(kind);

    const refused = await ask(assistant, id);
    const next = await ask(assistant, id);

    expect([refused.status, next.status]).toEqual([status, 200]);
    expect(refused.text).toMatch(text);
    expect(turns()).toBe(1);
  });

  it('carries the demanded claims in the challenge', async () => {
    assistant.faults.next('401-claims');

    const { status, headers } = await ask(assistant, id);

    const claims = /error="insufficient_claims", claims="([^"]+)"/.exec(headers.get('www-authenticate') ?? '')?.[1];
    expect(status).toBe(401);
    expect(Buffer.from(claims ?? '', 'base64').toString()).toBe(DEMANDED_CLAIMS);
  });

  it('tells Retry-After in seconds and as a date', async () => {
    assistant.faults.next('429-seconds', { retryAfterS: 7 });
    assistant.faults.next('429-date', { retryAfterS: 7 });
    assistant.faults.next('503-retry-after', { retryAfterS: 3 });

    const before = Date.now();
    const answers = [await ask(assistant, id), await ask(assistant, id), await ask(assistant, id)];

    const told = answers.map(({ headers }) => headers.get('retry-after') ?? '');
    const until = Date.parse(told[1] ?? '');
    expect(answers.map(({ status }) => status)).toEqual([429, 429, 503]);
    expect([told[0], told[2]]).toEqual(['7', '3']);
    expect(told[1]).toMatch(/ GMT$/);
    expect(until).toBeGreaterThan(before + 6000);
    expect(until).toBeLessThanOrEqual(Date.now() + 8000);
  });

  it.each([
    ['400-reused', 400],
    ['404-reused', 404],
    ['410-reused', 410],
  ] as const)('%s waits for a conversation with turns, and ends it', async (kind, status) => {
    assistant.faults.next(kind);

    const first = await ask(assistant, id);
    const reused = await ask(assistant, id);
    const again = await ask(assistant, id);

    expect([first.status, reused.status, again.status]).toEqual([200, status, status]);
  });

  it('lets a busy conversation go on after 409', async () => {
    await ask(assistant, id);
    assistant.faults.next('409-reused');

    const statuses = [(await ask(assistant, id)).status, (await ask(assistant, id)).status];

    expect(statuses).toEqual([409, 200]);
  });

  it('meets creation only where it is asked to', async () => {
    assistant.faults.next('503', { on: 'create' });

    const chat = await ask(assistant, id);
    const created = await post(assistant, '/rest/conversations', {});

    expect([chat.status, created.status]).toEqual([200, 503]);
  });
});

describe('lost answers', () => {
  it.each([
    ['500', 500, /InternalServerError/],
    ['502', 502, /<h1>502/],
    ['504-json', 504, /upstream request timeout/],
    ['504-html', 504, /<h1>504/],
    ['not-json', 200, /^<html>/],
  ] as const)('%s follows a processed question', async (kind, status, text) => {
    assistant.faults.next(kind);

    const lost = await ask(assistant, id);

    expect(lost.status).toBe(status);
    expect(lost.text).toMatch(text);
    expect(turns()).toBe(1);
  });

  it('resets before the body without processing, after it with', async () => {
    assistant.faults.next('reset-before-body');
    const before = await ask(assistant, id).catch(() => 'reset');
    const turnsBefore = turns();
    assistant.faults.next('reset-after-body');
    const after = await ask(assistant, id).catch(() => 'reset');

    expect([before, turnsBefore, after, turns()]).toEqual(['reset', 0, 'reset', 1]);
    expect(assistant.ledger.chats().map((chat) => [chat.isProcessed, chat.status])).toEqual([[true, undefined]]);
    expect(assistant.ledger.requests.filter((entry) => entry.cut)).toHaveLength(2);
  });

  it('cuts an answer half-way', async () => {
    assistant.faults.next('cut-answer');

    const cut = await ask(assistant, id).catch(() => 'cut');

    expect([cut, turns()]).toEqual(['cut', 1]);
  });

  it('hangs until the client gives up', async () => {
    assistant.faults.next('hang');
    const path = `${assistant.url}/rest/conversations/${id}/chat`;

    const given = fetch(path, {
      method: 'POST',
      headers: { authorization: 'Bearer sandbox-ana', 'content-type': 'application/json' },
      body: '{"message":{"text":"a"}}',
      signal: AbortSignal.timeout(80),
    }).then(
      () => 'answered',
      () => 'gave up',
    );

    expect(await given).toBe('gave up');
    expect(turns()).toBe(1);
  });

  it('drips a whole answer', async () => {
    const slow = await startAssistant({ answer: () => 'ok' });
    slow.faults.next('drip', { ms: 1 });
    const before = Date.now();

    const dripped = await ask(slow, await create(slow), 'a');
    await slow.close();

    expect(replyOf(dripped)?.text).toBe('ok');
    expect(Date.now() - before).toBeGreaterThan(100);
  });
});

describe('odd answers', () => {
  const check: [FaultKind, (told: Told) => unknown, unknown][] = [
    ['echo-only', ({ json }) => json.messages?.length, 1],
    ['rewritten-echo', ({ json }) => json.messages?.[0]?.text, ' WHAT  IS  NEW? '],
    ['two-replies', ({ json }) => json.messages?.length, 3],
    ['all-null-label', (told) => replyOf(told)?.sensitivityLabel?.displayName, null],
    ['labelled', (told) => replyOf(told)?.sensitivityLabel?.displayName, 'Confidential'],
    ['empty-text', (told) => replyOf(told)?.text, ''],
    ['references', (told) => Object.keys(replyOf(told)?.references ?? {}), ['ref-a', 'ref-b', 'ref-c']],
    ['attributions', (told) => replyOf(told)?.attributions?.length, 3],
    ['external-marker', (told) => String(replyOf(told)?.text).includes('[^external^]'), true],
    ['person-tags', (told) => String(replyOf(told)?.text).includes('<Person>Ben Brandt</Person>'), true],
    ['huge-body', ({ text }) => text.length > 4 * 1024 * 1024, true],
    ['disengaged', ({ json }) => json.state, 'disengagedForRai'],
  ];

  it.each(check)('%s', async (kind, read, expected) => {
    assistant.faults.next(kind);

    const told = await ask(assistant, id);

    expect(told.status).toBe(200);
    expect(read(told)).toEqual(expected);
  });

  it('rejects every chat after the assistant has disengaged', async () => {
    assistant.faults.next('disengaged');
    await ask(assistant, id);

    const next = await ask(assistant, id);

    expect(next.status).toBe(400);
  });

  it('carries an odd answer in a stream, too', async () => {
    assistant.faults.next('echo-only');

    const events = readEvents((await stream()).text);

    expect(events.at(-1)?.messages).toHaveLength(1);
    expect(events.slice(0, -1).every((event) => event.messages?.length === 0)).toBe(true);
  });
});

describe('odd streams', () => {
  it('wait for a streamed chat', async () => {
    assistant.faults.next('stream-crlf');

    await ask(assistant, id);
    const { text } = await stream();

    expect(text).toContain('\r\n\r\n');
  });

  it('stream-prefix-rewrite changes how the answer begins', async () => {
    assistant.faults.next('stream-prefix-rewrite');

    const events = readEvents((await stream()).text);

    const starts = events.flatMap((event) =>
      event.messages?.length === 1 ? [event.messages[0]?.text?.slice(0, 3)] : [],
    );
    expect([...new Set(starts)]).toEqual(['Let', 'Hi ']);
  });

  it('stream-raw-newlines breaks the last event over lines without data:', async () => {
    assistant.faults.next('stream-raw-newlines');

    const { text } = await stream();

    const last = text.slice(text.lastIndexOf('data:') + 5, text.lastIndexOf('id:'));
    expect(last).toContain('\n');
    expect(JSON.parse(last)).toHaveProperty('messages.1.text');
  });

  it('stream-missing-blank-line runs events together', async () => {
    assistant.faults.next('stream-missing-blank-line');

    const { text } = await stream();

    expect(text).not.toContain('\n\n');
    expect(readEvents(text).at(-1)?.messages).toHaveLength(2);
  });

  it('stream-no-final ends after the snapshots; stream-error-event ends with an error', async () => {
    assistant.faults.next('stream-no-final');
    const open = readEvents((await stream()).text);
    assistant.faults.next('stream-error-event');
    const failed = readEvents((await stream()).text);

    expect(open.at(-1)?.messages).toHaveLength(1);
    expect(failed.at(-1)).toHaveProperty('error.code');
  });

  it('stream-old-content-type is event/stream', async () => {
    assistant.faults.next('stream-old-content-type');

    const { headers } = await stream();

    expect(headers.get('content-type')).toBe('event/stream');
  });

  it('stream-cut breaks off inside an event', async () => {
    assistant.faults.next('stream-cut');

    const cut = await stream().catch(() => 'cut');

    expect([cut, turns()]).toEqual(['cut', 1]);
  });

  it('stream-silence pauses as long as it is told', async () => {
    assistant.faults.next('stream-silence', { ms: 120 });
    const before = Date.now();

    const events = readEvents((await stream()).text);

    expect(Date.now() - before).toBeGreaterThanOrEqual(115);
    expect(events.at(-1)?.messages).toHaveLength(2);
  });

  it('stream-delta sends pieces that make the answer together', async () => {
    assistant.faults.next('stream-delta');

    const events = readEvents((await stream()).text);

    const pieces = events.flatMap((event) => (event.messages?.length === 1 ? [event.messages[0]?.text] : []));
    expect(pieces.length).toBeGreaterThan(5);
    expect(pieces.join('')).toBe(events.at(-1)?.messages?.[1]?.text);
  });
});

describe('fault functions', () => {
  it('answer themselves, and may process the question', async () => {
    assistant.faults.next(async ({ chat, response, process }) => {
      const { turnCount } = await process();
      response.writeHead(418).end(`${chat.text} ${turnCount}`);
    });

    const told = await ask(assistant, id, 'Tea?');

    expect([told.status, told.text, assistant.faults.pending]).toEqual([418, 'Tea? 1', 0]);
  });

  it('can be played always, and taken back', async () => {
    assistant.faults.always('503');
    const during = [(await ask(assistant, id)).status, (await ask(assistant, id)).status];
    assistant.faults.clear();

    expect([...during, (await ask(assistant, id)).status]).toEqual([503, 503, 200]);
  });
});
