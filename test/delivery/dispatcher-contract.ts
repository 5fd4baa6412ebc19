import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Dispatcher } from '../../src/delivery/dispatcher.ts';
import { aTurn } from '../conversation/a-question.ts';

const HOUR_MS = 3_600_000;

/** A timer goes by another clock than the time of day, and both round to milliseconds. */
const ROUNDING_MS = 2;

/** Waits for what must come about; how soon is not the point. */
export const until = (check: () => void) => vi.waitFor(check, { timeout: 60_000, interval: 5 });

/** Long enough for something to have happened that must not. It cannot fail what is right. */
export const aWhile = () => new Promise((resolve) => setTimeout(resolve, 150));

/** Runs that go on until they are told to end. */
export function aGate() {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open: () => open(), passed };
}

/** What every dispatcher does. `create` makes one where no lane is known; who makes it closes it. */
export function describeDispatcher(name: string, create: () => Dispatcher | Promise<Dispatcher>): void {
  describe(`${name}, as a dispatcher`, () => {
    let dispatcher: Dispatcher;
    let started: string[];
    let times: number[];
    let gates: Record<string, ReturnType<typeof aGate>>;

    beforeEach(async () => {
      dispatcher = await create();
      started = [];
      times = [];
      gates = {};
    });
    afterEach(() => {
      for (const gate of Object.values(gates)) gate.open();
    });

    /** Every run is recorded with its time, and waits at the gate of its lane where there is one. */
    function start(): Promise<void> {
      return dispatcher.start(async (lane) => {
        started.push(lane);
        times.push(Date.now());
        await gates[lane]?.passed;
        return undefined;
      });
    }

    it('runs lanes beside each other, and a lane never beside itself', async () => {
      gates = { a: aGate(), b: aGate() };
      start();

      dispatcher.wake('a');
      await until(() => expect(started).toEqual(['a']));
      dispatcher.wake('a');
      dispatcher.wake('b');
      await until(() => expect(started).toEqual(['a', 'b']));
      await aWhile();

      expect(started).toEqual(['a', 'b']);
    });

    it('runs a lane once more that was woken while it ran, and not once for each time', async () => {
      gates = { a: aGate() };
      start();
      dispatcher.wake('a');
      await until(() => expect(started).toEqual(['a']));
      for (let count = 0; count < 50; count++) dispatcher.wake('a');
      await aWhile();

      gates.a?.open();
      await until(() => expect(started.length).toBeGreaterThan(1));
      await aWhile();

      // A wake-up that took its time to arrive may have had it run again.
      expect(started.length).toBeLessThanOrEqual(3);
    });

    it('keeps wake-ups from before the start', async () => {
      dispatcher.wake('early');

      start();

      await until(() => expect(started).toEqual(['early']));
    });

    describe.each([
      ['before it', (soon: () => void, later: () => void) => [soon, later]],
      ['after it', (soon: () => void, later: () => void) => [later, soon]],
    ])('asked for a run at a time and, %s, for one at once', (_, order) => {
      it('never lets the later one take the place of that at once', async () => {
        start();

        const later = () => dispatcher.wake('a', Date.now() + HOUR_MS);
        for (const ask of order(() => dispatcher.wake('a'), later)) ask();

        await until(() => expect(started).toEqual(['a']));
      });

      it('never lets the one at once take the place of the later', async () => {
        start();
        const at = Date.now() + 400;

        const later = () => dispatcher.wake('a', at);
        for (const ask of order(() => dispatcher.wake('a'), later)) ask();

        await until(() => expect(times.at(-1)).toBeGreaterThanOrEqual(at - ROUNDING_MS));
      });

      it('does both for a lane that runs', async () => {
        gates = { a: aGate() };
        start();
        dispatcher.wake('a');
        await until(() => expect(started).toEqual(['a']));
        const at = Date.now() + 400;
        const later = () => dispatcher.wake('a', at);
        for (const ask of order(() => dispatcher.wake('a'), later)) ask();

        gates.a?.open();

        await until(() => expect(started.length).toBeGreaterThan(1));
        await until(() => expect(times.at(-1)).toBeGreaterThanOrEqual(at - ROUNDING_MS));
      });
    });

    it('runs a lane at the time that was asked for last, not before', async () => {
      start();
      const at = Date.now() + 300;

      dispatcher.wake('a', Date.now() + HOUR_MS);
      dispatcher.wake('a', at);
      await until(() => expect(started).toEqual(['a']));

      expect(times[0]).toBeGreaterThanOrEqual(at - ROUNDING_MS);
    });

    it('wakes a lane at the time that its run asked for', async () => {
      let at = 0;
      dispatcher.start(async () => {
        times.push(Date.now());
        at ||= Date.now() + 300;
        return times.length === 1 ? at : undefined;
      });

      dispatcher.wake('a');
      await until(() => expect(times).toHaveLength(2));

      expect(times[1]).toBeGreaterThanOrEqual(at - ROUNDING_MS);
    });

    it('goes on at once with a lane whose run asked for that', async () => {
      dispatcher.start(async (lane) => (started.push(lane) < 30 ? Date.now() : undefined));

      dispatcher.wake('a');

      await until(() => expect(started).toHaveLength(30));
    });

    it('tries a lane again whose run threw', async () => {
      dispatcher.start(async (lane) => {
        if (started.push(lane) === 1) throw new Error('the store is gone');
        return undefined;
      });

      dispatcher.wake('a');

      await until(() => expect(started).toEqual(['a', 'a']));
    });

    it('runs a lane that it is reminded of, and not once more when it ran already', async () => {
      gates = { a: aGate() };
      start();

      dispatcher.remind('a');
      await until(() => expect(started).toEqual(['a']));
      dispatcher.remind('a');
      await aWhile();
      gates.a?.open();
      await aWhile();

      expect(started).toEqual(['a']);
    });

    it('runs 512 lanes at once, and the others as soon as one ends', async () => {
      const open: (() => void)[] = [];
      dispatcher.start((lane) => {
        started.push(lane);
        return new Promise((resolve) => open.push(() => resolve(undefined)));
      });

      for (let index = 0; index < 600; index++) dispatcher.wake(`lane ${index}`);
      await until(() => expect(started).toHaveLength(512));
      await aWhile();
      expect(started).toHaveLength(512);

      for (const end of open.splice(0, 8)) end();
      await until(() => expect(started).toHaveLength(520));
      await aWhile();
      expect(started).toHaveLength(520);

      await until(() => {
        for (const end of open.splice(0)) end();
        expect(new Set(started).size).toBe(600);
      });
      for (const end of open) end();
    });

    describe('for a turn that is being accepted', () => {
      const reserve = async (lane: string) => {
        let place = dispatcher.reserve(lane);
        await until(() => {
          place ??= dispatcher.reserve(lane);
          expect(place).toBeDefined();
        });
        return place;
      };

      it('keeps a place, and runs the lane with the turn once it is taken', async () => {
        const taken: (string | undefined)[] = [];
        let isOwn: boolean | undefined;
        await dispatcher.start(async (_, isHeld, turn) => {
          isOwn = isHeld();
          taken.push(turn?.id);
          return undefined;
        });

        (await reserve('a'))?.begin(aTurn({ id: 'turn' }));

        await until(() => expect(taken).toEqual(['turn']));
        expect(isOwn).toBe(true);
      });

      it('runs a lane that was woken meanwhile once more, with or without the turn', async () => {
        await start();
        for (const lane of ['a', 'b']) {
          const place = await reserve(lane);
          dispatcher.wake(lane);
          await aWhile();
          expect(started).not.toContain(lane);
          if (lane === 'a') place?.begin(aTurn());
          else place?.release();
        }

        await until(() => expect(started.toSorted()).toEqual(['a', 'a', 'b']));
      });

      it('keeps none for a lane that runs, nor before the start, nor while it drains', async () => {
        gates = { a: aGate() };
        const early = dispatcher.reserve('a');
        await start();
        const place = await reserve('a');
        const second = dispatcher.reserve('a');
        place?.begin(aTurn());
        await until(() => expect(started).toEqual(['a']));
        const running = dispatcher.reserve('a');
        const drained = dispatcher.drain(15_000);

        expect([early, second, running, dispatcher.reserve('b')]).toEqual([undefined, undefined, undefined, undefined]);
        gates.a?.open();
        expect(await drained).toBe(true);
      });
    });

    it('drains: starts nothing more, and waits for what runs', async () => {
      gates = { a: aGate() };
      start();
      dispatcher.wake('a');
      await until(() => expect(started).toEqual(['a']));
      let isDrained: boolean | undefined;

      const drained = dispatcher.drain(15_000).then((isDone) => {
        isDrained = isDone;
      });
      dispatcher.wake('b');
      await aWhile();
      expect(isDrained).toBeUndefined();
      gates.a?.open();
      await drained;

      expect(isDrained).toBe(true);
      expect(started).toEqual(['a']);
    });

    it('ends draining although a run asks to go on at once', async () => {
      gates = { a: aGate() };
      dispatcher.start(async (lane) => {
        started.push(lane);
        await gates.a?.passed;
        return Date.now();
      });
      dispatcher.wake('a');
      await until(() => expect(started).toEqual(['a']));

      const drained = dispatcher.drain(15_000);
      gates.a?.open();

      expect(await drained).toBe(true);
      expect(started).toEqual(['a']);
    });

    it('gives up draining at the deadline', async () => {
      gates = { a: aGate() };
      start();
      dispatcher.wake('a');
      await until(() => expect(started).toEqual(['a']));

      expect(await dispatcher.drain(50)).toBe(false);
    });

    it('has nothing to drain before the start', async () => {
      expect(await dispatcher.drain(1_000)).toBe(true);
    });
  });
}
