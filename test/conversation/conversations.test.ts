import { beforeEach, describe, expect, it } from 'vitest';
import type { AskCall } from '../../src/assistant/assistant-client.ts';
import {
  AssistantForbiddenError,
  AssistantOutcomeUnknownError,
  AssistantRejectedError,
  AssistantUnauthorizedError,
  ConversationBusyError,
  ConversationGoneError,
} from '../../src/assistant/assistant-errors.ts';
import type { Audience } from '../../src/conversation/question.ts';
import { StoreUnavailableError } from '../../src/errors.ts';
import { anAnswer, useHarness } from './run-harness.ts';

const LANE = 'T1:C1:100.1';

const harness = useHarness();
let asked: AskCall[];
/** What the service does with a question: answers, unless a test says otherwise. */
let respond: (call: AskCall) => Error | undefined;

beforeEach(() => {
  asked = [];
  respond = () => undefined;
  let created = 0;
  harness.ports.assistant.createConversation = async () => ({ id: `c${++created}` });
  harness.ports.assistant.ask = async (call) => {
    asked.push(call);
    const error = respond(call);
    if (error) throw error;
    return anAnswer(call.text, 6 + asked.length);
  };
});

const conversations = () => asked.map(({ conversationId }) => conversationId);
const held = (user = 'UANA') => harness.store.threads.conversation(LANE, user);

let count = 0;

/** Asks in the one thread of these tests, and runs the turn until it is done. */
async function ask(user = 'UANA', text = 'and?'): Promise<void> {
  const id = `turn ${++count}`;
  await harness.accept({ asker: { team: 'T1', user }, startsThread: false, messageTs: `101.${count}`, text }, id);
  await harness.runUntilDone(60_000, id);
}

describe('a conversation', () => {
  it('is remembered with the number of turns that the service counts', async () => {
    await ask();
    expect(await held()).toMatchObject({ id: 'c1', owner: 'UANA', turnCount: 7 });

    await ask();
    expect(await held()).toMatchObject({ id: 'c1', owner: 'UANA', turnCount: 8 });
  });

  it('that the service closes gets no more questions, and is asked once even where that cannot be written at once', async () => {
    const { ask: answer } = harness.ports.assistant;
    harness.ports.assistant.ask = async (call) => ({ ...(await answer(call)), disengaged: call.text === 'improper' });
    const { save } = harness.store.turns;
    let drops = 0;
    harness.ports.turns = {
      ...harness.store.turns,
      save: async (turn, changes) => {
        if (changes?.some(({ kind }) => kind === 'drop') && ++drops === 1) throw new StoreUnavailableError('busy');
        return save(turn, changes);
      },
    };

    await ask('UANA', 'improper');
    await ask();

    expect(conversations()).toEqual(['c1', 'c2']);
    expect(harness.words()).toEqual(['disengaged', 'and?']);
  });

  it('that the service no longer knows is replaced for good, and the reply says what that means', async () => {
    await ask();
    respond = ({ conversationId }) => (conversationId === 'c1' ? new ConversationGoneError({}) : undefined);

    await ask();
    await ask();

    expect(conversations()).toEqual(['c1', 'c1', 'c2', 'c2']);
    expect(asked.map(({ reused }) => reused)).toEqual([false, true, false, true]);
    expect(harness.outcomes).toMatchObject([{ contextLost: false }, { contextLost: true }, { contextLost: false }]);
  });

  it('that its owner may not use any more is replaced where they have signed in again, perhaps with another account', async () => {
    const signIn = (linkedAt: number) => async () => ({
      accessToken: `token of ${linkedAt}`,
      isPrivate: false,
      linkedAt,
    });
    harness.ports.access = signIn(1);
    await ask();
    harness.ports.access = signIn(2);
    respond = ({ conversationId, accessToken }) =>
      conversationId === 'c1' && accessToken === 'token of 2'
        ? new AssistantForbiddenError('other', undefined, {})
        : undefined;

    await ask();
    await ask();

    expect(conversations()).toEqual(['c1', 'c1', 'c2', 'c2']);
    expect(harness.outcomes).toMatchObject([{ contextLost: false }, { contextLost: true }, { contextLost: false }]);
  });

  it('that its owner may not use any more is not replaced in the same sign-in: they have lost a right', async () => {
    harness.ports.access = async () => ({ accessToken: 'token', isPrivate: false, linkedAt: 1 });
    await ask();
    respond = () => new AssistantForbiddenError('other', undefined, {});

    await ask();

    expect(conversations()).toEqual(['c1', 'c1']);
    expect(harness.words().at(-1)).toBe('forbidden');
  });

  it('of one person’s own that the service no longer knows is replaced for good', async () => {
    await ask('UANA');
    const gone = new Set<string>();
    const isOthers = (call: AskCall) => call.conversationId === 'c1' && call.text === 'Ben';
    respond = (call) => {
      if (isOthers(call)) return new AssistantForbiddenError('other', undefined, {});
      return gone.has(call.conversationId) ? new ConversationGoneError({}) : undefined;
    };
    await ask('UBEN', 'Ben');
    gone.add('c2');
    asked = [];

    await ask('UBEN', 'Ben');
    await ask('UBEN', 'Ben');
    await ask('UANA');

    expect(conversations()).toEqual(['c2', 'c3', 'c3', 'c1']);
  });

  it('that takes the place of another is kept although the answer in it was lost, and the next one says so', async () => {
    await ask();
    respond = ({ conversationId }) =>
      conversationId === 'c1' ? new ConversationGoneError({}) : new AssistantOutcomeUnknownError('timeout');
    await ask();
    respond = () => undefined;

    await ask();
    await ask();

    expect(conversations()).toEqual(['c1', 'c1', 'c2', 'c2', 'c2']);
    expect(harness.outcomes.map((one) => one.kind === 'answer' && one.contextLost)).toEqual([
      false,
      false,
      true,
      false,
    ]);
  });

  const refused = (reason: 'credits' | 'other') => new AssistantForbiddenError(reason, undefined, {});
  it.each([
    ['the question', 'UANA', new ConversationGoneError({}), new AssistantRejectedError({}), 'rejected'],
    ['the account', 'UBEN', refused('credits'), refused('credits'), 'credits_used_up'],
  ])('stays where a new one refuses %s as well', async (_what, user, first, second, said) => {
    await ask('UANA');
    respond = ({ conversationId }) => (conversationId === 'c1' ? first : second);
    await ask(user);
    respond = () => undefined;

    await ask(user);
    await ask('UANA');

    expect(harness.words()).toEqual(['and?', said, 'and?', 'and?']);
    expect(conversations()).toEqual(['c1', 'c1', 'c2', 'c1', 'c1']);
  });

  it.each([
    ['process dies', async () => undefined, 'interrupted'],
    ['asker stops it', async (id: string) => void (await harness.store.turns.end(id, 'stopped')), undefined],
  ])('is known from the first question on, although its %s before there is an answer', async (_how, end, said) => {
    const { ask: answer } = harness.ports.assistant;
    const { promise: asking, resolve } = Promise.withResolvers<void>();
    harness.ports.assistant.ask = async (call) => {
      resolve();
      asked.push(call);
      return new Promise(() => undefined);
    };
    void ask();
    await asking;
    await end(`turn ${count}`);
    harness.ports.assistant.ask = answer;
    await harness.run(`turn ${count}`);

    expect(await held()).toMatchObject({ id: 'c1', owner: 'UANA' });
    await ask();
    expect(conversations()).toEqual(['c1', 'c1']);
    expect(harness.words()).toEqual([...(said ? [said] : []), 'and?']);
  });

  it('that is busy is waited for, a moment, and asked in again', async () => {
    await ask();
    let calls = 0;
    respond = () => (++calls === 1 ? new ConversationBusyError({}) : undefined);
    await harness.accept({ startsThread: false, messageTs: '101.9' }, 'waits');

    await harness.run('waits');
    const waiting = await harness.turn('waits');
    harness.pass(2_000);
    await harness.run('waits');

    expect(waiting).toMatchObject({ stage: 'waiting', waitingFor: 'conversation_busy' });
    expect(conversations()).toEqual(['c1', 'c1', 'c1']);
    expect((await harness.turn('waits'))?.result).toBe('answer');
  });

  it('that is still busy after that is replaced, and the reply says what that means', async () => {
    await ask();
    respond = ({ conversationId }) => (conversationId === 'c1' ? new ConversationBusyError({}) : undefined);

    await ask();
    await ask();

    expect(conversations()).toEqual(['c1', 'c1', 'c1', 'c2', 'c2']);
    expect(harness.outcomes).toMatchObject([{ contextLost: false }, { contextLost: true }, { contextLost: false }]);
  });

  it('whose replacement is busy, too, is not replaced again', async () => {
    await ask();
    respond = () => new ConversationBusyError({});

    await ask();

    expect(conversations()).toEqual(['c1', 'c1', 'c1', 'c2']);
    expect(harness.words().at(-1)).toBe('busy');
  });
});

describe('a conversation that guests make private, because they come while the answer is made', () => {
  const lost = () => harness.outcomes.flatMap((one) => (one.kind === 'answer' ? [one.contextLost] : []));
  let audience: Audience;

  async function askAll(...asks: [user: string, text?: string][]): Promise<void> {
    for (const [user, text] of asks) {
      audience = 'members';
      await ask(user, text);
    }
  }

  beforeEach(() => {
    harness.ports.audience = async () => audience;
    respond = ({ text }) => {
      if (text === 'guests come') audience = 'guests';
      return undefined;
    };
  });

  it('is its owner’s alone: others are told once that theirs is a new one', async () => {
    await askAll(['UANA'], ['UANA', 'guests come'], ['UANA'], ['UBEN'], ['UBEN'], ['UKIM']);

    expect(conversations()).toEqual(['c1', 'c1', 'c1', 'c2', 'c2', 'c3']);
    expect(lost()).toEqual([false, false, false, true, false, true]);
  });

  it('is nobody’s where somebody else asked in it: whoever asks next is told, and the thread has a new one', async () => {
    await askAll(['UANA'], ['UBEN', 'guests come'], ['UANA'], ['UBEN'], ['UKIM']);

    expect(conversations()).toEqual(['c1', 'c1', 'c2', 'c2', 'c2']);
    expect(lost()).toEqual([false, false, true, false, false]);
    expect(await held('UKIM')).toMatchObject({ id: 'c2', heldBy: 'thread', secrecy: 0 });
  });
});

it('a token that the service refuses is renewed once; where it refuses the next as well, the person hears that the account cannot be used', async () => {
  respond = () => (asked.length > 5 ? new AssistantOutcomeUnknownError('ended') : new AssistantUnauthorizedError({}));

  await ask();

  expect(asked.map(({ accessToken }) => accessToken)).toEqual(['token', 'renewed']);
  expect(harness.told).toEqual(['account_unusable']);
  expect([harness.words(), [...harness.busy]]).toEqual([[], []]);
});
