import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openRedisStore, type RedisStore } from '../../src/backend/redis-store.ts';
import { createLog } from '../../src/log.ts';
import { STORE_ID } from '../../src/storage/redis/redis-keys.ts';
import { type RedisServer, startRedis } from '../app/redis-server.ts';
import { asOperator } from './redis-world.ts';

let server: RedisServer;
let store: RedisStore;
let lines: { msg: string; level: string; isOther?: boolean; recordsBefore?: number; recordsNow?: number }[];

beforeEach(async () => {
  server = await startRedis();
  await asOperator(server, (operator) => operator.set('bridge:arrivals', '7'));
  lines = [];
  const log = createLog('info', { write: (line: string) => void lines.push(JSON.parse(line)) });
  store = await openRedisStore({ url: server.url, now: Date.now, log });
});
afterEach(async () => {
  await store.close();
  await server.close();
});

const losses = () => lines.filter(({ msg }) => msg === 'redis lost records');

describe('a Redis that lost what it had', () => {
  it('is said when it was flushed, once', async () => {
    await asOperator(server, (operator) => operator.flushAll());

    await expect.poll(losses).toHaveLength(1);
    await new Promise((resolve) => setTimeout(resolve, 2_500));

    expect(losses()).toEqual([
      expect.objectContaining({ level: 'error', isOther: true, recordsBefore: 7, recordsNow: 0 }),
    ]);
  });

  it('is said when it knows fewer questions than before', async () => {
    await asOperator(server, (operator) => operator.set('bridge:arrivals', '5'));

    await expect.poll(losses).toHaveLength(1);

    expect(losses()).toEqual([expect.objectContaining({ isOther: false, recordsBefore: 7, recordsNow: 5 })]);
  });

  it('is said when it is another one, even one that knows more questions', async () => {
    await asOperator(server, (operator) => operator.mSet({ [STORE_ID]: 'another', 'bridge:arrivals': '9' }));

    await expect.poll(losses).toHaveLength(1);

    expect(losses()).toEqual([expect.objectContaining({ isOther: true, recordsBefore: 7, recordsNow: 9 })]);
  });

  it('is not said of one that goes on, or that another replica opens', async () => {
    const other = await openRedisStore({ url: server.url, now: Date.now });
    await asOperator(server, (operator) => operator.set('bridge:arrivals', '9'));
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    await other.close();

    expect(losses()).toEqual([]);
  });
});
