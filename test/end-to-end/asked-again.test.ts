import { describe, expect, it } from 'vitest';
import { CHANNEL, shareLiveWorld } from './live-world.ts';

const world = shareLiveWorld({ signedIn: ['U0ANA', 'U0BEN'] });

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
    const { question, answer } = await world.askAndWait('who sees what?');

    await world.slack.as('U0BEN').click(answer, 'Ask again');
    await world.find('Only the person who asked', { user: 'U0BEN', threadTs: question.ts });
    await world.ask('one more, to come after it', { threadTs: question.ts });
    const replies = await world.waitForReplies(question, 2);

    expect(toldAlone('U0BEN', question.ts)).toHaveLength(1);
    expect(replies).toHaveLength(2);
    expect(world.asked()).toEqual([
      ['ana', 'who sees what?'],
      ['ana', 'one more, to come after it'],
    ]);
  });

  it('twice is one question, and its asker is told so', async () => {
    const { question, answer } = await world.askAndWait('pressed twice?');
    await world.slack.as('U0ANA').click(answer, 'Ask again without web');
    await world.waitForReplies(question, 2);

    await world.slack.as('U0ANA').click(answer, 'Ask again without web');
    await world.find('already', { threadTs: question.ts });
    await world.ask('one more, to come after it', { threadTs: question.ts });
    const replies = await world.waitForReplies(question, 3);

    expect(replies).toHaveLength(3);
    expect(world.asked().map(([, text]) => text)).toEqual([
      'pressed twice?',
      'pressed twice?',
      'one more, to come after it',
    ]);
  });

  it('says which question it answers where another one came after it, and only there', async () => {
    const { question, answer } = await world.askAndWait('what *is* <new> & old?');
    await world.slack.as('U0ANA').click(answer, 'Ask again without web');
    const second = await world.reply(question, 2);
    await world.askAndWait('and tomorrow?', { threadTs: question.ts });
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
    const { question, answer } = await world.askAndWait('what is on today?');
    await world.slack.as('U0ANA').edit(question, `${world.slack.mention} what is on tomorrow?`);

    await world.slack.as('U0ANA').click(answer, 'Ask again');
    await world.waitForReplies(question, 2);

    expect(world.asked()).toEqual([
      ['ana', 'what is on today?'],
      ['ana', 'what is on tomorrow?'],
    ]);
  });
});

describe('a message of somebody else that is asked again', () => {
  it('is not asked with their access if its author changed it, and they are told what to do', async () => {
    const message = await world.slack.as('U0ANA').say(CHANNEL, 'who owns the launch?');
    world.assistant.faults.next('504-json');
    await world.slack.as('U0BEN').shortcut(message, 'ask_without_web');
    const notice = await world.reply(message);
    await world.slack.as('U0ANA').edit(message, 'list what Ben earns');

    await world.slack.as('U0BEN').click(notice, 'Ask again');
    const replies = await world.waitForReplies(message, 2);

    expect(replies[1]).toContain('has changed since you asked it');
    expect(replies[1]).toContain('Ask without web search');
    expect(world.asked()).toEqual([['ben', 'who owns the launch?']]);
  });
});
