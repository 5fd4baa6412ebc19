import { describe, expect, it } from 'vitest';
import type { Turn } from '../../src/conversation/turn.ts';
import { drainLane, type LanePorts } from '../../src/delivery/lane.ts';
import { createRunningTurns } from '../../src/delivery/running-turns.ts';
import { aTurn } from '../conversation/a-question.ts';

/** A lane whose turns are done once they ran. */
function aLane(turns: Turn[], change: Partial<LanePorts> = {}) {
  const ran: string[] = [];
  const ports: LanePorts = {
    turns: { head: async () => turns.find(({ id }) => !ran.includes(id)) },
    running: createRunningTurns(),
    run: async (id) => void ran.push(id),
    isDraining: () => false,
    now: () => 1_000,
    ...change,
  };
  return { ran, drain: () => drainLane('lane', ports) };
}

describe('draining a lane', () => {
  it('runs its turns one after the other until none is left', async () => {
    const lane = aLane([aTurn({ id: 'a' }), aTurn({ id: 'b' })]);

    const wakeAt = await lane.drain();

    expect(lane.ran).toEqual(['a', 'b']);
    expect(wakeAt).toBeUndefined();
  });

  it('stops at a turn that waits, and asks to be woken at its time', async () => {
    const lane = aLane([aTurn({ id: 'a' }), aTurn({ id: 'b', notBefore: 5_000 }), aTurn({ id: 'c' })]);

    expect(await lane.drain()).toBe(5_000);

    expect(lane.ran).toEqual(['a']);
  });

  it('runs a turn whose time has come', async () => {
    const lane = aLane([aTurn({ id: 'a', notBefore: 1_000 })]);

    await lane.drain();

    expect(lane.ran).toEqual(['a']);
  });

  it('gives way to other lanes after twenty turns, and asks to go on', async () => {
    const lane = aLane(Array.from({ length: 30 }, (_, index) => aTurn({ id: String(index) })));

    expect(await lane.drain()).toBe(1_000);

    expect(lane.ran).toHaveLength(20);
  });

  it('starts nothing more while the process is stopping', async () => {
    const lane = aLane([aTurn({ id: 'a' })], { isDraining: () => true });

    await lane.drain();

    expect(lane.ran).toEqual([]);
  });

  it('lets a running turn be broken off', async () => {
    const running = createRunningTurns();
    let wasAborted = false;
    const run = running.run('a', async (signal) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      wasAborted = signal.aborted;
    });

    running.abort('another');
    running.abort('a');
    await run;

    expect(wasAborted).toBe(true);
  });
});
