import sinon from 'sinon';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type BullmqWorld, startBullmqWorld } from './bullmq-world.ts';
import { describeDispatcher, until } from './dispatcher-contract.ts';
import { describeFairness } from './fairness-contract.ts';

const HOUR_MS = 3_600_000;

let world: BullmqWorld;

beforeAll(async () => {
  world = await startBullmqWorld();
});
afterEach(() => world.reset());
afterAll(() => world.close());

describeDispatcher('the BullMQ dispatcher', () => world.replica());
describeFairness('the BullMQ dispatcher', () => world.replica());

/** A replica whose runs are recorded. */
function aReplica() {
  const started: string[] = [];
  const dispatcher = world.replica();
  dispatcher.start(async (lane) => void started.push(lane) as undefined);
  return { dispatcher, started };
}

describe('the BullMQ dispatcher', () => {
  it('takes lanes of every name', async () => {
    const { dispatcher, started } = aReplica();
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
    const { dispatcher, started } = aReplica();
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
    const { dispatcher, started } = aReplica();

    for (let index = 0; index < 300; index++) dispatcher.wake(`lane ${index}`);
    await until(() => expect(started).toHaveLength(300));
    await dispatcher.drain(10_000);

    const keys = await world.redis.keys('*');
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

  it('are one for a lane, however many later times are asked for, on whichever replica', async () => {
    const [one, other] = [world.replica(), world.replica()];
    const at = Date.now() + HOUR_MS;

    for (let later = 0; later < 10; later++) {
      await ask(one, at + later);
      await ask(other, at + later);
    }

    expect(await pending()).toBe(1);
  });

  it('are one more where an earlier time is asked for, on another replica at that', async () => {
    const { dispatcher, started } = aReplica();
    await ask(dispatcher, Date.now() + HOUR_MS);

    await ask(world.replica(), Date.now() + 300);
    await until(() => expect(started).toEqual(['a']));

    await until(async () => expect(await pending()).toBe(1));
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

describe('a lane that the queue itself would block for ever', () => {
  const AGE_MS = 120_000;

  /** What BullMQ would leave behind if it lost the job that holds the lane. */
  async function plant(lane: string, record: 'none' | 'in no list'): Promise<void> {
    await world.redis.set(`bridge:queue:de:${lane}`, 'lost');
    if (record === 'none') return;
    const timestamp = Date.now() - AGE_MS;
    const job = { name: 'wake', data: JSON.stringify({ lane }), opts: '{}', timestamp, delay: 0, priority: 0 };
    await world.redis.hSet('bridge:queue:lost', job);
  }

  it.each(['wake', 'remind'] as const)('runs when its job is gone, by %s', async (asked) => {
    const { dispatcher, started } = aReplica();
    await plant('a', 'none');

    dispatcher[asked]('a');

    await until(() => expect(started).toEqual(['a']));
  });

  it('runs at the next reminder when its job is in no list', async () => {
    const { dispatcher, started } = aReplica();
    await plant('a', 'in no list');

    dispatcher.remind('a');

    await until(() => expect(started).toEqual(['a']));
    expect(world.logged.join()).toContain('the queue had lost');
  });

  it('runs at its next time when its job is in no list: nobody reminds of the sweeper', async () => {
    const { dispatcher, started } = aReplica();
    await plant('sweeper', 'in no list');

    dispatcher.wake('sweeper', Date.now() + 200);

    await until(() => expect(started).toContain('sweeper'));
  });

  it('wakes at its next time when the job of its alarm is in no list', async () => {
    const { dispatcher, started } = aReplica();
    await plant('alarm:a', 'in no list');

    dispatcher.wake('a', Date.now() + 200);

    await until(() => expect(started).toEqual(['a']));
  });

  it('is nothing that a job without a record can bring about', async () => {
    const { dispatcher, started } = aReplica();

    await world.redis.lPush('bridge:queue:wait', 'no-such-job');
    dispatcher.wake('a');

    await until(() => expect(started).toEqual(['a']));
    await until(async () => expect(await world.redis.lLen('bridge:queue:active')).toBe(0));
  });
});
