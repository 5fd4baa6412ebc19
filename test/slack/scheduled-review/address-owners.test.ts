import { beforeEach, describe, expect, it } from 'vitest';
import type { FindingItem, LevelItem } from '../../../src/governance/review/schedule/owner-items.ts';
import { addressOwners, MAX_PEOPLE } from '../../../src/slack/scheduled-review/address-owners.ts';
import { aWorld, holdingOne, NOW, reviewWorld } from '../../governance/review/review-world.ts';

const notices = new Map<string, number>();
let now: number;

const reviews = {
  async claimNotice(key: string, expiresAt: number) {
    if ((notices.get(key) ?? 0) > now) return false;
    notices.set(key, expiresAt);
    return true;
  },
};

/** Everybody is found whose name begins with a U. */
const finder = {
  find: async (owner: string) => (owner.startsWith('U') ? { user: owner, channel: `D${owner}` } : undefined),
  lacksAddresses: () => false,
};

beforeEach(() => {
  notices.clear();
  now = NOW;
});

const address = (items: (FindingItem | LevelItem)[]) => addressOwners(items, { finder, reviews, now: () => now });

async function aFinding(owners: string[]) {
  const { environment } = holdingOne(await reviewWorld(aWorld()));
  return { ...environment, owners, ownerId: undefined };
}

async function anItem(owners: string[], environmentOwners: string[] = []): Promise<FindingItem> {
  return {
    kind: 'finding',
    change: 'new',
    finding: await aFinding(owners),
    environmentName: undefined,
    environmentOwners,
  };
}

async function aLevel(owners: string[], level: 80 | 100): Promise<LevelItem> {
  const used = { consumed: level * 10, capacity: 1_000, asOf: NOW, currency: 'ServiceMessages' };
  const finding = await aFinding(owners);
  return { kind: 'level', finding, environmentName: undefined, stopsWhenReached: undefined, level, ...used };
}

describe('what owners hear of', () => {
  it('comes to each of them in one, and what has nobody is left', async () => {
    const items = [await anItem(['UANA', 'UBEN']), await anItem(['UANA']), await anItem(['nobody'])];

    const { people, unreached } = await address(items);

    expect(people.map(({ user, items: own }) => [user, own.length])).toEqual([
      ['UANA', 2],
      ['UBEN', 1],
    ]);
    expect(unreached).toEqual([items[2]]);
  });

  it('goes to the owners of the environment where nobody is found whose agent it is', async () => {
    const { people } = await address([await anItem(['nobody'], ['UBEN']), await anItem(['UANA'], ['UKIM'])]);

    expect(people.map(({ user }) => user)).toEqual(['UBEN', 'UANA']);
  });

  it('is told to no more people than Slack lets us write to', async () => {
    const items = await Promise.all(Array.from({ length: MAX_PEOPLE + 5 }, (_, index) => anItem([`U${index}`])));

    const { people, leftOut } = await address(items);

    expect([people.length, leftOut]).toEqual([MAX_PEOPLE, 5]);
  });
});

describe('a level', () => {
  it('is told once to each in a calendar month', async () => {
    const levels = async () => (await address([await aLevel(['UANA', 'UBEN'], 80)])).people.map(({ user }) => user);

    expect(await levels()).toEqual(['UANA', 'UBEN']);
    expect(await levels()).toEqual([]);
    now = Date.parse('2026-03-31T23:59:59Z');
    expect(await levels()).toEqual([]);
    now = Date.parse('2026-04-01T00:00:00Z');
    expect(await levels()).toEqual(['UANA', 'UBEN']);
  });

  it('is told again where it is the higher one, and not where it falls back', async () => {
    const count = async (level: 80 | 100) => (await address([await aLevel(['UANA'], level)])).people.length;

    expect([await count(80), await count(100), await count(100), await count(80)]).toEqual([1, 1, 0, 0]);
  });

  it('is never told to owners of the environment, and is left once where nobody is found', async () => {
    const level = await aLevel(['nobody'], 100);

    expect((await address([level])).unreached).toEqual([level]);
    expect((await address([level])).unreached).toEqual([]);
  });
});
