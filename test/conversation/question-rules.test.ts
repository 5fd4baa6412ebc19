import { describe, expect, it } from 'vitest';
import type { QuestionRules } from '../../src/conversation/channel-settings.ts';
import { SECRECY } from '../../src/conversation/secrecy.ts';
import type { aQuestion } from './a-question.ts';
import { startHarness } from './run-harness.ts';

describe('a question in a channel with rules', () => {
  const NONE: QuestionRules = { isRefused: false, isPrivate: false, isWebOff: false };
  const PAUSE = { word: 'back at noon' };

  async function answer(rules: Partial<QuestionRules>, question: Parameters<typeof aQuestion>[0] = {}) {
    const harness = startHarness();
    harness.ports.rules = async () => ({ ...NONE, ...rules });
    await harness.accept(question);
    await harness.run();
    return harness;
  }

  // That nothing else is asked then: doors-seeds.test.ts.
  it.each([{ isRefused: true }, { pause: PAUSE }])(
    'is no call for help, which is given all the same: %o',
    async (rules) => {
      expect(await answer(rules)).toMatchObject({ asked: [], told: [expect.not.stringMatching('help')], shown: [] });
      expect(await answer(rules, { text: 'help' })).toMatchObject({ told: ['help'] });
    },
  );

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
    const { asked, turn, outcomes } = await answer({ isWebOff: true });
    const own = await answer({ isWebOff: true }, { webSearch: false });

    expect(asked).toMatchObject([{ webSearch: false }]);
    expect((await turn())?.details).toMatchObject({ isWebOffByRule: true });
    expect(outcomes).toMatchObject([{ webSearch: false, isWebOffByRule: true }]);
    expect(own.outcomes[0]).not.toHaveProperty('isWebOffByRule');
  });
});
