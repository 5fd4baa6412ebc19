import { expect, it } from 'vitest';
import { StoreUnavailableError } from '../../../src/errors.ts';
import { registerSlackEvents } from '../../../src/slack/listeners/slack-events.ts';
import { startListeners } from './listener-world.ts';

it('that somebody has left is not acknowledged before what is kept of them is deleted', async () => {
  const world = startListeners(({ events }, ports) =>
    registerSlackEvents(events, {
      ...ports,
      personChanged: () => undefined,
      audienceChanged: () => undefined,
      personLeft: async () => {
        throw new StoreUnavailableError('down');
      },
    }),
  );

  const told = world.event({ type: 'user_change', user: { id: 'UANA', team_id: 'T1', deleted: true } });

  await expect(told).rejects.toMatchObject({ code: 'store_unavailable' });
});
