import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CHANNEL, type LiveWorld, startLiveWorld } from './live-world.ts';

let world: LiveWorld;
const hooks: (() => void)[] = [];

beforeAll(async () => {
  world = await startLiveWorld();
  await world.signIn('U0ANA');
});
beforeEach(() => {
  world.assistant.ledger.clear();
  world.identityProvider.ledger.clear();
  world.slack.ledger.clear();
});
afterEach(() => {
  for (const remove of hooks.splice(0)) remove();
});
afterAll(() => world.close());

describe('many questions at once', () => {
  it('are acknowledged before any of them is answered', async () => {
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    hooks.push(
      world.assistant.onChat(() => held),
      answer,
    );

    const questions = await Promise.all(Array.from({ length: 30 }, (_, index) => world.ask(`question ${index}`)));
    const deliveries = questions.flatMap((question) => question.deliveries);

    expect(deliveries).toHaveLength(60);
    expect(deliveries.filter(({ status }) => status !== 200)).toEqual([]);
    // How long that takes on a quiet machine is measured by `npm run faults -- --only acknowledgement`.
    answer();
    for (const question of questions) expect(await world.waitForReplies(question)).toHaveLength(1);
  });

  it('in one thread are answered one at a time, in order, all of them', async () => {
    let running = 0;
    let most = 0;
    hooks.push(
      world.assistant.onChat(async () => {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setTimeout(resolve, 30));
      }),
      world.assistant.onAnswered(() => {
        running--;
      }),
    );
    const root = await world.ask('the root');
    const ana = world.slack.as('U0ANA');

    const texts = Array.from({ length: 10 }, (_, index) => `quick message ${index}`);
    for (const text of texts) await ana.say(CHANNEL, text, { threadTs: root.ts });
    const replies = await world.waitForReplies(root, 11);

    expect(replies).toHaveLength(11);
    expect(world.assistant.ledger.chats().map(({ text }) => text)).toEqual(['the root', ...texts]);
    for (const [index, text] of texts.entries()) expect(replies[index + 1]).toContain(`**${text}**`);
    expect(most).toBe(1);
  });

  it('with one expired token refresh it once', async () => {
    world.identityProvider.expireAccessTokens('ana');

    const questions = await Promise.all(Array.from({ length: 20 }, (_, index) => world.ask(`thread ${index}`)));
    for (const question of questions) await world.waitForReplies(question);

    expect(world.identityProvider.ledger.refreshes).toBe(1);
    expect(world.identityProvider.ledger.reuseDetections).toBe(0);
    expect(world.assistant.ledger.chats().filter(({ isProcessed }) => isProcessed)).toHaveLength(20);
  });
});
