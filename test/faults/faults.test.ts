import { describe, expect, it } from 'vitest';
import { playShort } from './play-short.ts';
import { clockJumps } from './scenarios/clock-jumps.ts';
import { connections } from './scenarios/connections.ts';
import { flood } from './scenarios/flood.ts';
import { hostileAnswers } from './scenarios/hostile-answers.ts';
import { kills } from './scenarios/kills.ts';
import { malformedPayloads } from './scenarios/malformed-payloads.ts';
import { shortMixture } from './scenarios/mixture.ts';
import { slowConnections } from './scenarios/slow-connections.ts';
import { stepFreezes } from './scenarios/step-freezes.ts';
import { tokenRefresh } from './scenarios/token-refresh.ts';
import { unlicensed } from './scenarios/unlicensed.ts';

/** With the wait for its turn. */
const TIMEOUT_MS = 900_000;

// The short form of `npm run faults`. Each has processes of its own and mostly waits for them: see AT_ONCE.
describe.concurrent('whatever goes wrong', { timeout: TIMEOUT_MS }, () => {
  it.each(['redis', 'sqlite'] as const)(
    'on %s every message ends in one reply: kills, freezes, restarts, limits, lost and broken answers',
    async (store) => {
      expect(await playShort(shortMixture, store, 1)).toEqual([]);
    },
  );

  it('every message ends in one reply, whatever becomes of the connections to Slack', async () => {
    expect(await playShort(connections, 'redis', 1)).toEqual([]);
  });

  it('every message ends in one reply where the process dies while answers are streamed', async () => {
    expect(await playShort(kills, 'sqlite', 3)).toEqual([]);
  });

  it('every message ends in one reply, at whatever step of it a replica is frozen while another takes over', async () => {
    expect(await playShort(stepFreezes, 'redis', 1)).toEqual([]);
  });

  it('every message ends in one reply, whatever the clock shows', async () => {
    expect(await playShort(clockJumps, 'sqlite', 2)).toEqual([]);
  });

  it('four processes refresh one expired token once', async () => {
    expect(await playShort(tokenRefresh, 'redis', 1)).toEqual([]);
  });

  it('ten people whom the service refuses keep nobody else waiting', async () => {
    expect(await playShort(unlicensed, 'sqlite', 8)).toEqual([]);
  });

  it('hundreds of malformed payloads are answered, and harm nobody', async () => {
    expect(await playShort(malformedPayloads, 'sqlite', 300)).toEqual([]);
  });

  // Many such texts are rendered in slack/text-out/hostile-texts.test.ts.
  it('answers that are slow to read are shown, and others are served meanwhile', async () => {
    expect(await playShort(hostileAnswers, 'sqlite', 2)).toEqual([]);
  });

  it.each(['redis', 'sqlite'] as const)(
    'on %s connections that pipeline, flood or never read take no memory, and others are served meanwhile',
    async (store) => {
      expect(await playShort(flood, store, 2)).toEqual([]);
    },
  );

  it('connections that send next to nothing are closed, and others are served meanwhile', async () => {
    expect(await playShort(slowConnections, 'sqlite', 100)).toEqual([]);
  });
});
