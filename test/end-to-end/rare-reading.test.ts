import { expect, it } from 'vitest';
import type { WorldOptions } from '../app/world.ts';
import { killAtCall, RETRIES, restartUntilDone } from './kill-world.ts';
import { openLiveWorld } from './live-world.ts';
import type { Place } from './steps.ts';

/** As Slack limits apps that are sold outside the Marketplace, with a shorter minute. */
const OPTIONS: WorldOptions = {
  slack: { reading: { perMs: 6_000, page: 15 }, retry: RETRIES },
  assistant: { answer: ({ text }) => `You asked: ${text}` },
};

it('an app that may read once a minute asks again what it reads again, one after the other, and says that it waits', async () => {
  const world = await openLiveWorld(OPTIONS);
  const ana = world.slack.as('U0ANA');
  await world.signIn('U0ANA', 'private');
  world.assistant.faults.next('504-json', { times: 2 });
  const places = [await world.ask('the first?'), await world.ask('the second?')];
  const refusals = [await world.reply(places[0] as Place), await world.reply(places[1] as Place)];

  for (const refusal of refusals) await ana.click(refusal, 'Ask again');
  const find = (words: string) =>
    places.map((place) => world.repliesIn(place).filter(({ text }) => text.includes(words)));
  const look = () => find('Your question is kept').flat()[0];
  const waiting = await world.slack.until(look, { what: 'the word that one of them waits' });
  const areAnswered = () => find('got the answer').every((found) => found.length === 1);
  await world.slack.until(areAnswered, { what: 'both' });

  expect(waiting.text).toContain('Slack lets me read messages only now and then');
  const direct = ana.sees(ana.dm).map(({ text }) => text);
  for (const text of ['the first?', 'the second?'])
    expect(direct.filter((one) => one.includes(`You asked: ${text}`))).toHaveLength(1);
});

it('an app that may read once a minute, and died while it answered, looks through a busy thread page by page, and answers once', async () => {
  const world = await openLiveWorld(OPTIONS);
  await world.signIn('U0ANA', 'thread');
  world.slack.ledger.clear();
  killAtCall(world, ['chat.postMessage', 1, 'onCall']);
  const question = await world.ask('who looks?', { await: 'none', twins: 'mention-only' });
  await world.app.ended;
  for (let reply = 1; reply <= 20; reply++) {
    const options = { threadTs: question.ts, await: 'none' } as const;
    await world.slack.as('U0ANA').say(question.channel, `chatter ${reply}`, options);
  }

  await restartUntilDone(world, `message:T0001:${question.channel}:${question.ts}`);

  expect(await world.waitForReplies(question)).toEqual([expect.stringContaining('who looks?')]);
  const reads = world.slack.ledger.calls('conversations.replies');
  expect(reads.filter(({ status }) => status === 200)).toHaveLength(2);
});
