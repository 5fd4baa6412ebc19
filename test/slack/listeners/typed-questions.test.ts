import type { InputBlock, ModalView } from '@slack/types';
import { beforeEach, expect, it } from 'vitest';
import type { NewSchedule } from '../../../src/conversation/schedules.ts';
import { english } from '../../../src/languages/english.ts';
import { registerAskAbout } from '../../../src/slack/listeners/ask-about.ts';
import { registerAssistantCommand } from '../../../src/slack/listeners/assistant-command.ts';
import { registerSchedules } from '../../../src/slack/listeners/schedules.ts';
import { registerWebOff } from '../../../src/slack/listeners/web-off.ts';
import { aTurn } from '../../conversation/a-question.ts';
import { NAMERS } from '../a-slack.ts';
import { startListeners } from './listener-world.ts';

/** What Slack would take for markup in a message, but nobody means so in a window. */
const TYPED = 'what does &lt; mean, and <!DOCTYPE html>, and <!-- this -->? https://x.example/a?b=1&c=2';

let world: ReturnType<typeof startListeners>;
let scheduled: NewSchedule[];
beforeEach(() => {
  scheduled = [];
  world = startListeners(({ interactions }, ports) => {
    Object.assign(ports, {
      scheduling: { add: async (asked: NewSchedule) => scheduled.push(asked) },
      homeTab: { refresh: async () => undefined },
    });
    registerAskAbout(interactions, ports);
    registerWebOff(interactions, ports);
    registerSchedules(interactions, ports);
    registerAssistantCommand(interactions, ports);
  });
});

const submit = (callback_id: string, field: string, private_metadata: string, value = TYPED) =>
  world.interact({
    type: 'view_submission',
    user: { id: 'UANA' },
    view: {
      ...{ id: 'V1', type: 'modal', callback_id, private_metadata },
      state: { values: { [field]: { [field]: { type: 'plain_text_input', value } } } },
    },
  });

const command = (text: string) => ({
  ...{ command: '/assistant', text, team_id: 'T1', user_id: 'UANA', channel_id: 'C1', trigger_id: '1.2' },
});

const shownQuestion = () => {
  const view = world.views.at(-1)?.view as ModalView | undefined;
  const field = view?.blocks.find((block): block is InputBlock => block.type === 'input')?.element;
  return field?.type === 'plain_text_input' ? field.initial_value : undefined;
};

it('a question typed into a window is asked as it was typed', async () => {
  await submit('web_off_question', 'web_off_question', 'C1');
  await submit('about_question', 'about_question', JSON.stringify({ channel: 'C1', ts: '1.1', threadTs: '1.1' }));
  await submit('schedule', 'schedule_question', 'UTC');

  const asked = [...world.accepted.map(({ question }) => question), ...scheduled.map(({ content }) => content)];
  expect(asked.map(({ text }) => text)).toEqual([TYPED, TYPED, TYPED]);
  expect(asked.map(({ links }) => links)).toEqual(Array(3).fill(['https://x.example/a?b=1&c=2']));
});

it('about a message nothing is asked without words, which the window says', async () => {
  const place = JSON.stringify({ channel: 'D1', ts: '1.1', threadTs: '1.1' });
  await submit('about_question', 'about_question', place, '!web-off');

  expect(world.accepted).toEqual([]);
  expect(world.acks).toMatchObject([
    { response_action: 'errors', errors: { about_question: 'Please write a question.' } },
  ]);
});

it('the window that a command opens shows the question as it was typed, not as Slack encodes it', async () => {
  await world.interact(command('schedule what is new in R&amp;D &lt;7 days? <https://x.example/a>'));

  expect(shownQuestion()).toBe('what is new in R&D <7 days? https://x.example/a');
});

it('a word that the command does not know is shown as it was typed, and cut within no character', async () => {
  await world.interact(command('R&amp;D &lt;b&gt;'));
  await world.interact(command(`${'x'.repeat(49)}😀😀`));

  // The texts are mrkdwn, so they are escaped once.
  const shown = world.acks.map((ack) => /the word `(.*?)`/.exec((ack as { text: string }).text)?.[1]);
  expect(shown).toEqual(['r&amp;d &lt;b&gt;', `${'x'.repeat(49)}…`]);
});

it('a question about a message that no message of Slack can show is refused in its window', async () => {
  const place = JSON.stringify({ channel: 'C1', ts: '1.1', threadTs: '1.1' });
  await submit('about_question', 'about_question', place, '&'.repeat(3_000));
  await submit('about_question', 'about_question', place, 'a'.repeat(3_000));

  expect(world.acks).toEqual([
    { response_action: 'errors', errors: { about_question: english.controls.questionTooLong } },
    undefined,
  ]);
  expect(world.accepted).toHaveLength(1);
});

it('a command’s question that is longer than the window takes is scheduled without web search where its end says so', async () => {
  await world.interact(command(`schedule ${'a'.repeat(3_000)} !web-off`));

  expect(shownQuestion()).toMatch(/^!web-off aaa/);
});

it('a long question without web search is scheduled without it, even where the field cuts it', async () => {
  const turn = aTurn();
  await world.store.turns.accept(turn);
  const read = { text: 'long '.repeat(700).trim(), webSearch: false, links: [], unusable: [], uploads: [] };
  Object.assign(world.ports, { readQuestion: async () => ({ ...read, isByAsker: true }) });
  const action = { type: 'button', action_id: 'schedule', block_id: 'b', value: turn.id };
  const { user } = turn.question.asker;
  await world.interact({ type: 'block_actions', user: { id: user }, trigger_id: '1.2', actions: [action] });

  expect(shownQuestion()).toHaveLength(3_000);
  expect(shownQuestion()).toMatch(/^!web-off long/);
});

it('a question that is scheduled names those whom it mentions', async () => {
  Object.assign(world.ports.people, NAMERS.people);

  await world.interact(command('schedule what does <@UBEN|ben> want?'));

  expect(shownQuestion()).toBe('what does @Name of UBEN want?');
});
