import type { SandboxUser } from '@assistant-bridge/sandbox/sandbox.ts';
import type { Message } from '@assistant-bridge/sandbox/slack/records.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { CHANNEL, shareLiveWorld } from './live-world.ts';
import { type Place, toAskedWords } from './steps.ts';

const world = shareLiveWorld({
  assistant: { answer: ({ text, name }) => `for ${name}: ${toAskedWords(text)}` },
});

/** Ana is answered in the thread, Ben and Kim alone; the service would let everybody into every conversation. */
beforeAll(async () => {
  await world.signIn('U0BEN', 'private');
  await world.signIn('U0KIM', 'private');
  world.assistant.access.others = 'allowed';
});

const say = (user: string, text: string, thread?: Place) =>
  world.ask(text, { user, ...(thread && { threadTs: thread.ts }) });

/** The conversation that each question went to, by the question’s text. */
const conversationOf = (text: string) =>
  world.assistant.ledger.chats().find((chat) => toAskedWords(chat.text) === text)?.conversation ??
  `"${text}" was not asked`;

const directTo = (user: string): Message[] => world.slack.as(user).sees(world.slack.as(user).dm);

describe('somebody who is answered alone', () => {
  it('never joins the conversation of those who are answered in the thread, nor they theirs', async () => {
    const root = await say('U0ANA', 'Ana begins');
    await world.waitForReplies(root);
    await say('U0BEN', 'Ben asks alone', root);
    await world.waitForReplies(root, 2);
    await say('U0ANA', 'Ana goes on', root);
    const replies = await world.waitForReplies(root, 3);

    expect(conversationOf('Ana goes on')).toBe(conversationOf('Ana begins'));
    expect(conversationOf('Ben asks alone')).not.toBe(conversationOf('Ana begins'));
    expect(replies.join()).not.toContain('Ben asks alone');
    expect(directTo('U0BEN').some(({ text }) => text.includes('Ben asks alone'))).toBe(true);
  });

  it('keeps everybody out of a conversation that was open to all before, from the question on', async () => {
    const root = await say('U0ANA', 'Ana in the open');
    await world.waitForReplies(root);
    const open = conversationOf('Ana in the open');
    await changeAnswersOf('U0ANA', 'private');
    world.assistant.faults.next('504-json');
    await say('U0ANA', 'Ana alone', root);
    await world.waitForReplies(root, 2);
    const alone = conversationOf('Ana alone');
    await changeAnswersOf('U0BEN', 'thread');
    await say('U0BEN', 'Ben looks in', root);
    await world.waitForReplies(root, 3);

    expect(alone).toBe(open);
    expect(conversationOf('Ben looks in')).not.toBe(open);
  });
});

describe('an answer that its asker alone got', () => {
  const kim = () => world.slack.as('U0KIM');
  const shareable = (words: string) => (message: Message) =>
    message.text.includes(words) && world.slack.render(message).includes('[Share in thread]');

  it('can be shown to the thread, once; the thread has a stub meanwhile that says nothing of it', async () => {
    const question = await say('U0KIM', 'what is for all?');
    const [stub] = await world.waitForReplies(question);
    const answer = await world.slack.until(() => directTo('U0KIM').find(shareable('what is for all?')));

    await Promise.all([kim().click(answer, 'Share in thread'), kim().click(answer, 'Share in thread')]);
    await world.waitForReplies(question, 2);
    await say('U0KIM', 'the last one', question);
    const replies = await world.waitForReplies(question, 3);

    expect(stub).toContain('got the answer in a direct message');
    expect(stub).not.toContain('what is for all?');
    expect(replies[1]).toContain('for Kim Kato: what is for all?');
    expect(replies[1]).toContain('with their own access rights');
    expect(replies[2]).toContain('got the answer in a direct message');
    expect(world.assistant.ledger.chats()).toHaveLength(2);
  });

  it('can be shown whole where it is long, in order', async () => {
    const words = Array.from({ length: 3_500 }, (_, index) =>
      index % 50 === 49 ? `word${index}\n\n` : `word${index}`,
    );
    const question = await say('U0KIM', words.join(' '));
    await world.waitForReplies(question);
    const answer = await world.slack.until(() => directTo('U0KIM').findLast(shareable('')));

    await kim().click(answer, 'Share in thread');
    const shown = () => world.repliesIn(question).map((message) => world.slack.render(message));
    const shared = () => `${shown()}`.match(/word\d+/g);
    await world.slack.until(() => shared()?.length === words.length, { what: 'all words' });

    expect(shared()).toEqual(words.map((word) => word.trim()));
  });
});

describe('signing out', () => {
  it('while the question is asked does not make the answer public', async () => {
    world.assistant.hold();
    const question = await say('U0KIM', 'what does Kim earn?');
    await world.slack.until(() => world.assistant.held === 1);

    await signOut('U0KIM');
    world.assistant.release();
    const [stub] = await world.waitForReplies(question);

    expect(stub).toContain('got the answer in a direct message');
    expect(world.repliesIn(question)).toHaveLength(1);
    expect(directTo('U0KIM').some(({ text }) => text.includes('what does Kim earn?'))).toBe(true);
  });

  it('between the token and the question does not make the answer public', async () => {
    await world.signIn('U0KIM', 'private');
    const question = await say('U0KIM', 'and what does Kim own?');
    await world.waitForReplies(question);
    const answer = await world.slack.until(() => directTo('U0KIM').find(({ text }) => text.includes('Kim own?')));
    world.assistant.ledger.clear();
    // A question that is asked again is read from Slack once the token is there.
    const stopListening = world.slack.faults.onCall('conversations.replies', async () => {
      stopListening();
      await signOut('U0KIM');
    });

    await world.slack.as('U0KIM').click(answer, 'Ask again without web');
    const replies = await world.waitForReplies(question, 2);

    expect(replies).toEqual(Array(2).fill(expect.stringContaining('got the answer in a direct message')));
    expect(world.assistant.ledger.chats()).toHaveLength(1);
  });
});

function signOut(user: string) {
  return world.slack.as(user).command('/assistant', 'sign-out', CHANNEL);
}

async function changeAnswersOf(user: SandboxUser, channelAnswers: 'thread' | 'private'): Promise<void> {
  await signOut(user);
  await world.signIn(user, channelAnswers);
}
