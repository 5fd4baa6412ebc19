import type { SlashCommand } from '@slack/bolt';
import { expect, it } from 'vitest';
import { english } from '../../../src/languages/english.ts';
import { registerAskAbout } from '../../../src/slack/listeners/ask-about.ts';
import { openScheduleFor, registerSchedules } from '../../../src/slack/listeners/schedules.ts';
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

it('a question of a command that is longer than the window takes is scheduled without web search where its end says so', async () => {
  const command = { user_id: 'UANA', team_id: 'T1', trigger_id: '1.2' } as SlashCommand;
  const begun: Promise<void>[] = [];
  const world = startListeners(() => undefined);
  const ports = { ...world.ports, inBackground: (work: () => Promise<void>) => void begun.push(work()) };

  await openScheduleFor({ command, ack: async () => undefined }, `${'a'.repeat(3_000)} !web-off`, ports);
  await Promise.all(begun);

  expect(JSON.stringify(world.views)).toContain('"initial_value":"!web-off aaa');
});

it('a question about a message that no message of Slack can show is refused in its window', async () => {
  const world = startListeners(({ interactions }, ports) => registerAskAbout(interactions, ports));
  const submit = (value: string) =>
    world.interact({
      ...{ type: 'view_submission', user: { id: 'UANA' } },
      view: {
        ...{ id: value.slice(0, 9), callback_id: 'about_question' },
        private_metadata: JSON.stringify({ channel: 'C1', ts: '1.1', threadTs: '1.1' }),
        state: { values: { about_question: { about_question: { value } } } },
      },
    });

  await submit('&'.repeat(3_000));
  await submit('a'.repeat(3_000));

  expect(world.acks).toEqual([
    { response_action: 'errors', errors: { about_question: english.controls.questionTooLong } },
    undefined,
  ]);
  expect(world.accepted).toHaveLength(1);
});
