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

/** Takes the lane `a` for a replica. */
const take = (token: string, n = 1) => leases.take('a', token + n);
const release = (token: string, n = 1) => leases.release([{ lane: 'a', holder: token + n }]);

describe('the lease of a lane', () => {
  it('is held by one replica, which may take it again, until that gives it up', async () => {
    const taken = [await take(one), await take(one, 2), await take(other)];
    // As somebody else, and as it was taken first.
    await release(other);
    await release(one);
    const stillRefused = await take(other);
    await release(one, 2);

    expect([...taken, stillRefused]).toEqual(['taken', 'taken', 'held', 'held']);
    expect(await take(other)).toBe('taken');
  });

  it('tells its holder that the lane was wanted, once', async () => {
    await take(one);
    await take(other);
    await take(other);

    expect(await release(one)).toEqual(['a']);
    await take(one);
    expect(await release(one)).toEqual([]);
  });

  it('goes to another replica when its own is gone, which learns that when it renews', async () => {
    await take(one);
    await end(one);

    expect(await take(other)).toBe('taken over');
    expect(await leases.renew(one, LEASE_MS)).toBe(false);
    expect(await release(one)).toEqual([]);
    expect(await take(one)).toBe('held');
  });
});

describe('a lane without turns', () => {
  it('is due where its holder is gone, and neither while it is held nor once it is given up', async () => {
    const due = (token: string) => store.turns.dueLanes(Date.now(), token, ['a']);
    const before = await due(other);
    await take(one);
    const held = [await due(one), await due(other)];
    await end(one);

    expect([before, ...held, await due(other)]).toEqual([[], [], [], ['a']]);
    await take(other);
    await release(other);
    expect(await due(other)).toEqual([]);
  });
});

describe('a turn that is accepted', () => {
  it('is taken together with its lane', async () => {
    expect(await store.turns.accept(aTurn(), [], `${one}1`)).toBe('taken');

    expect(await leases.take(aTurn().lane, `${other}1`)).toBe('held');
  });

  it('is not taken where another replica holds the lane', async () => {
    await leases.take(aTurn().lane, `${other}1`);

    expect(await store.turns.accept(aTurn(), [], `${one}1`)).toBe('new');
    expect((await store.turns.get(aTurn().id))?.fence).toBe(0);
  });

  it('is due for its holder, and for the others once that is gone', async () => {
    const { lane } = aTurn();
    await store.turns.accept(aTurn(), [], `${one}1`);
    const due = (token?: string) => store.turns.dueLanes(Date.now(), token);

    expect([await due(one), await due(other), await due()]).toEqual([[lane], [], []]);
    await end(one);
    expect([await due(other), await due()]).toEqual([[lane], [lane]]);
  });

  it('is begun again by whoever holds its lane, and by nobody who held it', async () => {
    const { lane } = aTurn();
    await store.turns.accept(aTurn(), [], `${one}1`);
    await end(one);
    await leases.take(lane, `${other}1`);
    const begin = (token: string) => store.turns.takeHead(lane, 0, undefined, token);

    expect(await begin(one)).toBeUndefined();
    expect(await begin(other)).toMatchObject({ turn: { fence: 2 }, isTaken: true });
  });
});
