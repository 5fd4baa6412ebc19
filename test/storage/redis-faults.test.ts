import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRedisLeases } from '../../src/backend/redis/redis-leases.ts';
import type { RedisStore } from '../../src/backend/redis-store.ts';
import { StoreUnavailableError } from '../../src/errors.ts';
import { createLog } from '../../src/log.ts';
import { anOutcome, aQuestion, aTurn } from '../conversation/a-question.ts';
import { beginRun } from './begin-run.ts';
import { useFreshRedis, useRedis } from './own-redis.ts';
import { asOperator, isWritable } from './redis-world.ts';

const redis = useRedis();
let store: RedisStore;

beforeEach(async () => {
  store = await redis.open();
});

/** Anything but a refusal fails the test. */
async function isRefused(work: Promise<unknown>): Promise<void> {
  await expect(work).rejects.toBeInstanceOf(StoreUnavailableError);
}

/** Refused without the two seconds that a command may take: a timer of less, set at the same moment, comes later. */
async function isRefusedAtOnce(work: Promise<unknown>): Promise<void> {
  const timer = wait(1_500).then(() => 'waited');
  expect(await Promise.race([isRefused(work).then(() => 'refused'), timer])).toBe('refused');
}

async function untilItAnswers(): Promise<void> {
  await expect.poll(() => isWritable(store)).toBe(true);
}

describe('redis: a Redis that is frozen', () => {
  it('is not waited for, and works again when it thaws', async () => {
    await store.turns.accept(aTurn({ id: 'before' }));
    redis.signal('SIGSTOP');

    await isRefused(store.turns.accept(aTurn({ id: 'meanwhile' })));

    redis.signal('SIGCONT');
    await untilItAnswers();
    expect(await store.turns.accept(aTurn({ id: 'after' }))).toBe('new');
    expect(await store.turns.get('before')).toBeDefined();
  });

  it('may have taken what it did not acknowledge: then it is there, and waits to be begun', async () => {
    redis.signal('SIGSTOP');
    await isRefused(store.turns.accept(aTurn()));
    redis.signal('SIGCONT');
    await untilItAnswers();

    expect(await store.turns.accept(aTurn())).toBe('duplicate');
    expect(await store.turns.dueLanes(Number.MAX_SAFE_INTEGER)).toEqual([aTurn().lane]);
    expect(await store.turns.head(aTurn().lane)).toEqual(aTurn());
  });

  it('is found out under load, too: after the first two seconds nobody waits for it', async () => {
    redis.signal('SIGSTOP');
    const write = (id: number) => store.turns.accept(aTurn({ id: `turn-${id}` }));

    await Promise.all(Array.from({ length: 50 }, (_, id) => isRefused(write(id))));

    for (let id = 50; id < 80; id++) await isRefusedAtOnce(write(id));
    redis.signal('SIGCONT');
    await untilItAnswers();
  });

  it('is refused at the start, with a sentence', async () => {
    redis.signal('SIGSTOP');

    const opening = redis.open();

    await expect(opening).rejects.toThrow(/\(REDIS_URL\) does not answer/);
    redis.signal('SIGCONT');
    await untilItAnswers();
  });
});

describe('redis: a Redis that is killed', () => {
  it('has everything that was acknowledged when it comes back', async () => {
    const ids = Array.from({ length: 200 }, (_, index) => `turn-${index}`);
    const acknowledged: string[] = [];
    const accepting = ids.map((id) =>
      store.turns.accept(aTurn({ id })).then(
        () => acknowledged.push(id),
        () => undefined,
      ),
    );
    await accepting[50];

    await redis.kill();
    await Promise.all(accepting);
    await redis.restart();
    await untilItAnswers();

    const found = await Promise.all(acknowledged.map((id) => store.turns.get(id)));
    expect(acknowledged.length).toBeGreaterThan(0);
    expect(found.filter((turn) => turn === undefined)).toEqual([]);
  });

  it('is missed for a moment by nobody: a command waits for it to be back', async () => {
    await store.turns.accept(aTurn());
    await redis.kill();
    // The loss has been noticed, and the next command finds nothing to send it over.
    await wait(50);

    const [run] = await Promise.all([beginRun(store.turns, aTurn().id), redis.restart()]);

    expect(run).toMatchObject({ fence: 1 });
  });

  it('is told of once in the log when it is lost, and once when it is back', async () => {
    const lines: string[] = [];
    const log = createLog('info', { write: (line: string) => lines.push(JSON.parse(line).msg) });
    await redis.open({ log });

    await redis.kill();
    await wait(300);
    await redis.restart();
    await untilItAnswers();

    await expect.poll(() => lines).toEqual(['redis lost', 'redis reconnected']);
  });

  it('is reported at once when it has been away for a while, and the process goes on', async () => {
    await redis.kill();
    await wait(2_000);

    await isRefusedAtOnce(store.turns.accept(aTurn()));
    await isRefusedAtOnce(store.check());
    await redis.restart();
    await untilItAnswers();
    expect(await store.turns.accept(aTurn())).toBe('new');
  });
});

describe('redis: a Redis that reads its file for a while', () => {
  // A short sleep for every other line. After every thousand lines it answers, that it is loading; on a busy machine each
  // sleep may take a millisecond, and all of a thousand lines must not take longer than an answer is waited for.
  const slow = useFreshRedis({ 'key-load-delay': '-2' });

  it('is waited for', async () => {
    const { turns } = await slow.open();
    await Promise.all(Array.from({ length: 500 }, (_, index) => turns.accept(aTurn({ id: `turn-${index}` }))));
    await slow.kill();
    await wait(50);

    const [run] = await Promise.all([turns.takeHead(aTurn().lane, 0), slow.restart()]);

    expect(run).toMatchObject({ turn: { fence: 1 }, isTaken: true });
  });
});

describe('redis: a Redis that reads its file for longer than a command waits', () => {
  const slow = useFreshRedis({ 'key-load-delay': '300' });

  it('is not told of as lost and back, time and again, and a start says why it ends', async () => {
    const lines: string[] = [];
    const log = createLog('info', { write: (line: string) => lines.push(JSON.parse(line).msg) });
    const { turns, check } = await slow.open({ log });
    for (let batch = 0; batch < 30; batch += 1) {
      await Promise.all(
        Array.from({ length: 50 }, (_, index) => turns.accept(aTurn({ id: `turn-${batch}-${index}` }))),
      );
    }
    await slow.kill();

    const back = slow.restart();
    const start = () => slow.open().catch(({ message }: Error) => message);
    await expect.poll(start).toMatch(/^Redis is still reading its file/);
    while ((await Promise.race([back.then(() => 'back'), check().catch(() => wait(50))])) !== 'back');

    await expect.poll(() => isWritable({ check })).toBe(true);
    expect(lines.at(-1)).toBe('redis reconnected');
    // The second time because it did not answer while it read.
    expect(lines.filter((line) => line === 'redis lost').length).toBeLessThanOrEqual(2);
  });
});

it('redis: a pause of our own process is not blamed on Redis: what it answered meanwhile counts', async () => {
  await store.turns.accept(aTurn());
  await beginRun(store.turns, aTurn().id);
  const taking = beginRun(store.turns, aTurn().id);
  await new Promise(setImmediate);

  const end = performance.now() + 2_500;
  while (performance.now() < end);

  expect(await taking).toMatchObject({ fence: 2 });
});

describe('redis: a Redis that is full', () => {
  afterEach(() => asOperator(redis, (client) => client.configSet('maxmemory', '0')));

  it('refuses what is to be written, and says so when it is checked', async () => {
    await store.turns.accept(aTurn());
    await asOperator(redis, (client) => client.configSet('maxmemory', '1mb'));

    await isRefused(store.turns.accept(aTurn({ id: 'one too many' })));

    await isRefused(store.check());
    expect(await store.turns.get(aTurn().id)).toEqual(aTurn());
    await asOperator(redis, (client) => client.configSet('maxmemory', '0'));
    expect(await store.turns.accept(aTurn({ id: 'one too many' }))).toBe('new');
  });

  it('finishes the questions that it has, and forgets old ones', async () => {
    const leases = createRedisLeases(store.connection);
    const asker = aQuestion().asker;
    for (const id of ['runs', 'parked', 'stopped']) await store.turns.accept(aTurn({ id, lane: id }));
    const parked = await beginRun(store.turns, 'parked');
    await store.turns.save({ ...aTurn(parked), stage: 'parked' });
    await asOperator(redis, (client) => client.configSet('maxmemory', '1mb'));

    expect([await leases.renew('a', 60_000), await leases.renew('a', 60_000)]).toEqual([false, true]);
    expect(await leases.take('runs', 'a1')).toBe('taken');
    const run = aTurn((await store.turns.takeHead('runs', Date.now()))?.turn);
    expect(await store.turns.save({ ...run, stage: 'answered', outcome: anOutcome() })).toBe(true);
    expect(await store.turns.save({ ...run, stage: 'done' })).toBe(true);
    expect(await store.turns.end('stopped', 'stopped')).toBe(true);
    expect(await store.turns.unpark(asker)).toEqual(['parked']);
    expect(await store.turns.forget(Date.now())).toBe(1);
    await isRefused(store.turns.accept(aTurn()));
  });

  it('is told of in the log once, by the code of Redis', async () => {
    const lines: object[] = [];
    const log = createLog('info', { write: (line: string) => lines.push(JSON.parse(line)) });
    const told = await redis.open({ log });
    await asOperator(redis, (client) => client.configSet('maxmemory', '1mb'));

    await isRefused(told.turns.accept(aTurn()));
    await isRefused(told.check());

    expect(lines).toMatchObject([{ msg: 'store refuses', reason: 'OOM' }]);
  });
});
