// Before and after a question is written, Slack has no acknowledgement yet, and sends it again.
import { describe, it } from 'vitest';
import { endsInOneReply, KILL_TIMEOUT_MS, shareKillWorlds, startCrashing } from './kill-world.ts';

describe('SIGKILL while a question is taken in', { timeout: KILL_TIMEOUT_MS }, () => {
  const worlds = shareKillWorlds();

  // One after the other, in one world: two would start two apps.
  it.each(['1 before', '1 after'])('write %s (turns.accept): exactly one reply, the answer', (at) =>
    worlds.use(async (world) => {
      const text = `what happens at write ${at}`;
      startCrashing(world, at);
      const question = await world.ask(text, { await: 'none', twins: 'mention-only' });

      await endsInOneReply(world, question, text, 'answer');
    }),
  );
});
