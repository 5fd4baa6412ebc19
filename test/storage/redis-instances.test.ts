import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createAccessTokens } from '../../src/identity/access-token.ts';
import { createTokenVault, sealTokens } from '../../src/identity/token-vault.ts';
import { createLog } from '../../src/log.ts';
import { createRedisLock } from '../../src/storage/redis/redis-lock.ts';
import { aLink } from './a-link.ts';
import { useRedis } from './own-redis.ts';
import { asOperator } from './redis-world.ts';

const redis = useRedis();

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
