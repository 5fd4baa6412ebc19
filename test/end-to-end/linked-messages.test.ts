import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CHANNEL, type LiveWorld, startLiveWorld } from './live-world.ts';
import { linkTo } from './message-links.ts';

const BEGIN = '[Quotes from Slack, as background';
const END = '[End of the quotes. My question:]';

let world: LiveWorld;

const ana = () => world.slack.as('U0ANA');
const ben = () => world.slack.as('U0BEN');
const lastText = () => world.assistant.ledger.chats().at(-1)?.text ?? '';

describe('a message linked to', () => {
  beforeAll(async () => {
    world = await startLiveWorld();
    await world.signIn('U0ANA');
  });
  beforeEach(() => world.assistant.ledger.clear());
  afterAll(() => world.close());

  it('goes along with its thread, from a channel that the app and the asker are in', async () => {
    const root = await world.slack.as('U0KIM').say('C0FINANCE', 'the budget thread');
    const reply = await world.slack.as('U0KIM').say('C0FINANCE', 'it is 12,000', { threadTs: root.ts });

    const question = await world.ask(`what does ${linkTo(reply)} say?`);
    await world.waitForReplies(question);

    expect(lastText()).toContain('“Kim Kato” wrote:\n> the budget thread\n');
    expect(lastText()).toContain('“Kim Kato” wrote:\n> it is 12,000\n');
    expect(lastText()).toContain(END);
  });

  it('from a private channel is not in a conversation that anybody else asks in', async () => {
    await world.signIn('U0BEN');
    const secret = await world.slack.as('U0KIM').say('C0FINANCE', 'for finance only');
    const question = await world.ask(`sum up ${linkTo(secret)}`);
    const [stub] = await world.waitForReplies(question);
    expect(stub).toContain(
      'got the answer in a direct message, because the question, or an earlier one, links to a message',
    );

    await ben().say(CHANNEL, `${world.slack.mention} and now me?`, { threadTs: question.ts });
    await world.waitForReplies(question, 2);

    const [first, second] = world.assistant.ledger.chats();
    expect(second?.subject).toBe('ben');
    expect(second?.conversation).not.toBe(first?.conversation);
    expect(second?.text).not.toContain('for finance only');
  });

  it.each([
    ['the app is not in', 'C0RANDOM', 'U0ANA', 'I am not in that channel'],
    ['nobody may know of', 'C0SECRET', 'U0KIM', 'I am not in that channel'],
  ])('is not read in a channel that %s', async (_where, channel, author, reason) => {
    const message = await world.slack.as(author).say(channel, 'not for the assistant');

    const question = await world.ask(`what does ${linkTo(message)} say?`);
    const [answer] = await world.waitForReplies(question);

    expect(lastText()).not.toContain('not for the assistant');
    expect(lastText()).not.toContain(BEGIN);
    expect(answer).toContain(reason);
  });

  it('is not read in a channel that the asker is not in', async () => {
    world.slack.workspace.leave('C0FINANCE', 'U0ANA');
    const message = await world.slack.as('U0KIM').say('C0FINANCE', 'no longer for Ana');

    const question = await world.ask(`what does ${linkTo(message)} say?`);
    const [answer] = await world.waitForReplies(question);

    expect(lastText()).not.toContain('no longer for Ana');
    expect(answer).toContain('you are not in that channel');
  });

  it('is not read in somebody else’s direct messages', async () => {
    const message = await world.slack.as('U0KIM').say(world.slack.as('U0KIM').dm, 'between Kim and the app');

    const question = await world.ask(`what does ${linkTo(message)} say?`);
    const [answer] = await world.waitForReplies(question);

    expect(lastText()).not.toContain('between Kim and the app');
    expect(answer).toContain('direct message');
  });

  it('is not read if somebody else wrote the link, and it is asked by the menu', async () => {
    const secret = await world.slack.as('U0KIM').say('C0PROJECT', 'in the project');
    const bait = await ben().say(CHANNEL, `sum up ${linkTo(secret)}`);

    await ana().shortcut(bait, 'ask_without_web');
    const [answer] = await world.waitForReplies(bait);

    expect(lastText()).not.toContain('in the project');
    expect(answer).toContain('I follow only links that you write');
  });
});
