import { beforeEach, describe, expect, it } from 'vitest';
import { registerAnswerButtons } from '../../../src/slack/listeners/answer-buttons.ts';
import { aQuestion, aTurn } from '../../conversation/a-question.ts';
import { startListeners } from './listener-world.ts';

let world: ReturnType<typeof startListeners>;
beforeEach(() => {
  world = startListeners(({ interactions }, ports) => registerAnswerButtons(interactions, ports));
});

/** A question of Ana's that ended so. */
async function end(id: string, result: string, question = aQuestion()): Promise<void> {
  await world.store.turns.accept(aTurn({ id, question }));
  await world.store.turns.save(aTurn({ id, question, stage: 'done', result }));
}

const click = (actionId = 'ask_again', more: object = {}) =>
  world.interact({
    ...{ type: 'block_actions', user: { id: 'UANA' }, trigger_id: '1.2', ...more },
    actions: [{ type: 'button', action_id: actionId, block_id: 'b', value: aTurn().id }],
  });

/** Ana asks again a question of hers that ended so. Returns the new question. */
async function askAgain(result: string, repeats?: string) {
  await end(aTurn().id, result, aQuestion({ ...(repeats !== undefined && { repeats }) }));
  await click();
  return world.accepted.at(-1)?.question;
}

describe('a question that is asked again', () => {
  it.each([
    ['failed', undefined, aTurn().id],
    ['failed', 'an earlier one', 'an earlier one'],
    ['answer', undefined, undefined],
    ['answer', 'an earlier one', undefined],
  ])('after: %s, where that repeated %s, counts for caps as a repetition of %s', async (result, before, repeats) => {
    expect((await askAgain(result, before))?.repeats).toBe(repeats);
  });

  it.each([
    ['answer', 1, ['You did that already: look in the thread of your question.']],
    ['interrupted', 1, ['You did that already: look in the thread of your question.']],
    ['person_cap', 2, []],
    ['paused', 2, []],
  ])('is asked again by the same button where that came to: %s', async (result, count, said) => {
    await askAgain('answer');
    await end(world.accepted[0]?.id ?? '', result);

    await click();

    expect(new Set(world.accepted.map(({ id }) => id)).size).toBe(count);
    expect(world.said.map(({ text }) => text)).toEqual(said);
  });

  it('is asked once by a double click, also where it was asked in vain before', async () => {
    await askAgain('answer');
    await end(world.accepted[0]?.id ?? '', 'paused');

    await Promise.all([click(), click()]);

    expect(world.accepted).toHaveLength(2);
    expect(world.said).toEqual([]);
  });
});

it('a private answer is shared without what stands in the channel already', async () => {
  const parts = [
    { step: 'placed', channel: 'C1', ts: '100.2' },
    { step: 'placed', channel: 'D1', ts: '100.3' },
    { step: 'none', channel: 'D1' },
  ] as const;
  await world.store.turns.accept(aTurn({ stage: 'done', result: 'answer', parts: [...parts] }));

  await click('share_in_thread');

  expect(world.accepted.map(({ question }) => question.shares)).toEqual([[{ channel: 'D1', ts: '100.3' }]]);
});

it('a private answer that could not be shared is shared by *Ask again*, and its question is not asked', async () => {
  const shares = [{ channel: 'D1', ts: '100.3' }];
  await end(aTurn().id, 'unavailable', aQuestion({ text: '', shares }));

  await click();

  expect(world.accepted.map(({ question }) => question.shares)).toEqual([shares]);
});

it('an answer is not shared by somebody of another workspace who has the same id', async () => {
  await world.store.turns.accept(aTurn({ stage: 'done', result: 'answer' }));

  await click('share_in_thread', { team: { id: 'T2' } });

  expect(world.accepted).toEqual([]);
  expect(world.said).toHaveLength(1);
});
