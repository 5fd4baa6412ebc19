import { describe, expect, it } from 'vitest';
import {
  KILL_TIMEOUT_MS,
  killAtCall,
  readLatestTurn,
  restartAndRead,
  restartUntilDone,
  shareKillWorlds,
  type When,
} from './kill-world.ts';
import type { LiveWorld } from './live-world.ts';

const WORDS = Array.from({ length: 3_500 }, (_, index) =>
  index % 50 === 49 ? `word${index}\n\n` : `word${index}`,
).join(' ');

const WHEN: When[] = ['onCall', 'onProcessed'];

describe('SIGKILL while a reply of several messages is placed', { timeout: KILL_TIMEOUT_MS }, () => {
  const worlds = shareKillWorlds({ assistant: { answer: () => WORDS } });

  /** Every message once, in order, of a question that was asked once. */
  function expectWhole({ slack, assistant }: LiveWorld, replies: Parameters<typeof slack.render>[0][]): void {
    const shown = replies.map((message) => slack.render(message));
    expect(shown.join(' ').match(/word\d+/g)).toEqual(WORDS.match(/word\d+/g));
    expect(assistant.ledger.chats()).toHaveLength(1);
    assistant.ledger.clear();
  }

  it.concurrent.each([1, 2, 3].flatMap((nth) => WHEN.map((when) => [nth, when] as const)))(
    'at post %i, %s: every message once, in order, and the service was asked once',
    (nth, when) =>
      worlds.use(async (world) => {
        killAtCall(world, ['chat.postMessage', nth, when]);
        const question = await world.ask('all of it', { await: 'none' });

        expectWhole(world, await restartAndRead(world, question));
      }),
  );

  it.concurrent.each([
    [1, 'onCall'],
    [1, 'onProcessed'],
    [2, 'onProcessed'],
  ] as const)('at post %i of a command, %s: one root, one answer', (nth, when) =>
    worlds.use(async (world) => {
      killAtCall(world, ['chat.postMessage', nth, when]);
      const text = `a command killed at ${nth} ${when}`;
      await world.command(text, {}, '/assistant-web-off');
      await world.app.ended;
      await restartUntilDone(world, readLatestTurn(world));

      const all = world.slack.as('U0ANA').sees('C0GENERAL');
      const [root, ...others] = all.filter((message) => message.botId && message.text.includes(text));
      expect(others).toEqual([]);
      expectWhole(world, root ? world.repliesIn(root) : []);
    }),
  );
});
