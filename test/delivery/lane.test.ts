import { describe, expect, it } from 'vitest';
import type { Turn } from '../../src/conversation/turn.ts';
import { createRunningTurns, drainLane, type LanePorts } from '../../src/delivery/lane.ts';
import { createShares } from '../../src/delivery/shares.ts';
import { aTurn } from '../conversation/a-question.ts';

/** A lane whose turns are done once they ran. */
function aLane(turns: Turn[], change: Partial<LanePorts> = {}, { name = 'lane', isHeld = (): boolean => true } = {}) {
  const ran: string[] = [];
  const ports: LanePorts = {
    turns: {
      head: async () => turns.find(({ id }) => !ran.includes(id)),
      async takeHead(_, now) {
        const [turn, second] = turns.filter(({ id }) => !ran.includes(id));
        return turn && { turn, isTaken: (turn.notBefore ?? 0) <= now, isLast: second === undefined };
      },
    },
    running: createRunningTurns(),
    suspects: createShares(() => undefined, 1),
    shares: createShares(() => undefined),
    async run({ id }) {
      ran.push(id);
      return true;
    },
    holder: () => 'here',
    isDraining: () => false,
    waitClock: () => 1_000,
    ...change,
  };
  return { ran, drain: (taken?: Turn) => drainLane(name, isHeld, ports, taken) };
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

    expect(await lane.drain()).toBe(4_000);

    expect(lane.ran).toEqual(['a']);
  });

  it('looks again after a turn that is not done, which may wait now', async () => {
    const turn = aTurn({ id: 'a' });
    const lane = aLane([turn], {
      async run() {
        turn.notBefore = 5_000;
        return false;
      },
    });

    expect(await lane.drain()).toBe(4_000);
  });

  it('does not look again after the last one is done: who comes later wakes it', async () => {
    let looks = 0;
    const turn = aTurn();
    const lane = aLane([turn], {
      turns: {
        head: async () => turn,
        async takeHead() {
          looks++;
          return { turn, isTaken: true, isLast: true };
        },
      },
    });

    expect(await lane.drain()).toBeUndefined();
    expect(looks).toBe(1);
  });

  it('begins with the turn that was taken as it was accepted, and looks no further once that is done', async () => {
    const shares = createShares(() => undefined, 1);
    const lane = aLane([aTurn({ id: 'b' })], { shares });
    shares.enter('lane', 'T1:UANA');

    expect(await lane.drain(aTurn({ id: 'a' }))).toBeUndefined();

    expect(lane.ran).toEqual(['a']);
    expect(shares.enter('another lane', 'T1:UANA')).toBe(true);
  });

  it('looks for what the turn that was taken waits for where it is not done', async () => {
    const turn = aTurn({ id: 'a', notBefore: 5_000 });
    const lane = aLane([turn], { run: async () => false });

    expect(await lane.drain(turn)).toBe(4_000);
  });

  it('does not begin the turn that was taken once the lane is not its own', async () => {
    const lane = aLane([], {}, { isHeld: () => false });

    expect(await lane.drain(aTurn())).toBeUndefined();

    expect(lane.ran).toEqual([]);
  });

  it('clears a status whatever its person has running', async () => {
    const shares = createShares(() => undefined, 1);
    shares.enter('another lane', 'T1:UANA');
    const lane = aLane([aTurn({ id: 'idle', stage: 'waiting', endsWork: true })], { shares });

    await lane.drain();

    expect(lane.ran).toEqual(['idle']);
  });

  it('gives way to other lanes after twenty turns, and asks to go on', async () => {
    const lane = aLane(Array.from({ length: 30 }, (_, index) => aTurn({ id: String(index) })));

    expect(await lane.drain()).toBe(0);

    expect(lane.ran).toHaveLength(20);
  });

  it('starts nothing more while the process is stopping, and asks that the rest goes on elsewhere', async () => {
    let isDraining = false;
    const lane = aLane([aTurn({ id: 'a' }), aTurn({ id: 'b' })], {
      isDraining: () => isDraining,
      async run({ id }) {
        lane.ran.push(id);
        isDraining = true;
        return true;
      },
    });

    expect(await lane.drain()).toBe(0);

    expect(lane.ran).toEqual(['a']);
  });

  it('starts nothing more once the lane is not its own, and leaves the rest to whoever has it', async () => {
    let isHeld = true;
    const lane = aLane(
      [aTurn({ id: 'a' }), aTurn({ id: 'b' })],
      {
        async run({ id }) {
          lane.ran.push(id);
          isHeld = false;
          return true;
        },
      },
      { isHeld: () => isHeld },
    );

    expect(await lane.drain()).toBeUndefined();

    expect(lane.ran).toEqual(['a']);
  });

  it('lets a running turn be broken off, and no other, also where an earlier run of it ends just then', async () => {
    const running = createRunningTurns();
    const first = Promise.withResolvers<void>();
    let signal: AbortSignal | undefined;
    const earlier = running.run('a', () => first.promise);
    const later = running.run('a', async (given) => {
      signal = given;
      await new Promise((resolve) => given.addEventListener('abort', resolve));
    });
    first.resolve();
    await earlier;

    running.abort('another');
    expect(signal?.aborted).toBe(false);
    running.abort('a');
    await later;

    expect(signal?.aborted).toBe(true);
  });
});

describe('a lane of a person who has their share', () => {
  /** Ana runs one turn in another lane, which is her share here. */
  function aFullShare() {
    const woken: string[] = [];
    const shares = createShares((lane) => void woken.push(lane), 1);
    shares.enter('another', 'T1:UANA');
    return { shares, woken };
  }

  it('takes no turn and asks for no time: it is woken when a place is free', async () => {
    const { shares, woken } = aFullShare();
    const lane = aLane([aTurn()], { shares });

    expect(await lane.drain()).toBeUndefined();
    expect([lane.ran, woken]).toEqual([[], []]);

    shares.leave('T1:UANA');
    expect(woken).toEqual(['lane']);
    await lane.drain();
    expect(lane.ran).toHaveLength(1);
  });

  it('finishes what was stopped', async () => {
    const { shares } = aFullShare();
    const lane = aLane([aTurn({ id: 'a', stage: 'stopped' }), aTurn({ id: 'b' })], { shares });

    await lane.drain();

    expect(lane.ran).toEqual(['a']);
  });

  it('gives its place to another lane of theirs after each turn', async () => {
    const woken: string[] = [];
    const shares = createShares((lane) => void woken.push(lane), 1);
    const busy = aLane([aTurn({ id: 'a' }), aTurn({ id: 'b' })], {
      shares,
      async run({ id }) {
        busy.ran.push(id);
        shares.enter('another', 'T1:UANA');
        return true;
      },
    });

    await busy.drain();

    expect([busy.ran, woken]).toEqual([['a'], ['another']]);
  });
});

describe('suspects', () => {
  it('run one at a time: a second one is not begun, asks to be woken, and runs once the one before has ended', async () => {
    const begun: string[] = [];
    const woken: string[] = [];
    const suspects = createShares((name) => void woken.push(name), 1);
    const gate = Promise.withResolvers<void>();
    /** A lane whose turn is taken only by who looks for suspects. */
    const aSuspect = (name: string) => {
      const turn = aTurn({ id: name });
      const turns: LanePorts['turns'] = {
        head: async () => turn,
        takeHead: async (_, _now, deaths) => ({ turn, isTaken: deaths === undefined, isLast: true }),
      };
      async function run(): Promise<boolean> {
        begun.push(name);
        await gate.promise;
        return true;
      }
      return aLane([], { suspects, turns, run }, { name });
    };
    const [first, second] = [aSuspect('a'), aSuspect('b')];
    const running = first.drain();
    await expect.poll(() => begun).toEqual(['a']);

    expect(await second.drain()).toBe(5_000);
    expect([begun, woken]).toEqual([['a'], []]);

    gate.resolve();
    expect(await running).toBeUndefined();
    expect(woken).toEqual(['b']);
    await second.drain();
    expect(begun).toEqual(['a', 'b']);
  });
});
