import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { AppProcess } from '../sandbox/app-process.ts';
import type { World } from '../sandbox/world.ts';
import {
  becomesIdle,
  CHANNEL,
  delivered,
  readLatestTurn,
  replies,
  restartUntilDone,
  startCrashing,
  startKillWorld,
} from './kill-world.ts';

const WORDS = Array.from({ length: 3_500 }, (_, index) =>
  index % 50 === 49 ? `word${index}\n\n` : `word${index}`,
).join(' ');

describe('SIGKILL while a reply of several messages is placed', () => {
  let world: World;
  let app: AppProcess | undefined;

  beforeAll(async () => {
    world = await startKillWorld({ assistant: { answer: () => WORDS } });
  });
  afterEach(async () => {
    await app?.kill('SIGTERM');
    app = undefined;
  });
  afterAll(() => world.close());

  const ana = () => world.slack.as('U0ANA');

  /** Kills the app at the nth post, before or after Slack has processed it. */
  async function killAtPost(crashing: AppProcess, nth: number, when: 'onCall' | 'onProcessed'): Promise<void> {
    let posts = 0;
    const stop = world.slack.faults[when]('chat.postMessage', async () => {
      if (++posts !== nth) return;
      stop();
      await crashing.kill('SIGKILL');
    });
    await crashing.ended;
  }

  it.each([
    [1, 'onCall'],
    [1, 'onProcessed'],
    [2, 'onCall'],
    [2, 'onProcessed'],
    [3, 'onCall'],
    [3, 'onProcessed'],
  ] as const)('at post %i, %s: every message once, in order, and the service was asked once', async (nth, when) => {
    const crashing = await startCrashing(world);
    const killed = killAtPost(crashing, nth, when);
    const asked = world.assistant.ledger.chats().length;
    const { ts } = await ana().say(CHANNEL, `${world.slack.mention} all of it`, { await: 'none' });
    await killed;

    app = await restartUntilDone(world, `message:T0001:${CHANNEL}:${ts}`);
    await delivered(world, ts);
    await becomesIdle(world);

    const shown = replies(world, ts).map((message) => world.slack.render(message));
    expect(shown.join(' ').match(/word\d+/g)).toEqual(WORDS.match(/word\d+/g));
    expect(world.assistant.ledger.chats()).toHaveLength(asked + 1);
  });

  it.each([
    [1, 'onCall'],
    [1, 'onProcessed'],
    [2, 'onProcessed'],
  ] as const)('at post %i of a command, %s: one root, one answer', async (nth, when) => {
    const crashing = await startCrashing(world);
    const killed = killAtPost(crashing, nth, when);
    const text = `a command killed at ${nth} ${when}`;
    const asked = world.assistant.ledger.chats().length;
    await ana().command('/assistant-web-off', text, CHANNEL);
    await killed;

    app = await restartUntilDone(world, readLatestTurn(world));

    const roots = ana()
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
  });
});
