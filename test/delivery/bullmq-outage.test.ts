import { describe, expect, it } from 'vitest';
import type { BullmqDispatcher } from '../../src/delivery/bullmq/bullmq-dispatcher.ts';
import { useBullmqWorld } from './bullmq-world.ts';
import { aGate, until } from './dispatcher-contract.ts';

const world = useBullmqWorld();

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Reminds of lanes that have not run, as whoever looks for those that are due, until so many runs have begun. */
const untilFound = (dispatcher: BullmqDispatcher, started: string[], lanes: string[]) =>
  until(() => {
    for (const lane of lanes) if (!started.includes(lane)) dispatcher.remind(lane);
    expect(started).toEqual(expect.arrayContaining(lanes));
  });

describe('a Redis that is killed and started again', () => {
  it('keeps the alarms from before, and hears of a run that ended meanwhile', async () => {
    const { dispatcher, started, gate } = world.recorded();
    dispatcher.wake('slow');
    dispatcher.wake('before', Date.now() + 10_000);
    await until(async () => expect(await world.redis.zCard('bridge:queue:delayed')).toBe(1));
    await until(() => expect(started).toEqual(['slow']));

    await world.server.kill();
    gate.open();
    await sleep(1_000);
    await world.server.restart();

    await until(() => expect(started.toSorted()).toEqual(['before', 'slow']));
    await until(async () => expect(await world.redis.keys('bridge:lease:*')).toEqual([]));
  });

  it('is told in a few lines', async () => {
    const { dispatcher, started } = world.recorded();
    dispatcher.wake('before');
    await until(() => expect(started).toEqual(['before']));

    await world.server.kill();
    const lanes = Array.from({ length: 200 }, (_, index) => `lane ${index}`);
    for (const lane of lanes) dispatcher.wake(lane);
    await sleep(1_500);
    await world.server.restart();
    await untilFound(dispatcher, started, lanes);

    expect(world.logged.length).toBeGreaterThan(0);
    expect(world.logged.length).toBeLessThan(10);
  });

  it('ends no replica that was started before it', async () => {
    await world.server.kill();
    const { dispatcher, started } = world.recorded();
    dispatcher.wake('early');
    await sleep(300);

    await world.server.restart();

    await untilFound(dispatcher, started, ['early', 'found']);
  });
});

it('a Redis that refuses to write hears of a run that ended meanwhile once it does again, without being asked all the time', async () => {
  // A lane that was not recorded as ended would be held until the end of the lease.
  const { dispatcher, started, gate } = world.recorded(300_000);
  dispatcher.wake('slow');
  await until(() => expect(started).toEqual(['slow']));

  // As while a failover goes on, where an acknowledged write must not be lost.
  await world.redis.configSet('min-replicas-to-write', '1');
  await world.redis.configResetStat();
  gate.open();
  await until(() => expect(world.logged.join()).toContain('NOREPLICAS'));
  dispatcher.remind('slow');
  await sleep(1_500);
  const calls = Number(/cmdstat_evalsha:calls=(\d+)/.exec(await world.redis.info('commandstats'))?.[1]);
  await world.redis.configSet('min-replicas-to-write', '0');

  await until(() => {
    dispatcher.remind('slow');
    expect(started.length).toBeGreaterThan(1);
  });
  expect(calls).toBeLessThan(30);
});

describe('a frozen Redis', () => {
  it('makes no wake-up throw, keeps one for each lane, and does the rest when it goes on', async () => {
    const { dispatcher, started } = world.recorded();
    dispatcher.wake('before');
    await until(() => expect(started).toEqual(['before']));

    world.server.signal('SIGSTOP');
    for (let count = 0; count < 10_000; count++) dispatcher.wake(count % 2 ? 'a' : 'b');
    await sleep(500);
    world.server.signal('SIGCONT');

    await until(() => expect(new Set(started)).toEqual(new Set(['before', 'a', 'b'])));
    await sleep(300);
    expect(started.length).toBeLessThanOrEqual(5);
  });

  it('leaves lanes to be found in the store when too many wait for it', async () => {
    const dispatcher = world.replica();
    await dispatcher.wake('before', Date.now() + 60_000);
    const told = () => world.logged.filter((line) => line.includes('The queue is full'));
    world.server.signal('SIGSTOP');

    for (let count = 0; count < 12_000; count++) dispatcher.wake(`lane ${count}`, Date.now() + 60_000);
    await until(() => expect(told()).toHaveLength(1));
    world.server.signal('SIGCONT');
  });

  it('lets a run know that its lane may be lost, and a replica end in time', async () => {
    const LEASE_MS = 600;
    const dispatcher = world.replica(LEASE_MS);
    const gate = aGate();
    let holds: (() => boolean) | undefined;
    dispatcher.start(async (_, isHeld) => {
      holds = isHeld;
      await gate.passed;
      return undefined;
    });
    dispatcher.wake('a');
    await until(() => expect(holds?.()).toBe(true));
    world.server.signal('SIGSTOP');
    const asked = dispatcher.wake('b');

    await sleep(LEASE_MS + 50);
    expect(holds?.()).toBe(false);
    expect(await dispatcher.drain(100)).toBe(false);
    await dispatcher.close();

    await asked;

    // All of that while Redis was frozen.
    world.server.signal('SIGCONT');
    gate.open();
  });
});
