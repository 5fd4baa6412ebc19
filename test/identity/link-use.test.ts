import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { StoreUnavailableError } from '../../src/errors.ts';
import { type AccessTokens, createAccessTokens } from '../../src/identity/access-token.ts';
import type { LinkKey, LinkStore } from '../../src/identity/account-link.ts';
import { endSignIns } from '../../src/identity/every-sign-in.ts';
import { createTokenVault, sealTokens } from '../../src/identity/token-vault.ts';
import { createLog } from '../../src/log.ts';
import { createMemoryStore } from '../storage/memory-store.ts';

const ANA: LinkKey = { team: 'T1', user: 'UANA', purpose: 'assistant' };
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = 1_800_000_000_000;

let now: number;
let links: LinkStore;
let isStoreDown: boolean;
let saves: number;
let access: AccessTokens;

/** A token that works for so long. */
async function signIn(lifeMs: number): Promise<void> {
  const vault = createTokenVault([{ id: 'k', key: randomBytes(32) }]);
  const tokens = { accessToken: 'first', refreshToken: 'r', obtainedAt: START, expiresAt: START + lifeMs };
  const sealedTokens = sealTokens(vault, ANA, tokens);
  const link = { ...ANA, schema: 1, workspace: 'T1', channelAnswers: 'thread', sealedTokens, linkedAt: START } as const;
  await links.save(link, 0);
  access = createAccessTokens({
    links,
    vault,
    now: () => now,
    retryDelayMs: 1,
    log: createLog('silent'),
    refresh: async () => ({
      accessToken: 'second',
      refreshToken: 'r2',
      obtainedAt: now,
      expiresAt: now + HOUR,
    }),
  });
}

beforeEach(() => {
  now = START;
  isStoreDown = false;
  saves = 0;
  const store = createMemoryStore(() => now);
  links = {
    ...store.links,
    async save(link, expected) {
      if (isStoreDown) throw new StoreUnavailableError('no answer');
      saves += 1;
      return store.links.save(link, expected);
    },
  };
});

const used = async () => (await links.get(ANA))?.usedAt;

describe('the use of a link', () => {
  it('is noted once a day, and costs no write for every question', async () => {
    await signIn(90 * DAY);

    await access.accessTokenFor(ANA);
    expect(await used()).toBeUndefined();
    expect(saves).toBe(1);
    now += DAY;
    await access.accessTokenFor(ANA);
    await access.accessFor(ANA);

    expect(await used()).toBe(START + DAY);
    expect(saves).toBe(2);
  });

  it('is noted beside a refresh, and neither loses what the other wrote', async () => {
    await signIn(HOUR);
    now += 30 * DAY;

    expect(await access.accessTokenFor(ANA)).toBe('second');
    expect(await used()).toBe(now);
    expect(saves).toBe(3);
    expect(await access.accessTokenFor(ANA)).toBe('second');
  });

  it('holds up nobody if it cannot be noted', async () => {
    await signIn(90 * DAY);
    now += DAY;
    isStoreDown = true;

    expect(await access.accessTokenFor(ANA)).toBe('first');
  });
});

describe('a link that the operator ends', () => {
  it('gets no tokens back from a refresh that still runs', async () => {
    await signIn(HOUR);
    now += 2 * HOUR;
    const { save } = links;
    links.save = async (...saved) => {
      links.save = save;
      await endSignIns(links, { now: () => now });
      return save(...saved);
    };

    await expect(access.renew(ANA, 'first')).rejects.toMatchObject({ code: 'account_not_linked', reason: 'ended' });
    expect(await links.get(ANA)).toMatchObject({ sealedTokens: '', endedAt: now });
    await expect(access.accessTokenFor(ANA)).rejects.toMatchObject({ reason: 'ended' });
  });
});
