import { beforeEach, describe, expect, it } from 'vitest';
import { registerAnswerButtons } from '../../../src/slack/listeners/answer-buttons.ts';
import { aQuestion, aTurn } from '../../conversation/a-question.ts';
import { startListeners } from './listener-world.ts';

let world: ReturnType<typeof startListeners>;
beforeEach(() => {
  world = startListeners(({ interactions }, ports) => registerAnswerButtons(interactions, ports));
});

/** Ana asks again a question of hers that ended so. Returns the new question. */
async function askAgain(result: string, repeats?: string) {
  const question = aQuestion({ ...(repeats !== undefined && { repeats }) });
  await world.store.turns.accept(aTurn({ question }));
  await world.store.turns.save(aTurn({ question, stage: 'done', result }));
  await world.interact({
    type: 'block_actions',
    user: { id: 'UANA' },
    trigger_id: '1.2',
    actions: [{ type: 'button', action_id: 'ask_again', block_id: 'b', value: aTurn().id }],
  });
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
});
