import { beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '../../src/log.ts';
import { STORE_ID } from '../../src/storage/redis/redis-keys.ts';
import { useRedis } from './own-redis.ts';
import { asOperator } from './redis-world.ts';

const redis = useRedis();
let lines: { msg: string; level: string; isOther?: boolean; recordsBefore?: number; recordsNow?: number }[];

beforeEach(async () => {
  await asOperator(redis, (operator) => operator.set('bridge:arrivals', '7'));
  lines = [];
  const log = createLog('info', { write: (line: string) => void lines.push(JSON.parse(line)) });
  await redis.open({ log });
});

const losses = () => lines.filter(({ msg }) => msg === 'redis lost records');

describe('a Redis that lost what it had', () => {
  it('is said when it was flushed, once', async () => {
    await asOperator(redis, (operator) => operator.flushAll());

    await expect.poll(losses).toHaveLength(1);
    await new Promise((resolve) => setTimeout(resolve, 2_500));

    expect(losses()).toEqual([
      expect.objectContaining({ level: 'error', isOther: true, recordsBefore: 7, recordsNow: 0 }),
    ]);
  });

  it('is said when it knows fewer questions than before', async () => {
    await asOperator(redis, (operator) => operator.set('bridge:arrivals', '5'));

    await expect.poll(losses).toHaveLength(1);

    expect(losses()).toEqual([expect.objectContaining({ isOther: false, recordsBefore: 7, recordsNow: 5 })]);
  });

  it('is said when it is another one, even one that knows more questions', async () => {
    await asOperator(redis, (operator) => operator.mSet({ [STORE_ID]: 'another', 'bridge:arrivals': '9' }));

    await expect.poll(losses).toHaveLength(1);

    expect(losses()).toEqual([expect.objectContaining({ isOther: true, recordsBefore: 7, recordsNow: 9 })]);
  });

  it('is not said of one that goes on, or that another replica opens', async () => {
    await redis.open();
    await asOperator(redis, (operator) => operator.set('bridge:arrivals', '9'));
    await new Promise((resolve) => setTimeout(resolve, 2_500));

    expect(losses()).toEqual([]);
  });
});
