import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findPrompt, signIn } from '../app/sign-in.ts';
import { toAskedWords } from './asked-words.ts';
import { CHANNEL, type LiveWorld, startLiveWorld } from './live-world.ts';

let world: LiveWorld;

beforeAll(async () => {
  world = await startLiveWorld();
  await world.signIn('U0ANA');
});
beforeEach(() => world.assistant.ledger.clear());
afterEach(() => world.assistant.release());
afterAll(() => world.close());

const processed = () =>
  world.assistant.ledger
    .chats()
    .filter(({ isProcessed }) => isProcessed)
    .map(({ text }) => toAskedWords(text));

/** A thread in which Ana has been answered once. Its root stays, so that whatever follows in it can be seen. */
async function startThread() {
  const root = await world.ask('the root');
  await world.waitForReplies(root);
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

  it('while it waits for the one before it is not asked', async () => {
    const root = await startThread();
    world.assistant.hold();
    await world.ask('first', { threadTs: root.ts });
    await world.slack.until(() => world.assistant.held === 1);
    const question = await world.ask('second', { threadTs: root.ts });
    await world.ask('third', { threadTs: root.ts });

    await world.slack.as('U0ANA').delete(question);
    world.assistant.release();
    const replies = await world.waitForReplies(root, 3);

    expect(processed()).toEqual(['first', 'third']);
    expect(replies).toHaveLength(3);
  });

  it('while it waits for a sign-in is not asked after it', async () => {
    const root = await startThread();
    const ben = world.slack.as('U0BEN');
    const question = await ben.say(CHANNEL, `${world.slack.mention} better not`, { threadTs: root.ts });
    await findPrompt(world, 'U0BEN');
    await ben.say(CHANNEL, `${world.slack.mention} this instead`, { threadTs: root.ts });

    await ben.delete(question);
    await signIn(world, 'U0BEN');
    const replies = await world.waitForReplies(root, 2);

    expect(processed()).toEqual(['this instead']);
    expect(replies).toHaveLength(2);
    expect(replies[1]).toContain('this instead');
  });
});
