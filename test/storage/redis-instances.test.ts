import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createAccessTokens } from '../../src/identity/access-token.ts';
import { createTokenVault, sealTokens } from '../../src/identity/token-vault.ts';
import { createLog } from '../../src/log.ts';
import { createRedisLock } from '../../src/storage/redis/redis-lock.ts';
import { aTurn } from '../conversation/a-question.ts';
import { aLink } from './a-link.ts';
import { beginRun } from './begin-run.ts';
import { changeThreads, engage } from './change-thread.ts';
import { useRedis } from './own-redis.ts';
import { asOperator } from './redis-world.ts';

const redis = useRedis();

describe('redis: two instances', () => {
  it('accept a turn once, whichever of them it is delivered to', async () => {
    const stores = [await redis.open(), await redis.open()];

    const results = await Promise.all([...stores, ...stores, ...stores].map(({ turns }) => turns.accept(aTurn())));

    expect(results.filter((result) => result === 'new')).toHaveLength(1);
  });

  it('keep the order in which turns arrived at either of them', async () => {
    const [first, second] = [await redis.open(), await redis.open()];
    const ids = Array.from({ length: 40 }, (_, index) => `turn-${index}`);
    for (const [index, id] of ids.entries()) await (index % 2 ? first : second).turns.accept(aTurn({ id }));

    const answered: string[] = [];
    for (let store = first; ; store = store === first ? second : first) {
      const head = await store.turns.head(aTurn().lane);
      const run = head && (await beginRun(store.turns, head.id));
      if (!run) break;
      answered.push(run.id);
      await store.turns.save({ ...run, stage: 'done' });
    }

    expect(answered).toEqual(ids);
  });

  it('take a turn from each other: the earlier run loses all its writes', async () => {
    const [first, second] = [await redis.open(), await redis.open()];
    await first.turns.accept(aTurn());
    const early = await beginRun(first.turns, aTurn().id);
    const late = await beginRun(second.turns, aTurn().id);
    if (!early || !late) throw new Error('the turn cannot be taken');

    const saves = await Promise.all([
      first.turns.save({ ...early, stage: 'answered' }),
      second.turns.save({ ...late, stage: 'asking' }),
      first.turns.save({ ...early, stage: 'done' }),
    ]);

    expect(saves).toEqual([false, true, false]);
    expect(await first.turns.get(aTurn().id)).toMatchObject({ stage: 'asking', fence: 2 });
  });

  it('know at once what the other has written', async () => {
    const [first, second] = [await redis.open(), await redis.open()];

    await changeThreads(first.turns, engage('T1:C1:1.1', 'UANA', 'T1'));
    await first.links.save(aLink(), 0);

    expect(await second.threads.isEngaged('T1:C1:1.1', 'UANA')).toBe(true);
    expect(await second.links.save(aLink(), 0)).toBe(false);
  });

  it('go on after SCRIPT FLUSH', async () => {
    const [first, second] = [await redis.open(), await redis.open()];
    await first.turns.accept(aTurn());
    await asOperator(redis, (client) => client.scriptFlush());

    const results = await Promise.all([
      beginRun(first.turns, aTurn().id),
      second.turns.accept(aTurn({ id: 'second' })),
      first.turns.accept(aTurn({ id: 'third' })),
      second.turns.head(aTurn().lane),
    ]);

    expect(results).toMatchObject([{ fence: 1 }, 'new', 'new', { id: aTurn().id }]);
  });
});

describe('redis: a store of another release', () => {
  it('is refused with its version, and left as it is', async () => {
    await asOperator(redis, (client) => client.set('bridge:schema', '4'));

    await expect(redis.open()).rejects.toThrow(
      'Redis is of another release: it has version 4, and this release knows 1.',
    );

    expect(await asOperator(redis, (client) => client.get('bridge:schema'))).toBe('4');
  });
});

describe('redis: a token that has expired', () => {
  it('is refreshed once for 4 instances with 50 callers each, and no refresh token is used twice', async () => {
    const vault = createTokenVault([{ id: 'k', key: randomBytes(32) }]);
    const spent: string[] = [];
    const now = Date.now();
    const tokens = { accessToken: 'access-0', refreshToken: 'refresh-0', obtainedAt: now - 3_600_000, expiresAt: now };
    const first = await redis.open();
    await first.links.save(aLink({ sealedTokens: sealTokens(vault, aLink(), tokens) }), 0);
    const instances = [first, await redis.open(), await redis.open(), await redis.open()].map(({ links, connection }) =>
      createAccessTokens({
        links,
        vault,
        now: Date.now,
        log: createLog('silent'),
        withLock: createRedisLock(connection),
        async refresh(_purpose, refreshToken) {
          spent.push(refreshToken);
          await wait(150);
          const accessToken = `access-${spent.length}`;
          const refreshed = { accessToken, refreshToken: `refresh-${spent.length}` };
          return { ...refreshed, obtainedAt: Date.now(), expiresAt: Date.now() + 3_600_000 };
        },
      }),
    );

    const got = await Promise.all(
      instances.flatMap((instance) => Array.from({ length: 50 }, () => instance.accessTokenFor(aLink()))),
    );

    expect(new Set(got)).toEqual(new Set(['access-1']));
    expect(spent).toEqual(['refresh-0']);
  });
});
