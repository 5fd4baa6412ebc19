// One person asks more than the app can run at once, and the others notice nothing.
import { setTimeout as sleep } from 'node:timers/promises';
import { ASSISTANT_SCOPE } from '@assistant-bridge/sandbox/loopback/scopes.ts';
import { createPlainVerifier } from '@assistant-bridge/sandbox/loopback/token-holder.ts';
import { expect, it } from 'vitest';
import { addSignedInPeople, toUserId } from '../faults/signed-in-people.ts';
import { type LiveWorld, openLiveWorld } from './live-world.ts';

const [BUSY, OTHER] = [toUserId('amy'), toUserId('bob')];

/** More than all lanes of a process. */
const FLOOD = 540;

/** Ten seconds, where nothing else goes on. */
const TIMEOUT_MS = 600_000;

/** How many of them are on their way to the app at once. */
const SENDERS = 20;

let world: LiveWorld;

async function start(store: string): Promise<void> {
  world = await openLiveWorld({
    redis: store === 'Redis',
    assistant: { verifyToken: createPlainVerifier(ASSISTANT_SCOPE), answer: ({ text }) => `The answer to ${text}` },
    prepare: (prepared) => addSignedInPeople(prepared, ['amy', 'bob']),
  });
  // What the first questions load.
  await askAsOther(5);
  world.assistant.ledger.clear();
}

/** Asks as the other person, several times, each time once the last answer is there. */
async function askAsOther(times: number): Promise<void> {
  const { slack } = world;
  const person = slack.as(OTHER);
  for (let count = 0; count < times; count++) {
    const { channel, ts } = await person.say(person.dm, `quick ${count}`, { await: 'none' });
    const isAnswered = () => person.sees(channel, ts).some(({ botId, text }) => botId && text.includes('The answer'));
    await slack.until(isAnswered, { what: 'an answer for the other person' });
  }
}

const countChats = () => world.assistant.ledger.chats().length;

// With SQLite: delivery/in-process-dispatcher.test.ts.
it('540 direct messages of one person, whose answers take long, keep nobody else waiting', {
  timeout: TIMEOUT_MS,
}, async () => {
  await start('Redis');
  const { slack, assistant } = world;
  let running = 0;
  let mostAtOnce = 0;
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  assistant.onChat(async ({ text }) => {
    if (!text.includes('slow')) return;
    mostAtOnce = Math.max(mostAtOnce, ++running);
    await released;
    running--;
  });
  const busy = slack.as(BUSY);
  const texts = Array.from({ length: FLOOD }, (_, index) => `slow ${index}`);
  const send = async () => {
    for (let text = texts.pop(); text !== undefined; text = texts.pop()) await busy.say(busy.dm, text);
  };
  const flood = Promise.all(Array.from({ length: SENDERS }, send));
  await askAsOther(20);
  await flood;
  await askAsOther(10);
  const stillRunning = running;
  release();
  await slack.until(() => countChats() >= FLOOD + 30, { what: 'all answers', timeoutMs: TIMEOUT_MS });

  // All of the other's answers came while the busy one's share was used up.
  expect(stillRunning).toBe(8);
  expect(mostAtOnce).toBe(8);
  expect(new Set(assistant.ledger.chats().map(({ text }) => text)).size).toBe(FLOOD + 20);
  expect(countChats()).toBe(FLOOD + 30);
});

it('a crash while questions wait for their share loses none of them', async () => {
  await start('SQLite');
  const { slack, assistant } = world;
  const remove = assistant.onChat(() => sleep(60_000));
  const busy = slack.as(BUSY);
  const texts = Array.from({ length: 30 }, (_, index) => `question ${index}`);
  const questions = await Promise.all(texts.map((text) => busy.say(busy.dm, text)));
  await slack.until(() => countChats() === 8, { what: 'eight questions to be asked' });

  await world.app.kill('SIGKILL');
  remove();
  await world.restart();

  const replies = () => questions.map(({ channel, ts }) => busy.sees(channel, ts).filter(({ botId }) => botId));
  const haveAnswers = () => replies().filter((those) => those.some(({ text }) => text.includes('The answer'))).length;
  await slack.until(() => haveAnswers() === 22 && replies().every((those) => those.length > 0), {
    what: 'all replies',
  });
  expect(countChats()).toBe(30);
});
