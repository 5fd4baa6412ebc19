import { beforeEach, expect, it } from 'vitest';
import { registerSlackEvents } from '../../../src/slack/listeners/slack-events.ts';
import { aQuestion, aTurn } from '../../conversation/a-question.ts';
import { startListeners } from './listener-world.ts';

let world: ReturnType<typeof startListeners>;
beforeEach(() => {
  world = startListeners(({ events }, ports) => registerSlackEvents(events, ports));
});

const stop = (event_ts: string) =>
  world.event({ type: 'agent_session_stopped', channel: 'C1', thread_ts: '100.1', user: 'UANA', event_ts });

it.each([
  ['stops the question that it was pressed for', 130_000, 'stopped'],
  ['does not stop a later question, if Slack sends it again', 190_000, 'accepted'],
])('Stop %s', async (_, acceptedAt, stage) => {
  await world.store.turns.accept(aTurn({ acceptedAt, question: aQuestion({ threadTs: '100.1' }) }));

  await stop('130.5');

  expect((await world.store.turns.get(aTurn().id))?.stage).toBe(stage);
});
