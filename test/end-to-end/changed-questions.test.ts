// Questions that are edited, deleted, or asked again.

import { describe, expect, it } from 'vitest';
import { CHANNEL, shareLiveWorld } from './live-world.ts';

const TOO_LATE = 'You changed your question when I was already working on it.';
const AFTER = 'You changed your question after I had finished with it.';

const world = shareLiveWorld({ signedIn: ['U0ANA', 'U0BEN'] });

const ana = () => world.slack.as('U0ANA');

const processed = () => world.asked().map(([, text]) => text);

const offersIn = (threadTs: string) =>
  ana()
    .sees(CHANNEL, threadTs)
    .filter((message) => world.slack.render(message).includes(AFTER));

/** Asks one more in the thread: what the app did before is over once that is answered. */
async function settle(place: { channel: string; ts: string }, count: number) {
  await world.ask('the last one', { threadTs: place.ts });
  return world.waitForReplies(place, count);
}

describe('an answered question that is edited', () => {
  it('offers its asker alone to ask again, and asks what the message says then', async () => {
    const { question } = await world.askAndWait('what is on today?');
    await ana().edit(question, `${world.slack.mention} what is on tomorow?`);
    const offer = await world.find(AFTER, { threadTs: question.ts });
    await ana().edit(question, `${world.slack.mention} what is on tomorrow? !web-off`);

    await ana().click(offer, 'Ask again');
    await world.waitForReplies(question, 2);

    expect(offer.ephemeralFor).toBe('U0ANA');
    expect(processed()).toEqual(['what is on today?', 'what is on tomorrow?']);
    expect(world.assistant.ledger.chats().at(-1)).toMatchObject({ isWebEnabled: false });
    expect(world.slack.render(offer)).toContain('I am asking it again, as it is now.');
    expect(world.slack.render(offer)).not.toContain('[Ask again]');
  });
});

describe('a question that is edited before it was sent', () => {
  it('is asked as it was edited, while it waits for the one before it', async () => {
    const { question: root } = await world.askAndWait('the root');
    world.assistant.hold();
    await world.ask('first', { threadTs: root.ts });
    await world.slack.until(() => world.assistant.held === 1);
    const question = await world.ask('secnd', { threadTs: root.ts });

    await ana().edit(question, `${world.slack.mention} second !web-off`);
    world.assistant.release();
    const replies = await world.waitForReplies(root, 3);

    expect(processed()).toEqual(['the root', 'first', 'second']);
    expect(replies[2]).toContain('Web search was off for this answer');
    expect(offersIn(root.ts)).toEqual([]);
  });

  it('too late is asked as it was, and its asker is offered to ask again', async () => {
    world.assistant.hold();
    const question = await world.ask('what is on today?');
    await world.slack.until(() => world.assistant.held === 1);

    await ana().edit(question, `${world.slack.mention} what is on tomorrow?`);
    const offer = await world.find(TOO_LATE);
    await ana().click(offer, 'Ask again');
    world.assistant.release();
    await world.waitForReplies(question, 2);

    expect(processed()).toEqual(['what is on today?', 'what is on tomorrow?']);
  });
});

describe('a message that was no question', () => {
  it('is one when it is edited to mention the app, once', async () => {
    const message = await ana().say(CHANNEL, 'what is new?');

    await ana().edit(message, `${world.slack.mention} what is new?`);
    await ana().edit(message, `${world.slack.mention} what is new??`, { twins: 'message-only' });
    await world.waitForReplies(message);
    const replies = await settle(message, 2);

    expect(replies).toHaveLength(2);
    expect(processed()[0]).toContain('what is new?');
  });

  it('is one in a thread with us when it no longer speaks to somebody else', async () => {
    const { question: root } = await world.askAndWait('the root');
    const message = await ana().say(CHANNEL, '<@U0BEN> and what else?', { threadTs: root.ts });

    await ana().edit(message, 'and what else?');
    const replies = await world.waitForReplies(root, 2);

    expect(replies[1]).toContain('and what else');
  });
});

/** A thread in which Ana has been answered once. Its root stays, so that whatever follows in it can be seen. */
async function startThread() {
  const { question: root } = await world.askAndWait('the root');
  world.assistant.ledger.clear();
  return root;
}

describe('a question that is deleted', () => {
  it('while it is asked is broken off, and no reply to it appears', async () => {
    const root = await startThread();
    world.assistant.hold();
    const question = await world.ask('never mind', { threadTs: root.ts });
    await world.slack.until(() => world.assistant.held === 1);

    await world.slack.as('U0ANA').delete(question);
    const hasStatus = () => world.slack.workspace.status(CHANNEL, root.ts) !== undefined;
    await world.slack.until(() => !hasStatus(), { what: 'the status to go away' });
    const next = await world.ask('but this', { threadTs: root.ts });
    await world.slack.until(() => world.assistant.held === 2, { what: 'the next question, beside the held one' });
    world.assistant.release();
    const replies = await world.waitForReplies(root, 2);

    expect(next.threadTs).toBe(root.ts);
    expect(replies).toHaveLength(2);
    expect(replies[1]).toContain('but this');
  });
});

describe('a question that is asked again', () => {
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
