import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { StoreUnavailableError } from '../../src/errors.ts';
import { type AccessTokensOptions, createAccessTokens } from '../../src/identity/access-token.ts';
import type { LinkKey, LinkStore, Purpose, TokenSet } from '../../src/identity/account-link.ts';
import { endSignIns } from '../../src/identity/every-sign-in.ts';
import {
  AuthorizationEndedError,
  IdentityProviderMisconfiguredError,
  IdentityProviderUnavailableError,
} from '../../src/identity/identity-errors.ts';
import { createTokenVault, openTokens, sealTokens } from '../../src/identity/token-vault.ts';
import { createLog } from '../../src/log.ts';
import { createMemoryStore } from '../storage/memory-store.ts';

const ANA: LinkKey = { team: 'T1', user: 'UANA', purpose: 'assistant' };
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const START = 1_800_000_000_000;

type Refresh = (purpose: Purpose, refreshToken: string) => Promise<TokenSet>;

/** Links that a test can interrupt: before each save it puts another writer, or an error, in between. */
function openLinks() {
  const { links } = createMemoryStore();
  const interrupted = {
    ...links,
    beforeSave: (): Promise<void> | void => {},
    saves: 0,
    async save(...saved: Parameters<LinkStore['save']>) {
      await interrupted.beforeSave();
      interrupted.saves += 1;
      return links.save(...saved);
    },
  };
  return interrupted;
}

/** Ana is linked with the tokens `access-0` and `refresh-0`, good for an hour; each refresh counts on. */
async function createWorld(options: Partial<AccessTokensOptions> = {}) {
  const clock = { now: START };
  const links = openLinks();
  const vault = createTokenVault([{ id: 'k', key: randomBytes(32) }]);
  const asked: string[] = [];
  const script: Refresh[] = [];
  const answer: Refresh = async () => ({
    accessToken: `access-${asked.length}`,
    refreshToken: `refresh-${asked.length}`,
    obtainedAt: clock.now,
    expiresAt: clock.now + HOUR,
  });
  const link = async (tokens: { [Name in keyof TokenSet]?: TokenSet[Name] | undefined } = {}, linkedAt = START) => {
    const set = { accessToken: 'access-0', refreshToken: 'refresh-0', obtainedAt: START, expiresAt: START + HOUR };
    const sealedTokens = sealTokens(vault, ANA, { ...set, ...tokens } as TokenSet);
    const version = (await links.get(ANA))?.version ?? 0;
    await links.save({ ...ANA, schema: 1, workspace: 'T1', channelAnswers: 'thread', sealedTokens, linkedAt }, version);
  };
  await link();
  const replica = () =>
    createAccessTokens({
      links,
      vault,
      now: () => clock.now,
      random: () => 0,
      retryDelayMs: 2,
      log: createLog('silent'),
      refresh: (purpose, refreshToken) => {
        asked.push(refreshToken);
        return (script.shift() ?? answer)(purpose, refreshToken);
      },
      ...options,
    });
  const stored = async () => {
    const current = await links.get(ANA);
    return current && openTokens(vault, current);
  };
  return { clock, links, vault, asked, script, answer, link, replica, tokens: replica(), stored };
}

/** The same, where the token has expired since. */
async function createExpired(options: Partial<AccessTokensOptions> = {}) {
  const world = await createWorld(options);
  world.clock.now += 2 * HOUR;
  return world;
}

function fail(error: Error): Refresh {
  return () => Promise.reject(error);
}
const ended = fail(new AuthorizationEndedError('invalid_grant'));
const down = fail(new IdentityProviderUnavailableError('HTTP 502'));

const OTHER = { accessToken: 'other-account', refreshToken: 'other-refresh' };

describe('accessTokenFor', () => {
  it.each([
    ['not while the token is good', 54, 0, 60, 0],
    ['five minutes before its end', 55, 0, 60, 1],
    ['up to a minute later, by chance', 55.5, 1, 60, 0],
    ['no more than a minute later', 56, 1, 60, 1],
    ['not from the first second on where it lives four minutes', 0, 0, 4, 0],
  ])('refreshes %s', async (_, minutes, random, life, refreshes) => {
    const { tokens, clock, link, asked } = await createWorld({ random: () => random });
    await link({ expiresAt: START + life * MINUTE });
    clock.now += minutes * MINUTE;

    expect(await tokens.accessTokenFor(ANA)).toBe(`access-${refreshes}`);
    expect(asked).toEqual(Array(refreshes).fill('refresh-0'));
  });

  it('refreshes once for twenty callers with one expired token', async () => {
    const { tokens, asked } = await createExpired();

    const results = await Promise.all(Array.from({ length: 20 }, () => tokens.accessTokenFor(ANA)));

    expect(new Set(results)).toEqual(new Set(['access-1']));
    expect(asked).toEqual(['refresh-0']);
  });

  it('refreshes once for two replicas that share a lock', async () => {
    let queue = Promise.resolve<unknown>(undefined);
    const withLock = <T>(_key: string, run: () => Promise<T>): Promise<T> => {
      const mine = queue.then(run);
      queue = mine.catch(() => undefined);
      return mine;
    };
    const { replica, asked } = await createExpired({ withLock });
    const replicas = [replica(), replica()];

    const results = await Promise.all(replicas.map((each) => each.accessTokenFor(ANA)));

    expect(results).toEqual(['access-1', 'access-1']);
    expect(asked).toEqual(['refresh-0']);
  });

  /** The new pair was not saved. The store is back. */
  async function createUnsaved() {
    const world = await createExpired();
    world.links.beforeSave = () => Promise.reject(new StoreUnavailableError('disk full'));
    await expect(world.tokens.accessTokenFor(ANA)).rejects.toMatchObject({ code: 'store_unavailable' });
    world.links.beforeSave = () => {};
    return world;
  }

  it('hands out no token that it could not save, and saves it later instead of refreshing with a spent one', async () => {
    const { tokens, asked, clock } = await createUnsaved();

    expect(await tokens.accessTokenFor(ANA)).toBe('access-1');
    clock.now += 2 * HOUR;
    expect(await tokens.accessTokenFor(ANA)).toBe('access-2');
    expect(asked).toEqual(['refresh-0', 'refresh-1']);
  });

  it('saves nothing later over another sign-in', async () => {
    const { tokens, link, clock } = await createUnsaved();
    await link({ ...OTHER, expiresAt: clock.now + HOUR }, clock.now);

    expect(await tokens.accessTokenFor(ANA)).toBe('other-account');
  });

  it('keeps the old refresh token when none comes back', async () => {
    const { tokens, clock, script, stored } = await createExpired();
    script.push(async () => ({ accessToken: 'access-1', obtainedAt: clock.now, expiresAt: clock.now + HOUR }));

    await tokens.accessTokenFor(ANA);

    expect(await stored()).toMatchObject({ accessToken: 'access-1', refreshToken: 'refresh-0' });
  });

  type World = Awaited<ReturnType<typeof createExpired>>;

  /** Somebody changes the link before the new pair is saved. */
  const change = (fields: object) => async (links: World['links']) => {
    const current = await links.get(ANA);
    if (current) await links.save({ ...current, ...fields }, current.version);
  };
  const signInAnew = (_: World['links'], { link, clock }: World) =>
    link({ ...OTHER, expiresAt: clock.now + HOUR }, clock.now);

  it.each<[string, (links: World['links'], world: World) => unknown, string | object, string | undefined]>([
    ['something else is changed', change({ channelAnswers: 'private' }), 'access-1', 'refresh-1'],
    ['somebody signs in', signInAnew, 'other-account', 'other-refresh'],
    [
      'somebody signs out, and in again',
      async (links, world) => {
        await links.delete(ANA);
        await signInAnew(links, world);
      },
      'other-account',
      'other-refresh',
    ],
    ['another sign-in ends', change({ sealedTokens: '', linkedAt: START + 2 * HOUR }), { reason: 'ended' }, undefined],
    ['another replica takes it for ended', change({ sealedTokens: '' }), 'access-1', 'refresh-1'],
    ['the link is deleted', (links) => links.delete(ANA), { reason: 'never' }, undefined],
    [
      'the operator ends it',
      (links, { clock }) => endSignIns(links, { now: () => clock.now }),
      { reason: 'ended' },
      undefined,
    ],
    [
      'the store is busy for a moment',
      () => {
        throw new StoreUnavailableError('busy');
      },
      'access-1',
      'refresh-1',
    ],
  ])('keeps the right pair where, before it is saved, %s', async (_, happens, result, refreshToken) => {
    const world = await createExpired();
    const { links, tokens } = world;
    links.beforeSave = async () => {
      links.beforeSave = () => {};
      await happens(links, world);
    };

    const got = tokens.accessTokenFor(ANA);

    if (typeof result === 'string') expect(await got).toBe(result);
    else await expect(got).rejects.toMatchObject({ code: 'account_not_linked', ...result });
    expect((await world.stored())?.refreshToken).toBe(refreshToken);
  });

  it('asks for a sign-in where there is no link', async () => {
    const { tokens } = await createWorld();

    await expect(tokens.accessTokenFor({ ...ANA, purpose: 'admin' })).rejects.toMatchObject({
      code: 'account_not_linked',
      reason: 'never',
    });
  });

  it('ends the authorization when the identity provider says it is over, and tells so once', async () => {
    const told: LinkKey[] = [];
    const onEnded = async (key: LinkKey) => void told.push(key);
    const { tokens, script, links, asked } = await createExpired({ onEnded });
    script.push(ended);

    await expect(tokens.accessTokenFor(ANA)).rejects.toMatchObject({ code: 'account_not_linked', reason: 'ended' });
    await expect(tokens.accessTokenFor(ANA)).rejects.toMatchObject({ code: 'account_not_linked', reason: 'ended' });
    expect(await links.get(ANA)).toMatchObject({ sealedTokens: '', channelAnswers: 'thread' });
    expect(asked).toHaveLength(1);
    expect(told).toEqual([ANA]);
  });

  it('uses what another replica refreshed meanwhile instead of ending the authorization', async () => {
    const { tokens, clock, script, link, links } = await createExpired();
    script.push(async (...request) => {
      await link({ accessToken: 'theirs', refreshToken: 'refresh-theirs', expiresAt: clock.now + HOUR });
      return ended(...request);
    });

    expect(await tokens.accessTokenFor(ANA)).toBe('theirs');
    expect((await links.get(ANA))?.sealedTokens).not.toBe('');
  });

  it('repeats a refresh once that got no proper answer', async () => {
    const { tokens, script, asked } = await createExpired();
    script.push(down);

    expect(await tokens.accessTokenFor(ANA)).toBe('access-2');
    expect(asked).toEqual(['refresh-0', 'refresh-0']);
  });

  it.each([
    ['is down', [down, down], 'identity_provider_unavailable', 2],
    [
      'refuses the app',
      [fail(new IdentityProviderMisconfiguredError('invalid_client'))],
      'identity_provider_misconfigured',
      1,
    ],
  ])('leaves the link alone while the identity provider %s', async (_what, answers, code, requests) => {
    const { tokens, script, asked, links, stored } = await createExpired();
    const before = await links.get(ANA);
    script.push(...answers);

    await expect(tokens.accessTokenFor(ANA)).rejects.toMatchObject({ code });
    expect(asked).toHaveLength(requests);
    expect(await links.get(ANA)).toEqual(before);
    expect(await stored()).toMatchObject({ refreshToken: 'refresh-0' });
  });

  it('does not repeat a refresh before the wait that the identity provider asked for', async () => {
    const { tokens, script, asked } = await createExpired();
    script.push(fail(new IdentityProviderUnavailableError('HTTP 503', { retryAfterMs: 30_000 })));

    await expect(tokens.accessTokenFor(ANA)).rejects.toMatchObject({ retryAfterMs: 30_000 });
    expect(asked).toHaveLength(1);
  });

  it('goes on with a token that still works while the identity provider is down, and asks it rarely', async () => {
    const { tokens, clock, script, asked } = await createWorld();
    clock.now += 56 * MINUTE;
    script.push(down, down);

    expect(await tokens.accessTokenFor(ANA)).toBe('access-0');
    expect(await tokens.accessTokenFor(ANA)).toBe('access-0');
    expect(asked).toHaveLength(2);

    clock.now += 31_000;
    expect(await tokens.accessTokenFor(ANA)).toBe('access-3');
  });

  it('asks for a sign-in at once when an early refresh says that the authorization is over', async () => {
    const { tokens, clock, script } = await createWorld();
    clock.now += 56 * MINUTE;
    script.push(ended);

    await expect(tokens.accessTokenFor(ANA)).rejects.toMatchObject({ code: 'account_not_linked', reason: 'ended' });
  });

  it('asks for a sign-in when the token has expired and there is none to refresh with, and no earlier', async () => {
    const { tokens, clock, asked, link } = await createWorld();
    await link({ refreshToken: undefined });
    clock.now += 59 * MINUTE;
    expect(await tokens.accessTokenFor(ANA)).toBe('access-0');
    clock.now += MINUTE;
    await expect(tokens.accessTokenFor(ANA)).rejects.toMatchObject({ code: 'account_not_linked', reason: 'ended' });
    expect(asked).toEqual([]);
  });

  it('refuses tokens that were copied from another record, and ends nothing', async () => {
    const { tokens, links } = await createWorld();
    const ana = await links.get(ANA);
    const ben = { ...ANA, user: 'UBEN' };
    if (ana) await links.save({ ...ana, ...ben }, 0);

    await expect(tokens.accessTokenFor(ben)).rejects.toMatchObject({ code: 'token_tampered' });
    for (const key of [ANA, ben]) expect((await links.get(key))?.sealedTokens).toBeTruthy();
  });
});

describe('the use of a link', () => {
  const DAY = 24 * HOUR;

  it('is noted once a day, and costs no write for every question', async () => {
    const { tokens, clock, link, links } = await createWorld();
    await link({ expiresAt: START + 90 * DAY });
    const { saves } = links;

    await tokens.accessTokenFor(ANA);
    const firstDay = { usedAt: (await links.get(ANA))?.usedAt, saves: links.saves };
    clock.now += DAY;
    await tokens.accessTokenFor(ANA);
    await tokens.accessFor(ANA);

    expect(firstDay).toEqual({ usedAt: undefined, saves });
    expect(await links.get(ANA)).toMatchObject({ usedAt: START + DAY });
    expect(links.saves).toBe(saves + 1);
  });

  it('is noted beside a refresh, and neither loses what the other wrote', async () => {
    const { tokens, clock, links, asked } = await createWorld();
    const { saves } = links;
    clock.now += 30 * DAY;

    expect(await tokens.accessTokenFor(ANA)).toBe('access-1');
    expect(await links.get(ANA)).toMatchObject({ usedAt: clock.now });
    expect(links.saves).toBe(saves + 2);
    expect(await tokens.accessTokenFor(ANA)).toBe('access-1');
    expect(asked).toHaveLength(1);
  });

  it('holds up nobody if it cannot be noted', async () => {
    const { tokens, clock, link, links } = await createWorld();
    await link({ expiresAt: START + 90 * DAY });
    clock.now += DAY;
    links.beforeSave = () => {
      throw new StoreUnavailableError('no answer');
    };

    expect(await tokens.accessTokenFor(ANA)).toBe('access-0');
  });
});

describe('renew', () => {
  it('refreshes though the token should still be good', async () => {
    const { tokens, asked } = await createWorld();

    expect(await tokens.renew(ANA, 'access-0')).toBe('access-1');
    expect(asked).toEqual(['refresh-0']);
  });

  it('returns the stored token where it is another one than the rejected', async () => {
    const { tokens, asked } = await createWorld();

    expect(await tokens.renew(ANA, 'access-before')).toBe('access-0');
    expect(asked).toEqual([]);
  });
});
