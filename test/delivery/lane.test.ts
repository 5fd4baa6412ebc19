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

/** What happens in the first run, after which its turn is done unless it has to wait. */
type Meanwhile = 'the process stops' | 'the lane is lost' | 'the turn has to wait';

type Given = { turns: Turn[]; taken?: Turn; isHeld?: boolean; isShareFull?: boolean; meanwhile?: Meanwhile };

/** Ana runs one turn in another lane, which is her share here. */
function aFullShare() {
  const woken: string[] = [];
  const shares = createShares((lane) => void woken.push(lane), 1);
  shares.enter('another', 'T1:UANA');
  return { shares, woken };
}

const [FIRST, SECOND, WAITING] = [aTurn({ id: 'a' }), aTurn({ id: 'b' }), aTurn({ id: 'b', notBefore: 5_000 })];
const IDLE = aTurn({ id: 'idle', stage: 'waiting', endsWork: true });
const THIRTY = Array.from({ length: 30 }, (_, index) => aTurn({ id: String(index) }));
const TWENTY = THIRTY.slice(0, 20).map(({ id }) => id);

describe('draining a lane', () => {
  it.each<[string, Given, ran: string[], waitMs: number | undefined]>([
    ['runs its turns one after the other until none is left', { turns: [FIRST, SECOND] }, ['a', 'b'], undefined],
    ['stops at a turn that waits, and asks to be woken at its time', { turns: [FIRST, WAITING] }, ['a'], 4_000],
    [
      'looks again after a turn that is not done, which may wait now',
      { turns: [FIRST], meanwhile: 'the turn has to wait' },
      ['a'],
      4_000,
    ],
    [
      'looks for what the turn that was taken waits for where it is not done',
      { turns: [FIRST], taken: FIRST, meanwhile: 'the turn has to wait' },
      ['a'],
      4_000,
    ],
    [
      'does not begin the turn that was taken once the lane is not its own',
      { turns: [], taken: FIRST, isHeld: false },
      [],
      undefined,
    ],
    ['clears a status whatever its person has running', { turns: [IDLE], isShareFull: true }, ['idle'], undefined],
    [
      'finishes what was stopped, though its person has their share',
      { turns: [aTurn({ id: 'a', stage: 'stopped' }), SECOND], isShareFull: true },
      ['a'],
      undefined,
    ],
    ['gives way to other lanes after twenty turns, and asks to go on', { turns: THIRTY }, TWENTY, 0],
    [
      'starts nothing more while the process is stopping, and asks that the rest goes on elsewhere',
      { turns: [FIRST, SECOND], meanwhile: 'the process stops' },
      ['a'],
      0,
    ],
    [
      'starts nothing more once the lane is not its own, and leaves the rest to whoever has it',
      { turns: [FIRST, SECOND], meanwhile: 'the lane is lost' },
      ['a'],
      undefined,
    ],
  ])('%s', async (_, { turns, taken, isHeld = true, isShareFull, meanwhile }, ran, waitMs) => {
    const begun: string[] = [];
    const happens = (what: Meanwhile) => meanwhile === what && begun.length > 0;
    const lane = aLane(
      turns.map((turn) => ({
        ...turn,
        get notBefore() {
          return happens('the turn has to wait') ? 5_000 : turn.notBefore;
        },
      })),
      {
        async run({ id }) {
          begun.push(id);
          if (meanwhile !== 'the turn has to wait') lane.ran.push(id);
          return meanwhile !== 'the turn has to wait';
        },
        isDraining: () => happens('the process stops'),
        ...(isShareFull && { shares: aFullShare().shares }),
      },
      { isHeld: () => isHeld && !happens('the lane is lost') },
    );

    expect(await lane.drain(taken)).toBe(waitMs);
    expect(begun).toEqual(ran);
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

it('suspects run one at a time: a second one is not begun, asks to be woken, and runs once the one before has ended', async () => {
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
