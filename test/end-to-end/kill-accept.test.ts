// Before and after a question is written, Slack has no acknowledgement yet, and sends it again.
import { afterAll, describe, it } from 'vitest';
import { killAtWrite } from './kill-channel.ts';
import { CRASHING_APP, createKillWorlds, KILL_TIMEOUT_MS } from './kill-world.ts';

describe('SIGKILL while a question is taken in', { timeout: KILL_TIMEOUT_MS }, () => {
  const worlds = createKillWorlds({ script: CRASHING_APP });

  afterAll(() => worlds.close());

  // One after the other, in one world: two would start two apps.
  it.each(['1 before', '1 after'])('write %s (turns.accept): exactly one reply, the answer', (at) =>
    worlds.use((world) => killAtWrite(world, at, 'answer')),
  );
});
