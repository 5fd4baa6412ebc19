import { expect, it } from 'vitest';
import { registerSchedules } from '../../../src/slack/listeners/schedules.ts';
import { aTurn } from '../../conversation/a-question.ts';
import { startListeners } from './listener-world.ts';

it('a question of nearly 3,000 characters whose answer is without web search is scheduled without it', async () => {
  const text = 'a'.repeat(2_995);
  const read = { text, webSearch: false, links: [], unusable: [], isByAsker: true, isFollowed: false };
  const world = startListeners(({ interactions }, ports) => {
    registerSchedules(interactions, { ...ports, readQuestion: async () => read });
  });
  await world.store.turns.accept(aTurn());

  await world.interact({
    ...{ type: 'block_actions', user: { id: 'UANA' }, trigger_id: '1.2' },
    actions: [{ type: 'button', action_id: 'schedule', block_id: 'b', value: aTurn().id }],
  });

  const [initial] = /"initial_value":"[^"]*"/.exec(JSON.stringify(world.views)) ?? [];
  expect(initial).toContain('!web-off');
});
