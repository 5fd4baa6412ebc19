import type { FaultKind, FaultOptions } from '@assistant-bridge/sandbox/assistant/faults.ts';
import type { AssistantOptions } from '@assistant-bridge/sandbox/assistant/start-assistant.ts';
import { type AssistantSandbox, startAssistant } from '@assistant-bridge/sandbox/assistant/start-assistant.ts';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { AskCall, AssistantAnswer, AssistantClientOptions } from '../../src/assistant/assistant-client.ts';
import { aCall, connect, failureOf } from './scripted-service.ts';

type World = {
  assistant: AssistantSandbox;
  ask(parts?: Partial<AskCall>): Promise<AssistantAnswer>;
};

type Setting = { service?: AssistantOptions; client?: Partial<AssistantClientOptions> };

const ANSWER = 'The plan is agreed. Ben owns it, and it is due on Friday.';

/** The stand-in of the service, our client, and a conversation that both know. */
async function start({ service, client: parts }: Setting = {}): Promise<World> {
  const assistant = await startAssistant({ stepMs: 0, requireLocationHint: true, answer: () => ANSWER, ...service });
  onTestFinished(() => assistant.close());
  const client = connect(assistant.url, parts);
  const { id } = await client.createConversation({ person: 'T1:U1', accessToken: 'sandbox-ana' });
  return {
    assistant,
    ask: (call = {}) => client.ask(aCall({ conversationId: id, ...call })),
  };
}

const streaming = ['auto', 'off'] as const;

describe.each(streaming)('an answer (streaming %s)', (way) => {
  const startWith = async (fault: FaultKind, options?: FaultOptions) => {
    const world = await start({ client: { streaming: way } });
    world.assistant.faults.next(fault, options);
    return world;
  };

  const file = (name: string) => `https://files.example.com/sites/team/${name}`;

  it.each<[FaultKind, Partial<AssistantAnswer>]>([
    ['echo-only', { text: '', sources: [] }],
    ['empty-text', { text: '' }],
    ['rewritten-echo', { text: ANSWER }],
    ['two-replies', { text: `Let me look that up.\n\n${ANSWER}` }],
    ['labelled', { sensitivity: 'Confidential' }],
    ['all-null-label', { sensitivity: undefined }],
    [
      'references',
      {
        text: 'The budget is approved [1] [2].',
        sources: [
          { number: 1, title: 'budget.xlsx', url: file('budget.xlsx') },
          { number: 2, title: 'notes.docx', url: file('notes.docx') },
        ],
      },
    ],
    [
      'attributions',
      {
        text: 'Two sources agree.[1][2]',
        sources: [
          { number: 1, title: 'Minutes', url: file('minutes.docx') },
          { number: 2, title: 'Plan', url: file('plan.docx') },
        ],
      },
    ],
    ['external-marker', { text: `${ANSWER} A public page says the same.` }],
    ['person-tags', { text: 'Ask Ben Brandt; the plan is in Plan.docx.', sources: [] }],
    ['disengaged', { disengaged: true, text: expect.stringContaining('I cannot') }],
    ['drip', { text: ANSWER }],
  ])('is read as it is meant: %s', async (fault, expected) => {
    const { ask } = await startWith(fault, { ms: 0 });

    expect(await ask()).toMatchObject({ partial: false, ...expected });
  });

  it('survives one that is too large to read', async () => {
    const { ask } = await startWith('huge-body');

    if (way === 'off') {
      expect(await failureOf(ask())).toMatchObject({ code: 'assistant_outcome_unknown', reason: 'too_large' });
    } else {
      expect(await ask()).toMatchObject({ partial: true, text: expect.stringMatching(/^A very long answer\./) });
    }
  });

  // Refusals are in reading.test.ts, and as people read them in ../end-to-end/answers.test.ts.
  it.each<[FaultKind, object]>([
    ['401-claims', { code: 'assistant_unauthorized' }],
    ['403-scopes', { code: 'assistant_forbidden', reason: 'consent', explanation: undefined }],
    ['403-credits', { code: 'assistant_forbidden', reason: 'credits', trace: { serviceCode: 'EnforcementMessageC2' } }],
    ['504-json', { code: 'assistant_outcome_unknown', reason: 'timeout', trace: { serviceCode: 'UnknownError' } }],
    ['not-json', { code: 'assistant_outcome_unknown', reason: way === 'off' ? 'unreadable' : 'ended' }],
    ['reset-before-body', { code: 'assistant_outcome_unknown', reason: 'reset' }],
    ['reset-after-body', { code: 'assistant_outcome_unknown', reason: 'reset' }],
  ])('fails on %s as the right error, and is asked once', async (fault, error) => {
    const { ask, assistant } = await startWith(fault, { retryAfterS: 3 });

    expect(await failureOf(ask())).toMatchObject(error);
    expect(assistant.ledger.count(({ path }) => path.includes('/chat'))).toBe(1);
  });

  it('waits until the date that a 429 names', async () => {
    const { ask } = await startWith('429-date', { retryAfterS: 30 });

    const failure = await failureOf(ask());

    expect(failure).toMatchObject({ code: 'assistant_throttled', retryAfterMs: expect.closeTo(30_000, -4) });
  });

  it.each<[FaultKind, string]>([
    ['400-reused', 'conversation_gone'],
    ['404-reused', 'conversation_gone'],
    ['410-reused', 'conversation_gone'],
    ['409-reused', 'conversation_busy'],
  ])('fails on %s as %s, and is asked once', async (fault, code) => {
    const { ask, assistant } = await startWith(fault);
    await ask();

    const failure = await failureOf(ask({ reused: true }));

    expect(failure).toMatchObject({ code, trace: { requestId: expect.stringMatching(/^[\w-]{36}$/) } });
    expect(assistant.ledger.count(({ path }) => path.includes('/chat'))).toBe(2);
  });

  it('is in doubt where the connection is cut before anything readable', async () => {
    const { ask } = await startWith('cut-answer');
    const outcome = await ask().catch((error: Error) => error);

    if (way === 'off') expect(outcome).toMatchObject({ code: 'assistant_outcome_unknown', reason: 'reset' });
    else expect(outcome).toMatchObject({ partial: true });
  });

  it('is in doubt where none comes', async () => {
    const world = await start({ client: { streaming: way, timeouts: { chatMs: 100, streamMs: 100 } } });
    world.assistant.faults.next('hang');

    expect(await failureOf(world.ask())).toMatchObject({ code: 'assistant_outcome_unknown', reason: 'timeout' });
  });
});

describe('a stream', () => {
  const startWith = async (fault: FaultKind, options: FaultOptions & Setting = {}) => {
    const world = await start(options);
    world.assistant.faults.next(fault, options);
    return world;
  };

  it.each<FaultKind>([
    'stream-raw-newlines',
    'stream-missing-blank-line',
    'stream-crlf',
    'stream-old-content-type',
    'stream-silence',
    'stream-prefix-rewrite',
    'stream-delta',
    'stream-unmarked',
  ])('is read whole in spite of %s', async (fault) => {
    const { ask } = await startWith(fault, { ms: 20 });

    expect(await ask()).toMatchObject({ text: ANSWER, partial: false, turnCount: 1 });
  });

  it('is partial where it falls silent for longer than the idle time', async () => {
    const { ask } = await startWith('stream-silence', { ms: 5_000, client: { timeouts: { idleMs: 200 } } });

    expect(await ask()).toMatchObject({ partial: true, text: expect.stringMatching(/^The plan/) });
  });
});
