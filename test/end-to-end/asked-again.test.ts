import type { Message } from '@assistant-bridge/sandbox/slack/records.ts';
import { describe, expect, it } from 'vitest';
import { toAskedWords } from './asked-words.ts';
import { CHANNEL, type LiveWorld, shareLiveWorld } from './live-world.ts';

let world: LiveWorld;

shareLiveWorld(
  (started) => {
    world = started;
  },
  { signedIn: ['U0ANA', 'U0BEN'] },
);

/** Who asked what, as far as the service answered it. */
const processed = () =>
  world.assistant.ledger
    .chats()
    .filter(({ isProcessed }) => isProcessed)
    .map(({ subject, text }) => [subject, toAskedWords(text)]);

/** A question of Ana’s, and what was answered to it. */
async function askAndAnswer(text: string): Promise<{ question: { channel: string; ts: string }; answer: Message }> {
  const question = await world.ask(text);
  await world.waitForReplies(question);
  const [answer] = world.repliesIn(question);
  if (!answer) throw new Error('no answer');
  return { question, answer };
}

/** What somebody was told in a thread where nobody else sees it. */
const toldAlone = (user: string, threadTs: string) =>
  world.slack
    .as(user)
    .sees(CHANNEL, threadTs)
    .filter(({ ephemeralFor }) => ephemeralFor === user)
    .map(({ text }) => text);

describe('a question that is asked again', () => {
  it('is asked by nobody but its asker: others are told so, and neither’s rights are used', async () => {
    world.assistant.faults.next('504-json');
    const { question, answer } = await askAndAnswer('who sees what?');

    await world.slack.as('U0BEN').click(answer, 'Ask again');
    const [told] = await world.slack.until(() => {
      const texts = toldAlone('U0BEN', question.ts);
      return texts.length > 0 && texts;
    });
    await world.ask('one more, to come after it', { threadTs: question.ts });
    const replies = await world.waitForReplies(question, 2);

    expect(told).toContain('Only the person who asked');
    expect(replies).toHaveLength(2);
    expect(processed()).toEqual([
      ['ana', 'who sees what?'],
      ['ana', 'one more, to come after it'],
    ]);
  });

  it('twice is one question, and its asker is told so', async () => {
    const { question, answer } = await askAndAnswer('pressed twice?');
    await world.slack.as('U0ANA').click(answer, 'Ask again without web');
    await world.waitForReplies(question, 2);

    await world.slack.as('U0ANA').click(answer, 'Ask again without web');
    await world.slack.until(() => toldAlone('U0ANA', question.ts).some((text) => text.includes('already')));
    await world.ask('one more, to come after it', { threadTs: question.ts });
    const replies = await world.waitForReplies(question, 3);

    expect(replies).toHaveLength(3);
    expect(processed().map(([, text]) => text)).toEqual([
      'pressed twice?',
      'pressed twice?',
      'one more, to come after it',
    ]);
  });

  it('can be asked again once more by the button under the new answer', async () => {
    world.assistant.faults.next('504-json', { times: 2 });
    const { question, answer } = await askAndAnswer('third time lucky?');
    await world.slack.as('U0ANA').click(answer, 'Ask again');
    await world.waitForReplies(question, 2);
    const second = world.repliesIn(question)[1] ?? answer;

    await world.slack.as('U0ANA').click(second, 'Ask again');
    const replies = await world.waitForReplies(question, 3);

    expect(replies[2]).toContain('third time lucky');
    expect(processed()).toHaveLength(3);
    expect(toldAlone('U0ANA', question.ts)).toEqual([]);
  });

  it('says which question it answers where another one came after it, and only there', async () => {
    const { question, answer } = await askAndAnswer('what *is* <new> & old?');
    await world.slack.as('U0ANA').click(answer, 'Ask again without web');
    await world.waitForReplies(question, 2);
    await world.ask('and tomorrow?', { threadTs: question.ts });
    await world.waitForReplies(question, 3);
    const second = world.repliesIn(question)[1] ?? answer;
    const reads = () => world.slack.ledger.calls('conversations.replies').length;
    const before = reads();

    await world.slack.as('U0ANA').click(second, 'Ask again');
    const replies = await world.waitForReplies(question, 4);

    expect(replies.map((reply) => reply.includes('Asked again: '))).toEqual([false, false, false, true]);
    expect(replies[3]).toContain('old?”');
    expect(reads() - before).toBe(1);
  });

  it('is asked as its asker has changed it meanwhile', async () => {
    world.assistant.faults.next('504-json');
    const { question, answer } = await askAndAnswer('what is on today?');
    await world.slack.as('U0ANA').edit(question, `${world.slack.mention} what is on tomorrow?`);

    await world.slack.as('U0ANA').click(answer, 'Ask again');
    await world.waitForReplies(question, 2);

    expect(processed()).toEqual([
      ['ana', 'what is on today?'],
      ['ana', 'what is on tomorrow?'],
    ]);
  });
});

describe('a message of somebody else that is asked again', () => {
  /** Ben asks a message of Ana’s by the shortcut, and the answer is lost. */
  async function askOfAnothersMessage(text: string) {
    const message = await world.slack.as('U0ANA').say(CHANNEL, text);
    world.assistant.faults.next('504-json');
    await world.slack.as('U0BEN').shortcut(message, 'ask_without_web');
    await world.waitForReplies(message);
    const [notice] = world.repliesIn(message);
    if (!notice) throw new Error('no notice');
    return { message, notice };
  }

  it('is not asked with their access if its author changed it, and they are told what to do', async () => {
    const { message, notice } = await askOfAnothersMessage('who owns the launch?');
    await world.slack.as('U0ANA').edit(message, 'list what Ben earns');

    await world.slack.as('U0BEN').click(notice, 'Ask again');
    const replies = await world.waitForReplies(message, 2);

    expect(replies[1]).toContain('is not what it was when you asked it');
    expect(replies[1]).toContain('Ask without web search');
    expect(processed()).toEqual([['ben', 'who owns the launch?']]);
  });

  it('can be asked as it is now by who has read it, and again after that', async () => {
    const { message } = await askOfAnothersMessage('who owns the launch?');
    await world.slack.as('U0ANA').edit(message, 'who owns the second launch?');
    world.assistant.faults.next('504-json');

    await world.slack.as('U0BEN').shortcut(message, 'ask_without_web');
    await world.waitForReplies(message, 2);
    const notice = world.repliesIn(message)[1];
    if (!notice) throw new Error('no notice');
    await world.slack.as('U0BEN').click(notice, 'Ask again');
    await world.waitForReplies(message, 3);

    expect(processed()).toEqual([
      ['ben', 'who owns the launch?'],
      ['ben', 'who owns the second launch?'],
      ['ben', 'who owns the second launch?'],
    ]);
  });
});
