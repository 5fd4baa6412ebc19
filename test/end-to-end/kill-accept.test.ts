// Before and after a question is written, Slack has no acknowledgement yet, and sends it again.
import { afterAll, describe, it } from 'vitest';
import { askOnce, expectOneReply } from './kill-channel.ts';
import {
  becomesIdle,
  CHANNEL,
  CRASHING_APP,
  createKillWorlds,
  delivered,
  KILL_TIMEOUT_MS,
  restartUntilDone,
  startCrashing,
} from './kill-world.ts';

describe('SIGKILL while a question is taken in', { timeout: KILL_TIMEOUT_MS }, () => {
  const worlds = createKillWorlds({ script: CRASHING_APP });

  afterAll(() => worlds.close());

  // One after the other, in one world: two would start two apps.
  it.each(['1 before', '1 after'])('write %s (turns.accept): exactly one reply, the answer', (at) =>
    worlds.use(async (world) => {
      const crashing = await startCrashing(world, at);
      const text = `what happens at write ${at}`;
      const { ts } = await askOnce(world, text);
      await crashing.ended;

      await restartUntilDone(world, `message:T0001:${CHANNEL}:${ts}`);
      await delivered(world, ts);
      await becomesIdle(world);

      expectOneReply(world, ts, text, 'answer');
    }),
  );
});
