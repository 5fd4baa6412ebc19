import { beforeEach, expect, it } from 'vitest';
import { registerSlackEvents } from '../../../src/slack/listeners/slack-events.ts';
import { aQuestion, aTurn } from '../../conversation/a-question.ts';
import { startListeners } from './listener-world.ts';

let world: ReturnType<typeof startListeners>;
beforeEach(() => {
  world = startListeners(({ events }, ports) => registerSlackEvents(events, ports));
});

const STOP = { type: 'agent_session_stopped', channel: 'C1', thread_ts: '100.1', user: 'UANA', event_ts: '130.5' };

it.each([
  ['stops the question that it was pressed for', 130_000, undefined, 'stopped'],
  ['stops it if our clock is a minute ahead of Slack’s', 190_000, undefined, 'stopped'],
  ['stops it if Slack sends it again at once', 130_000, 1, 'stopped'],
  ['does not stop a later question, if Slack sends it again', 190_000, 2, 'accepted'],
])('Stop %s', async (_, acceptedAt, retryNum, stage) => {
  await world.store.turns.accept(aTurn({ acceptedAt, question: aQuestion({ threadTs: '100.1' }) }));

  await world.event(STOP, retryNum);

  expect((await world.store.turns.get(aTurn().id))?.stage).toBe(stage);
});
