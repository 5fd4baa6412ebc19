import { describe, expect, it } from 'vitest';
import { useBullmqWorld } from './bullmq-world.ts';
import { aGate, aWhile, until } from './dispatcher-contract.ts';
import { aBusyDay } from './fairness-contract.ts';

const world = useBullmqWorld();

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('two replicas on one Redis', () => {
  it('never run a lane at once, and run it after every wake-up, whichever of them was asked', async () => {
    const lanes = Array.from({ length: 10 }, () => ({ asked: 0, seen: 0, running: 0, mostAtOnce: 0 }));
    const runsOf = [0, 0];
    const replicas = [0, 1].map((index) => {
      const replica = world.replica();
      replica.start(async (name) => {
        const lane = lanes[Number(name)];
        if (!lane) throw new Error(`there is no lane ${name}`);
        runsOf[index] = (runsOf[index] ?? 0) + 1;
        lane.seen = lane.asked;
        lane.mostAtOnce = Math.max(lane.mostAtOnce, ++lane.running);
        await sleep(Math.random() * 8);
        lane.running--;
        return Math.random() < 0.1 ? Date.now() + 10 : undefined;
      });
      return replica;
    });

    for (const [index, replica] of replicas.entries()) replica.wake(String(index));
    await until(() => expect(Math.min(...runsOf)).toBeGreaterThan(0));
    for (let round = 0; round < 60; round++) {
      for (const [index, lane] of lanes.entries()) {
        lane.asked++;
        replicas[(round + index) % 2]?.wake(String(index));
      }
      await sleep(Math.random() * 10);
    }

    await until(() => expect(lanes.filter(({ asked, seen }) => asked !== seen)).toEqual([]));
    expect(lanes.map(({ mostAtOnce }) => mostAtOnce)).toEqual(lanes.map(() => 1));
  });

  it('run eight turns of a person each, and all of them once, whichever of them a lane waits at', async () => {
    const day = aBusyDay(world.replica(), world.replica());
    const ids = Array.from({ length: 100 }, (_, index) => `ana ${index}`);

    for (const id of ids) day.ask(id, id);
    await until(() => expect(day.begun.length).toBeGreaterThanOrEqual(8));
    await until(() => {
      day.end();
      expect(day.begun.length).toBeGreaterThanOrEqual(100);
    });
    await aWhile();
    day.end();

    expect(day.begun.toSorted()).toEqual(ids.toSorted());
    expect(Math.max(...day.mostAtOnce())).toBe(8);
  });

  it('keep an alarm of the other, which has died, from when it says that it is kept', async () => {
    const [one, other] = [world.replica(), world.replica()];

    await one.wake('a', Date.now() + 200);
    await one.close();

    const started: string[] = [];
    other.start(async (lane) => void started.push(lane) as undefined);
    await until(() => expect(started).toEqual(['a']));
  });

  it('hand over what a draining one runs and is asked for, at a time too', async () => {
    const [one, other] = [world.replica(), world.replica()];
    const gate = aGate();
    const started: string[] = [];
    one.start(async (lane) => {
      started.push(lane);
      await gate.passed;
      return Date.now();
    });
    one.wake('a');
    await until(() => expect(started).toEqual(['a']));
    const takenOver: string[] = [];
    other.start(async (lane) => void takenOver.push(lane) as undefined);

    const drained = one.drain(10_000);
    one.wake('b');
    one.wake('c', Date.now() + 200);
    gate.open();

    expect(await drained).toBe(true);
    await until(() => expect(takenOver.toSorted()).toEqual(['a', 'b', 'c']));
    expect(started).toEqual(['a']);
  });

  it('keep their lanes for longer than a lease', async () => {
    const leaseMs = 600;
    const [one, other] = [world.recorded(leaseMs), world.replica(leaseMs)];
    one.dispatcher.wake('slow');
    await until(() => expect(one.started).toEqual(['slow']));
    const taken: string[] = [];
    other.start(async (lane) => void taken.push(lane) as undefined);

    for (const end = Date.now() + 3 * leaseMs; Date.now() < end; await sleep(50)) other.remind('slow');

    expect(taken).toEqual([]);
    one.gate.open();
  });

  it('are closed at once although a lane runs, which goes on elsewhere', async () => {
    const [one, other] = [world.replica(1_000), world.replica()];
    const gate = aGate();
    let holds: (() => boolean) | undefined;
    one.start(async (_, isHeld) => {
      holds = isHeld;
      await gate.passed;
      return undefined;
    });
    one.wake('a');
    await until(() => expect(holds?.()).toBe(true));
    const takenOver: string[] = [];
    other.start(async (lane) => void takenOver.push(lane) as undefined);

    expect(await one.drain(50)).toBe(false);
    await one.close();
    await until(() => {
      if (takenOver.length === 0) other.remind('a');
      expect(takenOver).toEqual(['a']);
    });

    expect(holds?.()).toBe(false);
    gate.open();
    await aWhile();
    expect(takenOver).toEqual(['a']);
  });
});

it('one replica alone does not run a lane beside itself when its lease was lost, and runs it again afterwards', async () => {
  const LEASE_MS = 800;
  const replica = world.replica(LEASE_MS);
  const gate = aGate();
  const held: boolean[] = [];
  let holds: (() => boolean) | undefined;
  replica.start(async (_, isHeld) => {
    holds = isHeld;
    held.push(isHeld());
    if (held.length === 1) await gate.passed;
    return undefined;
  });
  replica.wake('a');
  await until(() => expect(held).toEqual([true]));
  const first = holds;

  // As after a long silence.
  await world.redis.del(await world.redis.keys('bridge:replica:*'));
  await until(() => expect(first?.()).toBe(false));
  replica.remind('a');
  await aWhile();
  expect(held).toEqual([true]);
  gate.open();

  await until(() => expect(held).toEqual([true, true]));
  expect(world.logged.join()).toContain('leases of running lanes lost');
});
