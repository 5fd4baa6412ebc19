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

// That an answer, a refusal and the conversation are private where quotes are: secrecy-seeds.test.ts.
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
});
