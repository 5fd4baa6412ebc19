import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createLateDispatcher } from '../../src/delivery/bullmq/late-dispatcher.ts';
import { type BullmqWorld, startBullmqWorld } from './bullmq-world.ts';
import { describeDispatcher, until } from './dispatcher-contract.ts';

let world: BullmqWorld;

beforeAll(async () => {
  world = await startBullmqWorld();
});
afterEach(() => world.reset());
afterAll(() => world.close());

const create = () => world.replica(undefined, createLateDispatcher);

/** The lines of Redis about its clients; one is the test's own. */
const countClients = async () =>
  (await world.redis.sendCommand(['CLIENT', 'LIST'])).toString().trim().split('\n').length;

describeDispatcher('the late dispatcher', create);

describe('the late dispatcher', () => {
  it('connects to Redis on its first use, and ends that with its own end', async () => {
    const dispatcher = create();
    expect(await countClients()).toBe(1);

    await dispatcher.wake('lane');
    expect(await countClients()).toBeGreaterThan(1);

    await dispatcher.close();
    await until(async () => expect(await countClients()).toBe(1));
  });

  it('ends at once without ever having been used', async () => {
    const dispatcher = create();

    expect(await dispatcher.drain(1_000)).toBe(true);
    await dispatcher.close();

    expect(await countClients()).toBe(1);
  });

  it('leaves what was woken before its start to another replica, if it stops instead', async () => {
    const stopped = create();
    const waking = stopped.wake('lane');
    expect(await stopped.drain(1_000)).toBe(true);
    await stopped.close();
    await waking;

    const started: string[] = [];
    await create().start(async (lane) => void started.push(lane) as undefined);

    await until(() => expect(started).toEqual(['lane']));
  });
});
