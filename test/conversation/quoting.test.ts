import { beforeEach, describe, expect, it } from 'vitest';
import { AssistantForbiddenError, AssistantRefusedError } from '../../src/assistant/assistant-errors.ts';
import type { Quoted } from '../../src/conversation/quoting.ts';
import { SECRECY, type Secrecy } from '../../src/conversation/secrecy.ts';
import type { ThreadConversation } from '../../src/conversation/turn.ts';
import { anAnswer, type Harness, useHarness } from './run-harness.ts';

const LANE = 'T1:C1:100.1';
const ID = 'message:T1:C1:100.1';

const harness = useHarness();
let known: (ThreadConversation | undefined)[];
let secrecy: Secrecy;

beforeEach(() => {
  known = [];
  secrecy = SECRECY.none;
  harness.ports.quote = async ({ text, unusable, messageTs }) => ({
    secrecy,
    async compose(conversation): Promise<Quoted> {
      known.push(conversation);
      const details = { quotes: { messages: 2, cut: 1 } };
      return {
        text: `quotes\n${text}`,
        own: text,
        links: [],
        unusable,
        readUpTo: messageTs,
        details,
        notes: { cut: 1 },
      };
    },
  });
});

const held = (user = 'UANA') => harness.store.threads.conversation(LANE, user);
const sent = () => harness.asked.map(({ text }) => text);

async function ask(change: Parameters<Harness['accept']>[0] = {}, id = ID): Promise<void> {
  await harness.accept(change, id);
  await harness.run(id);
}

describe('what goes along with a question', () => {
  it('is sent before it, and counted in the record of the turn, which keeps neither', async () => {
    await ask();

    expect(sent()).toEqual(['quotes\nWhat is on today?']);
    expect(await harness.turn()).toMatchObject({
      stage: 'done',
      details: { timeZone: 'Europe/Berlin', quotes: { messages: 2, cut: 1 } },
      question: { text: '' },
    });
    expect(JSON.stringify(await harness.turn())).not.toContain('quotes\\n');
  });

  it('is remembered in the conversation by how far the thread was read, which never goes back', async () => {
    await ask({ messageTs: '100.7', startsThread: false }, 'late');
    await ask({ messageTs: '100.3', startsThread: false }, 'early');

    expect(known).toMatchObject([undefined, { id: 'conversation-1', readUpTo: '100.7' }]);
    expect((await held())?.readUpTo).toBe('100.7');
  });

  it('is asked for anew where somebody gets a conversation of their own', async () => {
    await ask();
    const { ask: answer } = harness.ports.assistant;
    harness.ports.assistant.ask = async (call) => {
      if (call.conversationId === 'conversation-1') throw new AssistantForbiddenError('other', undefined, {});
      return answer(call);
    };

    await ask({ asker: { team: 'T1', user: 'UBEN' }, messageTs: '100.5', startsThread: false }, 'of Ben');

    expect(known).toMatchObject([undefined, { id: 'conversation-1' }, undefined]);
  });

  it('is left out where it is too long for the service, which processed nothing, and sent with the next question', async () => {
    harness.ports.assistant.ask = async (call) => {
      harness.asked.push(call);
      if (call.text.startsWith('quotes')) throw new AssistantRefusedError('question_too_long', {});
      return anAnswer('answer');
    };

    await ask();

    expect(sent()).toEqual(['quotes\nWhat is on today?', 'What is on today?']);
    expect((await harness.turn())?.result).toBe('answer');
    expect((await harness.turn())?.details).toEqual({ timeZone: 'Europe/Berlin' });
    expect((await held())?.readUpTo).toBeUndefined();
  });

  it('from elsewhere is in a conversation of the asker’s own', async () => {
    await ask();
    secrecy = SECRECY.others;
    await ask({ messageTs: '100.2', startsThread: false }, 'restricted');
    secrecy = SECRECY.none;
    await ask({ asker: { team: 'T1', user: 'UBEN' }, messageTs: '100.5', startsThread: false }, 'of Ben');

    const [first, second, third] = harness.asked.map(({ conversationId }) => conversationId);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
    expect((await held())?.secrecy).toBe(SECRECY.others);
  });

  it('from a private channel is answered in private, whoever reads the thread', async () => {
    secrecy = SECRECY.thread;
    harness.ports.audience = async () => 'guests';
    await ask();
    harness.ports.audience = async () => 'members';
    await ask({ messageTs: '100.2', startsThread: false }, 'again');

    expect(harness.shown.map(({ channel }) => channel)).toEqual(['D1', 'D1']);
  });

  it('from a private channel makes its conversation secret before the service knows it, with the stage', async () => {
    await ask();
    secrecy = SECRECY.thread;
    const written: unknown[] = [];
    const { ask: answer } = harness.ports.assistant;
    harness.ports.assistant.ask = async (call) => {
      const { stage, threadChanges } = (await harness.turn('secret')) ?? {};
      written.push(stage, threadChanges);
      return answer(call);
    };
    await ask({ messageTs: '100.2', startsThread: false }, 'secret');

    const conversation = { id: 'conversation-1', secrecy: SECRECY.thread };
    expect(written).toMatchObject(['asking', [{ kind: 'update', conversation }]]);
    expect(await held()).toMatchObject(conversation);
    expect(await harness.turn('secret')).not.toHaveProperty('threadChanges');
  });

  it('from a private channel may be in what the service says as it refuses, which the thread is not shown', async () => {
    secrecy = SECRECY.thread;
    harness.ports.assistant.ask = () => Promise.reject(new AssistantForbiddenError('licence', 'about the secret', {}));
    await ask();
    secrecy = SECRECY.none;
    await ask({ messageTs: '100.2', startsThread: false }, 'next');

    expect(harness.details()).toEqual([undefined, undefined]);
  });
});
