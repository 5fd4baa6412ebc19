import { describe, expect, it } from 'vitest';
import { type Rules, toEffective, type WorkspaceRules } from '../../src/conversation/channel-rules.ts';
import { createRuleReader, type QuestionRules } from '../../src/conversation/question-rules.ts';
import { SECRECY } from '../../src/conversation/secrecy.ts';
import { createMemoryStore } from '../storage/memory-store.ts';
import { aRecord } from '../storage/rule-store-contract.ts';
import { aQuestion } from './a-question.ts';
import { startHarness } from './run-harness.ts';

describe('a rule in effect', () => {
  const set = (everywhere: Rules, channel: Rules = {}) => ({ everywhere, channels: { C1: channel } });

  it.each<[string, Parameters<typeof toEffective>, string, string]>([
    ['built in, where nobody set any', [undefined, 'C1', {}], 'on', 'built_in'],
    ['configured', [undefined, 'C1', { webSearch: 'off' }], 'off', 'configuration'],
    ['of the workspace', [set({ webSearch: 'off' }), 'C1', { webSearch: 'on' }], 'off', 'workspace'],
    ['of the channel', [set({ webSearch: 'off' }, { webSearch: 'on' }), 'C1', {}], 'on', 'channel'],
    ['not of another channel', [set({ webSearch: 'off' }, { webSearch: 'on' }), 'C2', {}], 'off', 'workspace'],
    ['not of a channel, for the workspace', [set({}, { webSearch: 'off' }), undefined, {}], 'on', 'built_in'],
  ])('is the strongest that is set: %s', (_, levels, value, level) => {
    expect(toEffective(...levels).webSearch).toEqual({ value, level });
  });
});

describe('the rules of a question', () => {
  const record = aRecord({
    everywhere: { webSearch: 'off', questions: 'refused', answers: 'private', threadContext: 'off' },
  });

  it('are read once for many questions, and anew when a replica announces a change or the time is up', async () => {
    const { reader, reads, pass } = countReads();

    await Promise.all([reader.of(aQuestion()), reader.of(aQuestion())]);
    expect(reads()).toBe(1);
    reader.forget('T1');
    await reader.of(aQuestion());
    expect(reads()).toBe(2);
    pass(15_000);
    await reader.of(aQuestion());
    expect(reads()).toBe(3);
  });

  it('are not remembered where they could not be read', async () => {
    const store = { get: async (): Promise<WorkspaceRules | undefined> => Promise.reject(new Error('away')) };
    const reader = createRuleReader({ store, now: () => 1 });

    await expect(reader.of(aQuestion())).rejects.toThrow('away');
    store.get = async () => undefined;

    expect(await reader.of(aQuestion())).toMatchObject({ isRefused: false });
  });

  it('of channels do not count in direct messages, and the others do', async () => {
    const store = createMemoryStore();
    await store.rules.save(record, 0);
    const reader = createRuleReader({ store: store.rules, now: Date.now });

    const inChannel = await reader.of(aQuestion({ audience: 'channel' }));
    const direct = await reader.of(aQuestion({ audience: 'person' }));

    expect(inChannel).toMatchObject({ isRefused: true, isPrivate: true, isWebOff: true, threadContext: 'off' });
    expect(direct).toMatchObject({ isRefused: false, isPrivate: false, isWebOff: true, threadContext: 'off' });
  });

  it('say nothing of the thread where administrators set nothing', async () => {
    const reader = createRuleReader({ store: createMemoryStore().rules, now: Date.now });

    expect(await reader.of(aQuestion())).toMatchObject({ threadContext: undefined });
  });

  function countReads() {
    let [reads, time] = [0, 1];
    const get = async () => {
      reads += 1;
      return undefined;
    };
    const reader = createRuleReader({ store: { get }, now: () => time });
    return {
      reader,
      reads: () => reads,
      pass(ms: number) {
        time += ms;
      },
    };
  }
});

describe('a question in a channel with rules', () => {
  const NONE: QuestionRules = { isRefused: false, isPrivate: false, isWebOff: false };
  const PAUSE = { word: 'back at noon', by: 'U0KIM', at: 1 };

  async function answer(rules: Partial<QuestionRules>, question: Parameters<typeof aQuestion>[0] = {}) {
    const harness = startHarness();
    harness.ports.rules = async () => ({ ...NONE, ...rules });
    await harness.accept(question);
    await harness.run();
    return harness;
  }

  it('is not asked where that is not allowed, and the asker alone is told', async () => {
    const { asked, told, shown, turn } = await answer({ isRefused: true });

    expect([asked, told, shown]).toEqual([[], ['not_allowed_here'], []]);
    expect(await turn()).toMatchObject({ stage: 'done', result: 'not_allowed_here' });
    expect(await answer({ isRefused: true }, { text: 'help' })).toMatchObject({ told: ['help'] });
  });

  it('is not asked while the workspace is paused, but help is given', async () => {
    expect(await answer({ pause: PAUSE })).toMatchObject({ asked: [], told: ['paused'], shown: [] });
    expect(await answer({ pause: PAUSE }, { text: 'help' })).toMatchObject({ told: ['help'] });
  });

  it('is not asked any more if it waited when the pause began', async () => {
    const harness = startHarness();
    harness.ports.assistantPausedMs = () => 20_000;
    await harness.accept();
    await harness.run();
    expect((await harness.turn())?.stage).toBe('waiting');

    harness.ports.assistantPausedMs = () => 0;
    harness.ports.rules = async () => ({ ...NONE, pause: PAUSE });
    harness.pass(60_000);
    await harness.run();

    expect(harness).toMatchObject({ asked: [], told: ['paused'], shown: [] });
  });

  it('that is being answered when the pause begins is answered', async () => {
    const harness = startHarness();
    const { ask } = harness.ports.assistant;
    harness.ports.assistant.ask = async (call) => {
      harness.ports.rules = async () => ({ ...NONE, pause: PAUSE });
      return ask(call);
    };
    await harness.accept();
    await harness.run();

    expect(harness.told).toEqual([]);
    expect(harness.shown).toHaveLength(1);
  });

  it('is answered to the asker alone where answers are private', async () => {
    const { shown, store, turn } = await answer({ isPrivate: true });

    expect(shown.map(({ channel }) => channel)).toEqual(['D1']);
    const { lane = '' } = (await turn()) ?? {};
    expect(await store.threads.conversation(lane, 'UANA')).toMatchObject({ secrecy: SECRECY.others });
  });

  it('is asked without the web where that is always off, and the asker is told why only then', async () => {
    const { asked, turn } = await answer({ isWebOff: true });
    const { outcomes } = await outcomesOf({ isWebOff: true }, { webSearch: true });
    const own = await outcomesOf({ isWebOff: true }, { webSearch: false });

    expect(asked).toMatchObject([{ webSearch: false }]);
    expect((await turn())?.details).toMatchObject({ isWebOffByRule: true });
    expect(outcomes).toMatchObject([{ webSearch: false, isWebOffByRule: true }]);
    expect(own.outcomes[0]).not.toHaveProperty('isWebOffByRule');
  });

  /** What was decided, which is dropped in the end. */
  async function outcomesOf(rules: Partial<QuestionRules>, question: Parameters<typeof aQuestion>[0]) {
    const harness = startHarness();
    const outcomes: unknown[] = [];
    const { compose } = harness.ports.reply;
    harness.ports.reply.compose = async (turn) => {
      outcomes.push(turn.outcome);
      return compose(turn);
    };
    harness.ports.rules = async () => ({ ...NONE, ...rules });
    await harness.accept(question);
    await harness.run();
    return { outcomes };
  }
});
