import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Told } from '../loopback/ask-json.ts';
import { ask, create, post, readEvents } from './asking.ts';
import type { FaultKind } from './faults.ts';
import { type AssistantSandbox, startAssistant } from './start-assistant.ts';

let assistant: AssistantSandbox;
let id: string;

beforeEach(async () => {
  assistant = await startAssistant({ stepMs: 0 });
  id = await create(assistant);
});
afterEach(() => assistant.close());

const statusOf = async () => (await ask(assistant, id)).status;
const turns = () => assistant.conversations.get(id)?.turnCount;

// What each fault looks like to a client, the tests of the app's own client show.
describe('a refusal', () => {
  it('is played once or always, in place of an answer that counts', async () => {
    assistant.faults.next('503');
    const once = [await statusOf(), turns(), await statusOf(), turns()];
    assistant.faults.always('503');
    const always = [await statusOf(), await statusOf(), turns()];
    assistant.faults.clear();

    expect(once).toEqual([503, 0, 200, 1]);
    expect(always).toEqual([503, 503, 1]);
    expect(await statusOf()).toBe(200);
  });

  it.each([
    ['410-reused', [200, 410, 410]],
    ['409-reused', [200, 409, 200]],
  ] as const)(
    'of a conversation with turns waits for one, and ends it unless it is only busy: %s',
    async (fault, told) => {
      assistant.faults.next(fault);

      expect([await statusOf(), await statusOf(), await statusOf()]).toEqual(told);
    },
  );

  it('meets creation only where it is asked to', async () => {
    assistant.faults.next('503', { on: 'create' });

    expect(await statusOf()).toBe(200);
    expect((await post(assistant, '/rest/conversations', {})).status).toBe(503);
  });
});

it('a reset before the body comes without processing, one after it with', async () => {
  assistant.faults.next('reset-before-body');
  const before = [await statusOf().catch(() => 'reset'), turns()];
  assistant.faults.next('reset-after-body');
  const after = [await statusOf().catch(() => 'reset'), turns()];

  expect([before, after]).toEqual([
    ['reset', 0],
    ['reset', 1],
  ]);
  expect(assistant.ledger.chats().map((chat) => [chat.isProcessed, chat.status])).toEqual([[true, undefined]]);
  expect(assistant.ledger.requests.filter((entry) => entry.cut)).toHaveLength(2);
});

it('every chat is rejected after the assistant has disengaged', async () => {
  assistant.faults.next('disengaged');

  expect([await statusOf(), await statusOf()]).toEqual([200, 400]);
});

it('a fault function answers itself, and may process the question', async () => {
  assistant.faults.next(async ({ chat, response, process }) => {
    const { turnCount } = await process();
    response.writeHead(418).end(`${chat.text} ${turnCount}`);
  });

  const told = await ask(assistant, id, 'Tea?');

  expect([told.status, told.text, assistant.faults.pending]).toEqual([418, 'Tea? 1', 0]);
});

const lastEvent = ({ text }: Told) => text.slice(text.lastIndexOf('data:') + 'data:'.length, text.lastIndexOf('id:'));
/** What comes before the final event: replies without the echo. */
const growing = ({ text }: Told) =>
  readEvents(text).flatMap(({ messages }) => (messages?.length === 1 ? String(messages[0]?.text) : []));

describe('an odd answer', () => {
  it.each<[FaultKind, 'chat' | 'chatoverstream', (told: Told) => unknown, unknown]>([
    ['rewritten-echo', 'chat', ({ json }) => json.messages?.[0]?.text, ' WHAT  IS  NEW? '],
    ['echo-only', 'chat', ({ json }) => json.messages?.length, 1],
    [
      'echo-only',
      'chatoverstream',
      ({ text }) => readEvents(text).map((event) => event.messages?.length),
      [0, 0, 0, 1],
    ],
    ['stream-crlf', 'chatoverstream', ({ text }) => text.includes('\r\n\r\n'), true],
    ['stream-missing-blank-line', 'chatoverstream', ({ text }) => text.includes('\n\n'), false],
    ['stream-old-content-type', 'chatoverstream', ({ headers }) => headers.get('content-type'), 'event/stream'],
    ['stream-prefix-rewrite', 'chatoverstream', (told) => new Set(growing(told).map((one) => one.slice(0, 3))).size, 2],
    ['stream-raw-newlines', 'chatoverstream', (told) => lastEvent(told).trim().split('\n').length > 1, true],
    [
      'stream-delta',
      'chatoverstream',
      (told) => growing(told).join('') === JSON.parse(lastEvent(told)).messages[1].text,
      true,
    ],
  ])('is odd: %s (%s)', async (fault, way, read, expected) => {
    assistant.faults.next(fault);

    expect(read(await ask(assistant, id, 'What is new?', way))).toEqual(expected);
  });

  it('of streams waits for a stream', async () => {
    assistant.faults.next('stream-crlf');
    await ask(assistant, id);

    expect(assistant.faults.pending).toBe(1);
  });

  it.each([
    ['drip', 'chat'],
    ['stream-silence', 'chatoverstream'],
  ] as const)('that is slow takes as long as it is told, and is whole: %s', async (fault, way) => {
    assistant.faults.next(fault, { ms: fault === 'drip' ? 1 : 120 });
    const before = Date.now();

    const told = await ask(assistant, id, 'What is new?', way);

    expect(Date.now() - before).toBeGreaterThanOrEqual(115);
    expect(told.text).toContain('This is the first question of our conversation.');
  });
});
