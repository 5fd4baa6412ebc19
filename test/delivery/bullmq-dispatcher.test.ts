import sinon from 'sinon';
import { describe, expect, it } from 'vitest';
import { type BullmqWorld, useBullmqWorld } from './bullmq-world.ts';
import { describeDispatcher, until } from './dispatcher-contract.ts';
import { describeFairness } from './fairness-contract.ts';

const HOUR_MS = 3_600_000;

const world = useBullmqWorld();

describeDispatcher('the BullMQ dispatcher', () => world.replica());
describeFairness('the BullMQ dispatcher', () => world.replica());

describe('the BullMQ dispatcher', () => {
  it('takes lanes of every name', async () => {
    const { dispatcher, started } = world.recorded();
    const lanes = ['T1:C1:1700.1', 'command:1234.5678', 'sweeper', '7', '0:1', 'a b/c', 'Ö'];

    for (const lane of lanes) {
      dispatcher.wake(lane);
      dispatcher.wake(lane, Date.now() + 300);
    }

    await until(() => expect(started.toSorted()).toEqual([...lanes, ...lanes].toSorted()));
  });

  it.each([-2, 2])('runs its lanes in time although the clock is set by %s hours', async (hours) => {
    const read = Date.now.bind(Date);
    let offsetMs = 0;
    const stub = sinon.stub(Date, 'now').callsFake(() => read() + offsetMs);
    const { dispatcher, started } = world.recorded();
    await dispatcher.wake('a', Date.now() + 60_000);

    offsetMs = hours * HOUR_MS;
    dispatcher.remind('a');
    await until(() => expect(started).toContain('a'));
    dispatcher.wake('b', Date.now() + 100);
    dispatcher.wake('a', Date.now() + 100);
    await until(() => expect(started).toContain('b'));
    await until(() => expect(started.filter((lane) => lane === 'a').length).toBeGreaterThan(1));

    stub.restore();
  });

  it('leaves a dozen keys behind at most, all with the same beginning, and a short stream of events', async () => {
    const { dispatcher, started } = world.recorded();

    for (let index = 0; index < 300; index++) dispatcher.wake(`lane ${index}`);
    await until(() => expect(started).toHaveLength(300));
    await dispatcher.drain(10_000);

    const keys = (await world.redis.keys('*')).filter((key) => !key.startsWith('bridge:replica:'));
    expect(keys.length).toBeLessThanOrEqual(12);
    expect(keys.filter((key) => !key.startsWith('bridge:queue:'))).toEqual([]);
    expect(await world.redis.xLen('bridge:queue:events')).toBeLessThan(300);
  });
});

describe('the alarms of the BullMQ dispatcher', () => {
  const pending = () => world.redis.zCard('bridge:queue:delayed');

  /** Every job that is added counts up, one that is not taken as well. */
  const added = async () => Number(await world.redis.get('bridge:queue:id'));

  /** Asks a replica for a wake-up, and waits until Redis has heard of it. */
  async function ask(dispatcher: ReturnType<BullmqWorld['replica']>, at: number): Promise<void> {
    const before = await added();
    dispatcher.wake('a', at);
    await until(async () => expect(await added()).toBeGreaterThan(before));
  }

  it('are one for a lane, however many times are asked for, on whichever replica', async () => {
    const [one, other] = [world.replica(), world.replica()];
    const at = Date.now() + HOUR_MS;

    for (let later = 0; later < 10; later++) {
      await ask(one, at + later);
      await ask(other, at + later);
    }

    expect(await pending()).toBe(1);
  });

  it('go off for a lane that asks for the next time in every run', async () => {
    const dispatcher = world.replica();
    const times: number[] = [];
    dispatcher.start(async () => (times.push(Date.now()) < 10 ? Date.now() + 20 : undefined));

    dispatcher.wake('a');
    await until(() => expect(times).toHaveLength(10));

    expect(await pending()).toBe(0);
  });
});

it('what the queue itself has lost does not hold up what comes after a job without a record', async () => {
  const { started } = world.recorded();

  await world.redis.lPush('bridge:queue:wait', 'no-such-job');
  await world.replica().wake('a', Date.now() + 100);

  await until(() => expect(started).toEqual(['a']));
  await until(async () => expect(await world.redis.lLen('bridge:queue:active')).toBe(0));
});
