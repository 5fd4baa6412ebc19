import { beforeEach, describe, expect, it } from 'vitest';
import {
  AssistantForbiddenError,
  AssistantOutcomeUnknownError,
  AssistantRefusedError,
  ConversationGoneError,
} from '../../src/assistant/assistant-errors.ts';
import { SECRECY } from '../../src/conversation/secrecy.ts';
import { anAnswer, type Harness, startHarness } from './run-harness.ts';

const LANE = 'T1:C1:100.1';
const ID = 'message:T1:C1:100.1';
const LINK = 'see https://acme.slack.example/archives/CPRIVATE/p1';

let harness: Harness;
/** What the service does with a question once it has it. */
let respond: () => Promise<void>;
let writes: number;

beforeEach(() => {
  harness = startHarness();
  respond = async () => undefined;
  writes = 0;
  let created = 0;
  harness.ports.assistant = {
    createConversation: async () => ({ id: `c${++created}` }),
    ask: async (call) => {
      harness.asked.push(call);
      await respond();
      return anAnswer(`to ${call.text}`);
    },
  };
  harness.ports.quote = async ({ text, unusable }) => {
    const isLinked = text.includes('CPRIVATE');
    const details = isLinked ? { quotes: { messages: 1, cut: 0 } } : {};
    return {
      secrecy: isLinked ? SECRECY.thread : SECRECY.none,
      compose: async () => ({ text: isLinked ? `a secret\n${text}` : text, links: [], unusable, details }),
    };
  };
  const { save } = harness.store.turns;
  harness.ports.turns = {
    ...harness.store.turns,
    async save(turn, changes) {
      writes += turn.stage === 'asking' ? 1 : 0;
      return save(turn, changes);
    },
  };
});

let count = 0;

async function ask(text: string, user = 'UANA', id = `turn ${++count}`): Promise<void> {
  await harness.accept({ asker: { team: 'T1', user }, text, messageTs: `101.${count}`, startsThread: false }, id);
  await harness.run(id);
}

const answers = () => harness.shown.filter(({ words }) => words.startsWith('to ')).map(({ channel }) => channel);
const conversationOf = (text: string) => harness.asked.find((call) => call.text === text)?.conversationId;

/** Asks as the process dies, and what the next process makes of it. */
async function askAndDie(): Promise<void> {
  const { save } = harness.ports.turns;
  const dead = () => Promise.reject(new Error('killed'));
  respond = async () => {
    harness.ports.turns.save = dead;
    await dead();
  };
  await expect(ask(LINK, 'UANA', ID)).rejects.toThrow('killed');
  harness.ports.turns.save = save;
  await harness.run(ID);
}

/** What becomes of a question after the service has read a private message; secrecy-seeds.test.ts has every other end. */
const ENDS: Record<string, () => Promise<void>> = {
  'is answered': () => ask(LINK),
  'dies with its process': askAndDie,
  async 'is asked without its quotes'() {
    respond = async () => {
      if (harness.asked.at(-1)?.text !== LINK) throw new AssistantRefusedError('question_too_long', {});
    };
    await ask(LINK);
  },
};

describe.each(Object.entries(ENDS))('where a question with a private message %s', (_how, end) => {
  beforeEach(async () => {
    await ask('first');
    await end();
    respond = async () => undefined;
    harness.pass(60_000);
    harness.shown.splice(0);
  });

  it('its asker is answered in private from then on, in the same conversation', async () => {
    await ask('next');

    expect(answers()).toEqual(['D1']);
    expect(conversationOf('next')).toBe(conversationOf('first'));
  });

  it('others do not ask in its conversation', async () => {
    await ask('Ben', 'UBEN');

    expect(answers()).toEqual(['C1']);
    expect(conversationOf('Ben')).not.toBe(conversationOf('first'));
  });
});

describe('a conversation that replaces another', () => {
  it.each([
    ['gone', new ConversationGoneError({})],
    ['not this person’s', new AssistantForbiddenError('other', undefined, {})],
  ])('because that one is %s knows the private message even if its answer is lost', async (why, error) => {
    await ask('first', why === 'gone' ? 'UANA' : 'UBEN');
    let refusals = 0;
    // Where others own the thread's conversation, whoever brings a private message asks in one of their own at once.
    const secret = why === 'gone' ? LINK : 'no link';
    respond = () => Promise.reject(++refusals === 1 ? error : new AssistantOutcomeUnknownError('reset'));
    await ask(secret);
    if (why !== 'gone') await ask(LINK);
    respond = async () => undefined;
    harness.shown.splice(0);
    await ask('next');

    expect(answers()).toEqual(['D1']);
    expect(conversationOf('next')).toBe('c2');
  });
});

it('the secrecy is written together with the stage, once for each question', async () => {
  const levels: unknown[] = [];
  await ask('first');
  respond = async () => {
    const { stage, threadChanges } = (await harness.turn('asked')) ?? {};
    levels.push(stage, threadChanges);
  };
  await ask(LINK, 'UANA', 'asked');

  expect(levels).toMatchObject(['asking', [{ kind: 'update', conversation: { id: 'c1', secrecy: SECRECY.thread } }]]);
  expect(await harness.store.threads.conversation(LANE, 'UANA')).toMatchObject({ id: 'c1', secrecy: SECRECY.thread });
  expect(await harness.turn('asked')).not.toHaveProperty('threadChanges');
  expect(writes).toBe(2);
  expect(answers()).toEqual(['C1', 'D1']);
});

it('what the service says as it refuses is not shown to the thread, either', async () => {
  respond = () => Promise.reject(new AssistantForbiddenError('licence', 'about the secret', {}));
  await ask(LINK);
  await ask('next');

  expect(harness.details()).toEqual([undefined, undefined]);
});
