import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CHANNEL, type LiveWorld, startLiveWorld } from './live-world.ts';

let world: LiveWorld;

beforeAll(async () => {
  world = await startLiveWorld({ assistant: { answer: ({ text, name }) => `for ${name}: ${text}` } });
  await world.signIn('U0ANA', 'private');
  await world.signIn('U0BEN', 'thread');
  world.assistant.access.others = 'allowed';
});
beforeEach(() => world.assistant.ledger.clear());
afterAll(() => world.close());

const ana = () => world.slack.as('U0ANA');
const direct = () => ana().sees(ana().dm);

describe('somebody who chose to see answers alone', () => {
  it('gets the answer in a direct message, and the thread a stub that says so', async () => {
    const question = await world.ask('what do I earn?');
    const [stub] = await world.waitForReplies(question);

    const answer = direct().find(({ text }) => text.includes('what do I earn?'));
    expect(answer && world.slack.render(answer)).toContain('[Share in thread]');
    expect(stub).toContain('got the answer in a direct message');
    expect(stub).not.toContain('what do I earn?');
  });

  it('can show it to the thread, once', async () => {
    const question = await world.ask('what is for all?');
    await world.waitForReplies(question);
    const answer = await world.slack.until(() => direct().find(({ text }) => text.includes('what is for all?')));

    await Promise.all([ana().click(answer, 'Share in thread'), ana().click(answer, 'Share in thread')]);
    const replies = await world.waitForReplies(question, 2);
    await new Promise((resolve) => setTimeout(resolve, 300));

    expect(world.repliesIn(question)).toHaveLength(2);
    expect(replies[1]).toContain('for Ana Alvarez: what is for all?');
    expect(replies[1]).toContain('with their own access rights');
    expect(world.assistant.ledger.chats()).toHaveLength(1);
  });

  it('can show all of a long answer, in order', async () => {
    const words = Array.from({ length: 3_500 }, (_, index) =>
      index % 50 === 49 ? `word${index}\n\n` : `word${index}`,
    );
    const question = await world.ask(words.join(' '));
    await world.waitForReplies(question);
    const button = await world.slack.until(() =>
      direct().findLast((message) => world.slack.render(message).includes('[Share in thread]')),
    );

    await ana().click(button, 'Share in thread');
    const count = () =>
      world
        .repliesIn(question)
        .map((message) => world.slack.render(message))
        .join(' ')
        .match(/word\d+/g);
    await world.slack.until(() => count()?.length === words.length, { what: 'all words' });

    expect(count()).toEqual(words.map((word) => word.trim()));
  });

  it('keeps what was answered so out of everybody else’s conversation in the thread', async () => {
    const question = await world.ask('a secret of Ana');
    await world.waitForReplies(question);

    await world.slack.as('U0BEN').say(CHANNEL, `${world.slack.mention} what did she ask?`, { threadTs: question.ts });
    const replies = await world.waitForReplies(question, 2, 'U0BEN');

    const [anas, bens] = world.assistant.ledger.chats();
    expect(bens?.conversation).not.toBe(anas?.conversation);
    expect(replies[1]).toContain('for Ben Brandt');
  });

  it('is answered as usual in a direct message', async () => {
    const question = await ana().say(ana().dm, 'just between us');

    const [answer] = await world.waitForReplies(question);

    expect(answer).toContain('for Ana Alvarez: just between us');
    expect(answer).not.toContain('[Share in thread]');
  });
});
