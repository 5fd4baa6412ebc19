import type { Message, View } from '@assistant-bridge/sandbox/slack/records.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { CHANNEL, shareLiveWorld } from './live-world.ts';

const FEEDBACK_CHANNEL = 'C0FINANCE';
const SEND = 'Send the question and the answer along';

const world = shareLiveWorld({ environment: { FEEDBACK_CHANNEL: `T0001:${FEEDBACK_CHANNEL}` } });

let posted: string[];
beforeEach(() => {
  posted = posts();
});

const person = (user: string) => world.slack.as(user);

/** What FEEDBACK_CHANNEL shows. */
function posts(): string[] {
  return person('U0KIM')
    .sees(FEEDBACK_CHANNEL)
    .map((message) => world.slack.render(message));
}

const news = () => posts().slice(posted.length);

/** Presses the button, and waits for the form. */
async function open(user: string, answer: Message, button: string): Promise<View> {
  await person(user).click(answer, button);
  const look = () => {
    const view = person(user).openView();
    return view?.blocks.some(({ type }) => type === 'input') ? view : undefined;
  };
  return world.slack.until(look, { what: 'the form' });
}

describe('feedback', () => {
  it('goes to the channel with its reasons and the comment, without the text and without a name', async () => {
    const { answer, question } = await world.askAndWait('how old is the plan?');

    const view = await open('U0ANA', answer, 'Bad answer');
    const form = world.slack.render(view);
    await person('U0ANA').submit(view, {
      feedback_reasons: ['It is out of date', 'It uses the wrong source'],
      feedback_comment: 'The <!channel> plan of *May* counts.',
    });
    await world.slack.until(() => news().length === 1);
    await world.find('Thank you, noted.', { threadTs: question.ts });

    expect(form).toContain(`[ ] ${SEND}`);
    expect(news()[0]).toContain('Bad answer*: out of date, wrong source');
    expect(news()[0]).toContain('The <!channel> plan of *May* counts.');
    expect(news()[0]).toContain(`message:T0001:${CHANNEL}:${question.ts}`);
    expect(news()[0]).not.toMatch(/how old is the plan|here is what I found|U0ANA|ana/i);
    expect(world.slack.render(person('U0ANA').openView() ?? view)).toContain('Thank you.');
    expect(world.slack.workspace.notifications.filter(({ channel }) => channel === FEEDBACK_CHANNEL)).toEqual([]);
  });

  it('takes the question and the answer along where its asker ticks that', async () => {
    const { answer } = await world.askAndWait('who owns the launch?');

    const view = await open('U0ANA', answer, 'Good answer');
    await person('U0ANA').submit(view, { feedback_text: [SEND] });
    await world.slack.until(() => news().length === 1);

    expect(news()[0]).toContain('Good answer');
    expect(news()[0]).toContain('who owns the launch?');
    expect(news()[0]).toContain('here is what I found about');
    expect(news()[0]).toContain('Team notes');
    expect(news()[0]).not.toContain('Ask again');
  });

  it('takes them along from a direct message, and from the thread of a command', async () => {
    await world.signIn('U0KIM', 'private');
    await world.askAndWait('what is only for me?', { user: 'U0KIM' });
    const alone = await world.findDirect('what is only for me', 'U0KIM');
    await person('U0ANA').command('/assistant-web-off', 'what do our notes say?', CHANNEL);
    const inThread = await world.reply(await world.find('what do our notes'));

    await person('U0KIM').submit(await open('U0KIM', alone, 'Bad answer'), { feedback_text: [SEND] });
    await world.slack.until(() => news().length === 1);
    await person('U0ANA').submit(await open('U0ANA', inThread, 'Bad answer'), { feedback_text: [SEND] });
    await world.slack.until(() => news().length === 2);

    expect(news()[0]).toMatch(/what is only for me\?.*here is what I found about what is only for me/s);
    expect(news()[1]).toMatch(/what do our notes say\?.*here is what I found about what do our notes say/s);
    expect(news()[1]).not.toContain('asked, with web search off');
  });

  it('says so where the text that was to go along is gone', async () => {
    const { answer, question } = await world.askAndWait('is this gone?');
    const view = await open('U0ANA', answer, 'Bad answer');
    await person('U0ANA').delete(question);

    await person('U0ANA').submit(view, { feedback_text: [SEND] });
    await world.slack.until(() => news().length === 1);

    expect(news()[0]).toContain('could not be read');
  });

  it('of another person cannot take along what was answered with the rights of the asker', async () => {
    const { answer } = await world.askAndWait('what is in my mail?');

    const view = await open('U0KIM', answer, 'Bad answer');

    expect(world.slack.render(view)).not.toContain(SEND);
  });

  it('given once more replaces the first', async () => {
    const { answer } = await world.askAndWait('which of the two?');
    const first = await open('U0ANA', answer, 'Bad answer');
    await person('U0ANA').submit(first, { feedback_reasons: ['It is wrong'] });
    await world.slack.until(() => news().length === 1);
    await person('U0ANA').closeView(person('U0ANA').openView() ?? first);

    const second = await open('U0ANA', answer, 'Good answer');
    await person('U0ANA').submit(second, { feedback_comment: 'I was wrong.' });
    await world.slack.until(() => news()[0]?.includes('I was wrong.'));

    expect(news()).toHaveLength(1);
    expect(news()[0]).not.toContain('Bad answer');
  });

  it('is thanked for, and noted in the log, where the channel cannot be reached', async () => {
    const { answer, question } = await world.askAndWait('is anybody there?');
    world.slack.workspace.leave(FEEDBACK_CHANNEL, world.slack.botUserId);

    const view = await open('U0ANA', answer, 'Bad answer');
    await person('U0ANA').submit(view, { feedback_reasons: ['It took too long'] });
    await world.find('Thank you, noted.', { threadTs: question.ts });
    await world.untilLogged('feedback not posted');
    world.slack.workspace.join(FEEDBACK_CHANNEL, world.slack.botUserId);

    expect(news()).toEqual([]);
    expect(person('U0ANA').warnings()).toEqual([]);
  });
});
