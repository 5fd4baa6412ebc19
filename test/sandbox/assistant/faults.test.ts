import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ask, create, post, readEvents, type Told } from './asking.ts';
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

// What each fault looks like to a client, the tests of the app's own client show.
describe('refusals', () => {
  it('are answered without processing, once', async () => {
    assistant.faults.next('503');

    const refused = await ask(assistant, id);
    const next = await ask(assistant, id);

    expect([refused.status, next.status, turns()]).toEqual([503, 200, 1]);
    expect(refused.text).toContain('ServiceUnavailable');
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

  it('of a conversation with turns wait for one, and end it', async () => {
    assistant.faults.next('410-reused');

    const statuses = [await ask(assistant, id), await ask(assistant, id), await ask(assistant, id)];

    expect(statuses.map(({ status }) => status)).toEqual([200, 410, 410]);
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
  it('follow a processed question', async () => {
    assistant.faults.next('500');

    expect((await ask(assistant, id)).status).toBe(500);
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
  it.each<[FaultKind, (told: Told) => unknown, unknown]>([
    ['rewritten-echo', ({ json }) => json.messages?.[0]?.text, ' WHAT  IS  NEW? '],
    ['all-null-label', (told) => replyOf(told)?.sensitivityLabel?.displayName, null],
  ])('%s', async (kind, read, expected) => {
    assistant.faults.next(kind);

    expect(read(await ask(assistant, id))).toEqual(expected);
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

  it('stream-old-content-type is event/stream', async () => {
    assistant.faults.next('stream-old-content-type');

    const { headers } = await stream();

    expect(headers.get('content-type')).toBe('event/stream');
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
