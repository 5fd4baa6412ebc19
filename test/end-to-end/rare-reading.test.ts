import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WorldOptions } from '../app/world.ts';
import { createKillWorlds, restartUntilDone, startFreshVictim } from './kill-world.ts';
import { CHANNEL, type LiveWorld, startLiveWorld } from './live-world.ts';

/** As Slack limits apps that are sold outside the Marketplace, with a shorter minute. */
const OPTIONS: WorldOptions = {
  slack: { reading: { perMs: 6_000, page: 15 } },
  assistant: { answer: ({ text }) => `You asked: ${text}` },
};

describe('an app that may read once a minute', () => {
  let world: LiveWorld;

  beforeAll(async () => {
    world = await startLiveWorld(OPTIONS);
    await world.signIn('U0ANA', 'private');
  });
  afterAll(() => world.close());

  const ana = () => world.slack.as('U0ANA');

  it('asks again what it reads again, one after the other, and says that it waits', async () => {
    world.assistant.faults.next('504-json', { times: 2 });
    const first = await world.ask('the first?');
    const second = await world.ask('the second?');
    await world.waitForReplies(first);
    await world.waitForReplies(second);
    const refusals = [world.repliesIn(first)[0], world.repliesIn(second)[0]];

    for (const refusal of refusals) if (refusal) await ana().click(refusal, 'Ask again');
    const waiting = await world.slack.until(
      () =>
        [first, second]
          .flatMap((place) => world.repliesIn(place))
          .find(({ text }) => text.includes('Your question is kept')),
      { what: 'the word that one of them waits' },
    );
    const stubs = () =>
      [first, second].map((place) => world.repliesIn(place).filter(({ text }) => text.includes('got the answer')));
    await world.slack.until(() => stubs().every((found) => found.length === 1), { what: 'both' });

    expect(waiting.text).toContain('Slack lets me read messages only now and then');
    const direct = ana()
      .sees(ana().dm)
      .map(({ text }) => text);
    for (const text of ['the first?', 'the second?'])
      expect(direct.filter((one) => one.includes(`You asked: ${text}`))).toHaveLength(1);
  });
});

describe('an app that may read once a minute, and died while it answered', () => {
  const worlds = createKillWorlds(OPTIONS);

  afterAll(() => worlds.close());

  it('looks through a busy thread page by page, and answers once', () =>
    worlds.use(async (world) => {
      const crashing = await startFreshVictim(world);
      const stop = world.slack.faults.onCall('chat.postMessage', async () => {
        stop();
        await crashing.kill('SIGKILL');
      });
      const ana = world.slack.as('U0ANA');
      const text = `${world.slack.mention} who looks?`;
      const { ts } = await ana.say(CHANNEL, text, { await: 'none', twins: 'mention-only' });
      await crashing.ended;
      for (let reply = 1; reply <= 20; reply++)
        await ana.say(CHANNEL, `chatter ${reply}`, { threadTs: ts, await: 'none' });

      await restartUntilDone(world, `message:T0001:${CHANNEL}:${ts}`);

      const answers = ana.sees(CHANNEL, ts).filter(({ botId }) => botId);
      expect(answers).toHaveLength(1);
      expect(answers[0]?.text).toContain('who looks?');
      expect(world.slack.ledger.calls('conversations.replies').filter(({ status }) => status === 200).length).toBe(2);
    }));
});
