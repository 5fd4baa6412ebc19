import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CHANNEL, type LiveWorld, startLiveWorld } from './live-world.ts';

let world: LiveWorld;

beforeAll(async () => {
  world = await startLiveWorld();
  await world.signIn('U0ANA');
});
beforeEach(() => {
  world.assistant.ledger.clear();
  world.assistant.faults.clear();
});
afterAll(() => world.close());

const chats = () => world.assistant.ledger.chats();
const processed = () => chats().filter(({ isProcessed }) => isProcessed);
const GONE = 'it may not know what was said here before';

/** A thread in which Ana has been answered once. */
async function startThread() {
  const root = await world.ask('the root');
  await world.waitForReplies(root);
  return root;
}

const followUp = (root: { ts: string }, text: string) =>
  world.slack.as('U0ANA').say(CHANNEL, text, { threadTs: root.ts });

describe('a conversation of the service', () => {
  it.each([
    ['is gone', '404-reused', 1],
    ['stays busy', '409-reused', 2],
  ] as const)(
    'that %s is replaced for all that follows in the thread, and the reply says so',
    async (_, fault, times) => {
      const root = await startThread();
      world.assistant.faults.next(fault, { times });

      await followUp(root, 'second');
      await world.waitForReplies(root, 2);
      await followUp(root, 'third');
      const replies = await world.waitForReplies(root, 3);

      const [first, second, third] = processed();
      expect(second?.conversation).not.toBe(first?.conversation);
      expect(third?.conversation).toBe(second?.conversation);
      expect(chats()).toHaveLength(3 + times);
      expect(replies[1]).toContain(GONE);
      expect(replies[2]).not.toContain(GONE);
    },
  );

  it('that is busy for a moment is asked in a moment later', async () => {
    const root = await startThread();
    world.assistant.faults.next('409-reused');

    await followUp(root, 'second');
    const replies = await world.waitForReplies(root, 2);

    const [, refused, answered] = chats();
    expect(new Set(chats().map(({ conversation }) => conversation)).size).toBe(1);
    expect((answered?.at ?? 0) - (refused?.at ?? 0)).toBeGreaterThanOrEqual(450);
    expect(replies[1]).not.toContain(GONE);
  });
});

describe('a service that refuses every token', () => {
  it('is asked at most twice; the person alone is told, with a way to sign in again', async () => {
    world.assistant.faults.always('401-expired');

    const question = await world.ask('who am I to you?');
    const told = await world.slack.until(() =>
      world.slack
        .as('U0ANA')
        .sees(CHANNEL)
        .find(({ text, ephemeralFor }) => ephemeralFor && text.includes('refused the account')),
    );

    expect(told.ephemeralFor).toBe('U0ANA');
    expect(world.slack.render(told)).toContain('[Sign in]');
    expect(world.repliesIn(question)).toEqual([]);
    expect(chats()).toHaveLength(2);
    expect(processed()).toEqual([]);
    const history = () => world.slack.workspace.sessions.history.filter(({ threadTs }) => threadTs === question.ts);
    await world.slack.until(() => history().at(-1)?.shown === '', { what: 'the status to go away' });
    expect(history()[0]?.shown).not.toBe('');
  });
});
