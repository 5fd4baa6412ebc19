import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { createRedisLeases } from '../../src/backend/redis/redis-leases.ts';
import type { RedisStore } from '../../src/backend/redis-store.ts';
import type { LeaseStore } from '../../src/delivery/leases.ts';
import { aTurn } from '../conversation/a-question.ts';
import { useRedis } from './own-redis.ts';
import { asOperator } from './redis-world.ts';

const LEASE_MS = 60_000;

const redis = useRedis();
let store: RedisStore;
let leases: LeaseStore;
let one: string;
let other: string;

beforeEach(async () => {
  store = await redis.open();
  leases = createRedisLeases(store.connection);
  [one, other] = [randomUUID(), randomUUID()];
  for (const token of [one, other]) await leases.renew(token, LEASE_MS);
});

/** As after a lease without a renewal. */
const end = (token: string) => asOperator(redis, (client) => client.del(`bridge:replica:${token}`));

// What else is done with leases, turns.test.ts compares with a model; there a lane may be named as due too early.
describe('a lane without turns', () => {
  it('is due where its holder is gone, and neither while it is held nor once it is given up', async () => {
    const due = (token: string) => store.turns.dueLanes(Date.now(), token, ['a']);
    const before = await due(other);
    await leases.take('a', `${one}1`);
    const held = [await due(one), await due(other)];
    await end(one);

    expect([before, ...held, await due(other)]).toEqual([[], [], [], ['a']]);
    expect(await leases.take('a', `${other}1`, true)).toBe('held');
    await leases.take('a', `${other}1`);
    await leases.release([{ lane: 'a', holder: `${other}1` }]);
    expect(await due(other)).toEqual([]);
  });
});

describe('a turn that is accepted', () => {
  it('is due for its holder, and for the others once that is gone, which learns that when it renews', async () => {
    const { lane } = aTurn();
    expect(await store.turns.accept(aTurn(), [], `${one}1`)).toBe('taken');
    const due = (token?: string) => store.turns.dueLanes(Date.now(), token);

    expect([await due(one), await due(other), await due()]).toEqual([[lane], [], []]);
    await end(one);
    expect([await due(other), await due()]).toEqual([[lane], [lane]]);
    expect([await leases.renew(one, LEASE_MS), await leases.renew(one, LEASE_MS)]).toEqual([false, true]);
  });
});
