import { describe, expect, it } from 'vitest';
import { type Rules, toEffective, type WorkspaceRules } from '../../src/conversation/channel-rules.ts';
import { createRuleReader } from '../../src/conversation/question-rules.ts';
import { createMemoryStore } from '../storage/memory-store.ts';
import { aRecord } from '../storage/rule-store-contract.ts';
import { aQuestion } from './a-question.ts';

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
