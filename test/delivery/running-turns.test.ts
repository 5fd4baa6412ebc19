import { describe, expect, it } from 'vitest';
import { createRunningTurns } from '../../src/delivery/lane.ts';

describe('a turn that runs', () => {
  it('is broken off, also where an earlier run of it ends just then', async () => {
    const running = createRunningTurns();
    const first = Promise.withResolvers<void>();
    const second = Promise.withResolvers<void>();
    let signal: AbortSignal | undefined;

    const earlier = running.run('t', () => first.promise);
    const later = running.run('t', (given) => {
      signal = given;
      return second.promise;
    });
    first.resolve();
    await earlier;
    running.abort('t');

    expect(signal?.aborted).toBe(true);
    second.resolve();
    await later;
  });
});
