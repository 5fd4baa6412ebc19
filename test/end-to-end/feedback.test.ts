import type { Message, View } from '@assistant-bridge/sandbox/slack/records.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CHANNEL, type LiveWorld, startLiveWorld } from './live-world.ts';

const FEEDBACK_CHANNEL = 'C0FINANCE';
const SEND = 'Send the question and the answer along';

let world: LiveWorld;

beforeAll(async () => {
  world = await startLiveWorld({ environment: { FEEDBACK_CHANNEL: `T0001:${FEEDBACK_CHANNEL}` } });
  await world.signIn('U0ANA');
});
let posted: string[];
beforeEach(() => {
  posted = posts();
});
afterEach(async () => {
  world.slack.faults.clear();
  for (const user of ['U0ANA', 'U0KIM']) {
    const view = world.slack.as(user).openView();
    if (view) await world.slack.as(user).closeView(view);
  }
});
afterAll(() => world.close());

const person = (user: string) => world.slack.as(user);

/** What FEEDBACK_CHANNEL shows. */
function posts(): string[] {
  return person('U0KIM')
    .sees(FEEDBACK_CHANNEL)
    .map((message) => world.slack.render(message));
}

const news = () => posts().slice(posted.length);

async function askAndAnswer(text: string): Promise<{ answer: Message; threadTs: string }> {
  const question = await world.ask(text);
  await world.waitForReplies(question);
  const answer = world.repliesIn(question).at(-1);
  if (!answer) throw new Error('no answer');
  return { answer, threadTs: question.ts };
}

/** Presses the button, and waits for the form. */
async function open(user: string, answer: Message, button: string): Promise<View> {
  await person(user).click(answer, button);
  await world.slack.until(
    () =>
      person(user)
        .openView()
        ?.blocks.some(({ type }) => type === 'input'),
    {
      what: 'the form',
    },
  );
  const view = person(user).openView();
  if (!view) throw new Error('no window');
  return view;
}

const thanksSeenBy = (user: string, threadTs: string) =>
  world.slack.until(() =>
    person(user)
      .sees(CHANNEL, threadTs)
      .some(({ ephemeralFor, text }) => ephemeralFor === user && text === 'Thank you, noted.'),
  );

describe('feedback', () => {
  it('goes to the channel with its reasons and the comment, without the text and without a name', async () => {
    const { answer, threadTs } = await askAndAnswer('how old is the plan?');

    const view = await open('U0ANA', answer, 'Bad answer');
    const form = world.slack.render(view);
    await person('U0ANA').submit(view, {
      feedback_reasons: ['It is out of date', 'It uses the wrong source'],
      feedback_comment: 'The <!channel> plan of *May* counts.',
    });
    await world.slack.until(() => news().length === 1);
    await thanksSeenBy('U0ANA', threadTs);

    expect(form).toContain(`[ ] ${SEND}`);
    expect(news()[0]).toContain('Bad answer*: out of date, wrong source');
    expect(news()[0]).toContain('The <!channel> plan of *May* counts.');
    expect(news()[0]).toContain(`message:T0001:${CHANNEL}:${threadTs}`);
    expect(news()[0]).not.toMatch(/how old is the plan|here is what I found|U0ANA|ana/i);
    expect(world.slack.render(person('U0ANA').openView() ?? view)).toContain('Thank you.');
    expect(world.slack.workspace.notifications.filter(({ channel }) => channel === FEEDBACK_CHANNEL)).toEqual([]);
  });

  it('takes the question and the answer along where its asker ticks that', async () => {
    const { answer } = await askAndAnswer('who owns the launch?');

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
    const question = await person('U0KIM').say(CHANNEL, `${world.slack.mention} what is only for me?`);
    const isPrivate = (message: Message) => world.slack.render(message).includes('what is only for me');
    await world.slack.until(() => person('U0KIM').sees(person('U0KIM').dm).some(isPrivate));
    await world.waitForReplies(question, 1, 'U0KIM');
    const alone = person('U0KIM').sees(person('U0KIM').dm).findLast(isPrivate);
    await person('U0ANA').command('/assistant-web-off', 'what do our notes say?', CHANNEL);
    const isRoot = ({ text }: Message) => text.includes('what do our notes');
    const root = await world.slack.until(() => person('U0ANA').sees(CHANNEL).find(isRoot));
    await world.waitForReplies(root);
    const [inThread] = world.repliesIn(root);
    if (!alone || !inThread) throw new Error('no answer');

    await person('U0KIM').submit(await open('U0KIM', alone, 'Bad answer'), { feedback_text: [SEND] });
    await world.slack.until(() => news().length === 1);
    await person('U0ANA').submit(await open('U0ANA', inThread, 'Bad answer'), { feedback_text: [SEND] });
    await world.slack.until(() => news().length === 2);

    expect(news()[0]).toMatch(/what is only for me\?.*here is what I found about what is only for me/s);
    expect(news()[1]).toMatch(/what do our notes say\?.*here is what I found about what do our notes say/s);
    expect(news()[1]).not.toContain('asked, with web search off');
  });

  it('says so where the text that was to go along is gone', async () => {
    const { answer, threadTs } = await askAndAnswer('is this gone?');
    const view = await open('U0ANA', answer, 'Bad answer');
    await person('U0ANA').delete({ channel: CHANNEL, ts: threadTs });

    await person('U0ANA').submit(view, { feedback_text: [SEND] });
    await world.slack.until(() => news().length === 1);

    expect(news()[0]).toContain('could not be read');
  });

  it('of another person cannot take along what was answered with the rights of the asker', async () => {
    const { answer } = await askAndAnswer('what is in my mail?');

    const view = await open('U0KIM', answer, 'Bad answer');

    expect(world.slack.render(view)).not.toContain(SEND);
  });

  it('given once more replaces the first', async () => {
    const { answer } = await askAndAnswer('which of the two?');
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
    const { answer, threadTs } = await askAndAnswer('is anybody there?');
    world.slack.workspace.leave(FEEDBACK_CHANNEL, world.slack.botUserId);

    const view = await open('U0ANA', answer, 'Bad answer');
    await person('U0ANA').submit(view, { feedback_reasons: ['It took too long'] });
    await thanksSeenBy('U0ANA', threadTs);
    await world.slack.until(() => world.app.lines.some((line) => line.includes('feedback not posted')));
    world.slack.workspace.join(FEEDBACK_CHANNEL, world.slack.botUserId);

    expect(news()).toEqual([]);
    expect(person('U0ANA').warnings()).toEqual([]);
  });
});
