import { describe, expect, it } from 'vitest';
import type { Question } from '../../src/conversation/question.ts';
import { toFingerprint } from '../../src/conversation/question.ts';
import { Run, type RunPorts } from '../../src/conversation/run.ts';
import { SECRECY } from '../../src/conversation/secrecy.ts';
import { TransientError } from '../../src/errors.ts';
import { TokenUnreadableError } from '../../src/identity/identity-errors.ts';
import { aConversation } from '../storage/change-thread.ts';
import { aTurn } from './a-question.ts';
import { anAnswer, useHarness } from './run-harness.ts';

const harness = useHarness();

describe('a question', () => {
  it('that is edited while it is about to be sent is asked once, as it was edited', async () => {
    const { access } = harness.ports;
    harness.ports.access = async (question) => {
      harness.ports.access = access;
      const { webSearch, links, unusable } = question;
      await harness.store.turns.revise('message:T1:C1:100.1', { text: 'what else?', webSearch, links, unusable });
      return access(question);
    };
    await harness.accept({ text: 'what?' });

    await harness.run();
    await harness.run();

    expect(harness.asked.map(({ text }) => text)).toEqual(['what else?']);
    expect(harness.words()).toEqual(['answer to what else?']);
  });
});

describe('an answer', () => {
  it.each([
    ['channel', 'Ana Alvarez'],
    ['person', undefined],
  ] as const)('names who asked where others read it: %s, %s', async (audience, askerName) => {
    await harness.accept({ audience });

    await harness.run();

    expect(harness.outcomes.map((one) => one.kind === 'answer' && one.askerName)).toEqual([askerName]);
  });

  it('without words is said to be none', async () => {
    harness.ports.assistant.ask = async () => anAnswer('');
    await harness.accept();

    await harness.run();

    expect(harness.words()).toEqual(['empty']);
  });
});

it('a run lowers the secrecy of no conversation, and writes nothing of a thread while it asks', async () => {
  const saved: unknown[] = [];
  const save = async (_turn: unknown, changes?: unknown) => saved.push(changes) > 0;
  const run = new Run(
    aTurn({ stage: 'asking' }),
    { ...harness.ports, turns: { ...harness.store.turns, save } },
    new AbortController().signal,
  );
  for (const secrecy of [SECRECY.thread, SECRECY.none]) {
    run.noteThread({ kind: 'update', thread: 't', conversation: aConversation({ secrecy }) });
  }

  await run.save();
  await run.save({ stage: 'answered' });
  await run.save();

  expect(saved).toMatchObject([[], [{ conversation: { secrecy: SECRECY.thread } }], []]);
});

it('what administrators say about a pause is shown', async () => {
  harness.ports.rules = async () => ({
    ...{ isRefused: false, isPrivate: false, isWebOff: false },
    pause: { word: 'Back at three.' },
  });
  await harness.accept();

  await harness.run();

  expect([harness.told, harness.details()]).toEqual([['paused'], ['Back at three.']]);
});

it('an answer names who asked, though that is forgotten while the service works: it is for others to read', async () => {
  let name: string | undefined = 'Ana Alvarez';
  harness.ports.askerName = () => name;
  const { ask } = harness.ports.assistant;
  harness.ports.assistant.ask = async (call) => {
    name = undefined;
    return ask(call);
  };
  await harness.accept();

  await harness.run();

  expect(harness.outcomes).toMatchObject([{ askerName: 'Ana Alvarez' }]);
});

describe('a question that is asked again', () => {
  it('is asked without web search where its message says so by now', async () => {
    const { links, unusable } = aTurn().question;
    harness.ports.readQuestion = async () => ({
      ...{ text: 'what? !web-off', webSearch: false, links, unusable, isByAsker: true, isFollowed: false },
    });
    await harness.accept({ isAskedAgain: true, text: '' });

    await harness.run();

    expect(harness.outcomes).toMatchObject([{ webSearch: false }]);
  });

  const read = { text: 'Who owns it?', webSearch: true, links: ['https://files.example/plan'], unusable: [] };

  it.each([
    ['is refused if somebody else wrote it and changed its text', { text: 'Who earns what?' }, false],
    ['is refused if somebody else changed a link', { links: ['https://files.example/salaries'] }, false],
    ['is asked if somebody else wrote it and changed nothing', {}, false],
    ['is asked as it is now if only its asker can have changed it', { text: 'Who earns what?' }, true],
  ])('%s', async (how, change, isByAsker) => {
    const now = { ...read, ...change };
    harness.ports.readQuestion = async () => ({ ...now, isByAsker, isFollowed: false });
    await harness.accept({ isAskedAgain: true, text: '', origin: 'shortcut', fingerprint: toFingerprint(read) });

    await harness.run();

    const isAsked = how.startsWith('is asked');
    expect(harness.asked.map(({ text }) => text)).toEqual(isAsked ? [now.text] : []);
    expect(harness.words()).toEqual(isAsked ? [`answer to ${now.text}`] : ['question_changed']);
  });

  it('is not asked where its asker has left nothing of it but the mention', async () => {
    harness.ports.readQuestion = async () => ({ ...read, text: '', isByAsker: true, isFollowed: false });
    await harness.accept({ isAskedAgain: true, text: '' });

    await harness.run();

    expect(harness.asked).toEqual([]);
    expect(harness.told).toEqual(['no_question']);
  });
});

describe('an answer that its asker shares', () => {
  const shares = [{ channel: 'D1', ts: '300.1' }];

  it('is shown in the thread without asking, and no word of it is kept', async () => {
    harness.ports.readShared = async () => ['the private words', 'and more'].map((text) => ({ text, blocks: [text] }));
    await harness.accept({ text: '', shares });

    await harness.run();

    expect([harness.words(), harness.asked]).toEqual([['the private words', 'and more'], []]);
    const turn = await harness.turn();
    expect(turn).toMatchObject({ stage: 'done', result: 'shared' });
    expect(JSON.stringify(turn)).not.toMatch(/private words|and more/);
  });

  it('is still to be shared, and not a question, for *Ask again* below one that could not be shared', async () => {
    harness.ports.readShared = () => Promise.reject(new TypeError('broken'));
    await harness.accept({ text: '', shares });

    await harness.runUntilDone(120_000);

    expect(await harness.turn()).toMatchObject({ result: 'failed', question: { shares } });
  });

  it('that is gone from Slack is said to be gone', async () => {
    await harness.accept({ text: '', shares });

    await harness.run();

    expect([harness.words(), harness.asked]).toEqual([['question_gone'], []]);
  });
});

describe('a scheduled question', () => {
  const DIRECT = { channel: 'D1', audience: 'person', threadTs: undefined, messageTs: undefined } as const;

  it.each([
    ['is shown and answered up to an hour after its time', 'what changed?', 'answer'],
    ['says so where its words cannot be read any more', '', 'question_lost'],
  ])('%s', async (_, text, result) => {
    harness.pass(3_600_000);
    await harness.accept({ ...DIRECT, origin: 'command', text, scheduled: { due: 1_000_000 } }, 'schedule:1');
    await harness.run('schedule:1');
    await harness.run('schedule:1');

    expect(await harness.turn('schedule:1')).toMatchObject({ stage: 'done', result });
    expect(harness.asked).toHaveLength(text ? 1 : 0);
  });
});

describe('what nobody addressed to the app, where it answers everything', () => {
  const RULES = { isRefused: false, isPrivate: false, isWebOff: false };
  const PAUSE = { pause: { word: '', by: 'U0KIM', at: 1 } };

  it.each<[string, Partial<RunPorts>, Partial<Question>]>([
    ['comes from a guest', { admit: async () => 'guest' }, {}],
    ['stands in a shared channel', { admit: async () => 'shared_channel' }, {}],
    ['comes during a pause', { rules: async () => ({ ...RULES, ...PAUSE }) }, {}],
    ['is not allowed here', { rules: async () => ({ ...RULES, isRefused: true }) }, {}],
    ['was delivered hours late', {}, { isLate: true }],
  ])('is left alone, without a word, where it %s', async (_, change, question) => {
    Object.assign(harness.ports, change);
    await harness.accept({ isUnaddressed: true, ...question });

    expect(await harness.run()).toBe(true);
    expect(harness).toMatchObject({ asked: [], told: [], shown: [] });
  });
});

it('a slash command shows its question first, then moves into the thread’s lane and is answered there', async () => {
  await harness.accept({ threadTs: undefined, messageTs: undefined }, 'command:1');

  await harness.run('command:1');
  const moved = await harness.turn('command:1');
  expect(moved).toMatchObject({ lane: 'T1:C1:900.1', stage: 'accepted', question: { threadTs: '900.1' } });
  expect(harness.woken).toEqual(['T1:C1:900.1']);
  await harness.run('command:1');

  expect(harness.words()).toEqual(['root: What is on today?', 'answer to What is on today?']);
  expect(await harness.store.threads.isEngaged('T1:C1:900.1', 'UANA')).toBe(true);
});

it('a slash command that fails before its question is shown is told to the one who gave it, and leaves nothing in the channel', async () => {
  harness.reply.create = () => Promise.reject(new TransientError('slack_unavailable', 'down'));
  await harness.accept({ threadTs: undefined, messageTs: undefined }, 'command:1');

  await harness.runUntilDone(60_000, 'command:1');

  expect(harness.told).toEqual(['unavailable']);
  expect(harness.words()).toEqual([]);
});

describe('a fault of ours', () => {
  it('is tried again a few times, then the person is told', async () => {
    harness.ports.admit = () => Promise.reject(new TypeError('cannot read properties of undefined'));
    await harness.accept();

    await harness.runUntilDone(120_000);

    expect(harness.words()).toEqual(['failed']);
    // Not what the error says, which may be words of people.
    expect((await harness.turn())?.lastError).toMatch(
      /^TypeError in src\/[\w/.:-]+\)?$|^TypeError in \S+ \(src\/[\w/.:-]+\)$/,
    );
  });

  it('that trying again cannot mend is told at once, and its code left to the operators', async () => {
    harness.ports.access = () => Promise.reject(new TokenUnreadableError('token_tampered', 'sealed text was changed'));
    await harness.accept();

    await harness.run();

    expect(harness.words()).toEqual(['failed']);
    expect(await harness.store.turns.deadLetters(10)).toMatchObject([
      { id: 'message:T1:C1:100.1', lastError: 'token_tampered' },
    ]);
  });

  it('that even the apology cannot survive is left to the operators in the end', async () => {
    harness.ports.admit = () => Promise.reject(new TypeError('broken'));
    harness.reply.compose = () => {
      throw new TypeError('broken, too');
    };
    await harness.accept();

    await harness.runUntilDone(120_000);

    expect(await harness.turn()).toMatchObject({ stage: 'done', result: 'abandoned' });
  });
});
