import { expect, it } from 'vitest';
import type { Person } from '../../../src/conversation/question.ts';
import { registerMyData } from '../../../src/slack/listeners/my-data.ts';
import { only } from '../only.ts';
import { startListeners } from './listener-world.ts';

const submitDeletion = {
  type: 'view_submission',
  user: { id: 'UANA' },
  view: { id: 'V1', type: 'modal', callback_id: 'delete_my_data', private_metadata: '', state: { values: {} } },
};

it('who has deleted their data is not left with a window that loads for ever', async () => {
  const removed: unknown[] = [];
  const world = startListeners(({ interactions }, ports) => {
    ports.personalData = only({
      async remove(person: Person) {
        removed.push(person);
        return { signIns: 1, cancelled: 0, records: 3, left: 0 };
      },
    });
    ports.call = () => Promise.reject(new Error('internal_error'));
    registerMyData(interactions, ports);
  });

  await world.interact(submitDeletion);

  expect(removed).toEqual([{ team: 'T1', user: 'UANA' }]);
  expect(world.said.map(({ text }) => text)).toEqual([
    'Slack did not show the content of the window. Close the window and open it again.',
  ]);
});
