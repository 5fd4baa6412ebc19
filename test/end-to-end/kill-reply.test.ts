import { afterAll, describe, expect, it } from 'vitest';
import type { AppProcess } from '../app/app-process.ts';
import {
  becomesIdle,
  CHANNEL,
  createKillWorlds,
  delivered,
  KILL_TIMEOUT_MS,
  type KillWorld,
  readLatestTurn,
  replies,
  restartUntilDone,
  startVictim,
} from './kill-world.ts';

const WORDS = Array.from({ length: 3_500 }, (_, index) =>
  index % 50 === 49 ? `word${index}\n\n` : `word${index}`,
).join(' ');

type Moment = 'onCall' | 'onProcessed';

describe('SIGKILL while a reply of several messages is placed', { timeout: KILL_TIMEOUT_MS }, () => {
  const worlds = createKillWorlds({ assistant: { answer: () => WORDS } });

  afterAll(() => worlds.close());

  const ana = (world: KillWorld) => world.slack.as('U0ANA');

  /** Kills the app at the nth post, before or after Slack has processed it. */
  async function killAtPost(world: KillWorld, crashing: AppProcess, nth: number, when: Moment): Promise<void> {
    let posts = 0;
    const stop = world.slack.faults[when]('chat.postMessage', async () => {
      if (++posts !== nth) return;
      stop();
      await crashing.kill('SIGKILL');
    });
    await crashing.ended;
  }

  it.concurrent.each([
    [1, 'onCall'],
    [1, 'onProcessed'],
    [2, 'onCall'],
    [2, 'onProcessed'],
    [3, 'onCall'],
    [3, 'onProcessed'],
  ] as const)('at post %i, %s: every message once, in order, and the service was asked once', (nth, when) =>
    worlds.use(async (world) => {
      const crashing = await startVictim(world);
      const killed = killAtPost(world, crashing, nth, when);
      const asked = world.assistant.ledger.chats().length;
      const { ts } = await ana(world).say(CHANNEL, `${world.slack.mention} all of it`, { await: 'none' });
      await killed;

      await restartUntilDone(world, `message:T0001:${CHANNEL}:${ts}`);
      await delivered(world, ts);
      await becomesIdle(world);

      const shown = replies(world, ts).map((message) => world.slack.render(message));
      expect(shown.join(' ').match(/word\d+/g)).toEqual(WORDS.match(/word\d+/g));
      expect(world.assistant.ledger.chats()).toHaveLength(asked + 1);
    }),
  );

  it.concurrent.each([
    [1, 'onCall'],
    [1, 'onProcessed'],
    [2, 'onProcessed'],
  ] as const)('at post %i of a command, %s: one root, one answer', (nth, when) =>
    worlds.use(async (world) => {
      const crashing = await startVictim(world);
      const killed = killAtPost(world, crashing, nth, when);
      const text = `a command killed at ${nth} ${when}`;
      const asked = world.assistant.ledger.chats().length;
      await ana(world).command('/assistant-web-off', text, CHANNEL);
      await killed;

      await restartUntilDone(world, readLatestTurn(world));

      const roots = ana(world)
        .sees(CHANNEL)
        .filter((message) => message.botId && message.text.includes(text));
      expect(roots).toHaveLength(1);
      expect(
        replies(world, roots[0]?.ts ?? '')
          .map((message) => world.slack.render(message))
          .join(' ')
          .match(/word\d+/g),
      ).toEqual(WORDS.match(/word\d+/g));
      expect(world.assistant.ledger.chats()).toHaveLength(asked + 1);
    }),
  );
});
