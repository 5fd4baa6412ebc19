import { expect, it } from 'vitest';
import { registerAnswerButtons } from '../../../src/slack/listeners/answer-buttons.ts';
import { aTurn } from '../../conversation/a-question.ts';
import { startListeners } from './listener-world.ts';

const start = () => startListeners(({ interactions }, ports) => registerAnswerButtons(interactions, ports));

const click = (more: object = {}) => ({
  ...{ type: 'block_actions', user: { id: 'UANA' }, trigger_id: '1.2', ...more },
  actions: [{ type: 'button', action_id: 'share_in_thread', block_id: 'b', value: aTurn().id }],
});

it('a private answer is shared without what stands in the channel already', async () => {
  const world = start();
  const parts = [
    { step: 'placed', channel: 'C1', ts: '100.2' },
    { step: 'placed', channel: 'D1', ts: '100.3' },
    { step: 'none', channel: 'D1' },
  ] as const;
  await world.store.turns.accept(aTurn({ stage: 'done', result: 'answer', parts: [...parts] }));

  await world.interact(click());

  expect(world.accepted.map(({ question }) => question.shares)).toEqual([[{ channel: 'D1', ts: '100.3' }]]);
});

it('an answer is not shared by somebody of another workspace who has the same id', async () => {
  const world = start();
  await world.store.turns.accept(aTurn({ stage: 'done', result: 'answer' }));

  await world.interact(click({ team: { id: 'T2' } }));

  expect(world.accepted).toEqual([]);
  expect(world.said).toHaveLength(1);
});
