import { beforeEach, describe, expect, it } from 'vitest';
import type { ReviewStore } from '../../../src/governance/review/review-store.ts';
import { addressOwners, MAX_LOOKUPS, MAX_PEOPLE } from '../../../src/governance/scheduled-review/address-owners.ts';
import type { FindingItem, LevelItem } from '../../../src/governance/scheduled-review/owner-items.ts';
import { createMemoryStore } from '../../storage/memory-store.ts';
import { aWorld, holdingOne, NOW, reviewWorld } from '../review/review-world.ts';

let reviews: ReviewStore;
let now: number;
let run: number;
let lookups: number;

/** Everybody is found whose name begins with a U. */
const finder = {
  async find(owner: string) {
    lookups += 1;
    if (owner.startsWith('U')) return { user: owner, timeZone: undefined };
    return owner.startsWith('guest') ? ('no_member' as const) : ('unknown' as const);
  },
};

beforeEach(() => {
  reviews = createMemoryStore(() => now).reviews;
  now = NOW;
  run = 0;
  lookups = 0;
});

/** Each time another run, unless it is said to be one that is repeated. */
const address = (items: (FindingItem | LevelItem)[], holder = `run ${++run}`) =>
  addressOwners(items, { finder, reviews, at: now, holder });

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
  const lowerLevels = level === 100 ? [80] : [];
  const used = { consumed: level * 10, capacity: 1_000, asOf: NOW, currency: 'ServiceMessages' };
  const finding = await aFinding(owners);
  return {
    kind: 'level',
    finding,
    environmentName: undefined,
    stopsWhenReached: undefined,
    level,
    lowerLevels,
    ...used,
  };
}

describe('what owners hear of', () => {
  it('comes to each of them in one, and what has nobody is left', async () => {
    const items = [await anItem(['UANA', 'UBEN']), await anItem(['UANA']), await anItem(['nobody'])];

    const { people, unreached } = await address(items);

    expect(people.map(({ user, items: own }) => [user, own.length])).toEqual([
      ['UANA', 2],
      ['UBEN', 1],
    ]);
    expect(unreached).toEqual([{ item: items[2], reason: 'unknown' }]);
  });

  it('goes to the owners of the environment where nobody is found whose agent it is', async () => {
    const { people } = await address([await anItem(['nobody'], ['UBEN']), await anItem(['UANA'], ['UKIM'])]);

    expect(people.map(({ user }) => user)).toEqual(['UBEN', 'UANA']);
  });

  it.each<[string, string[], string[], string]>([
    ['nobody is named', [], [], 'no_owner'],
    ['the first of them is a guest', ['guest', 'nobody'], ['nobody'], 'no_member'],
    ['only the environment names somebody, whom nobody knows', [], ['nobody'], 'unknown'],
  ])('is left with the reason where %s', async (_, owners, environmentOwners, reason) => {
    const item = await anItem(owners, environmentOwners);

    expect((await address([item])).unreached).toEqual([{ item, reason }]);
  });

  it('is told to no more people than Slack lets us write to', async () => {
    const items = await Promise.all(Array.from({ length: MAX_PEOPLE + 5 }, (_, index) => anItem([`U${index}`])));

    const { people, leftOut } = await address(items);

    expect([people.length, leftOut, lookups]).toEqual([MAX_PEOPLE, 5, MAX_PEOPLE]);
  });

  it('looks for no more of them than Slack lets us in a while, and does not say that nobody is found', async () => {
    const items = await Promise.all(Array.from({ length: MAX_LOOKUPS + 5 }, (_, index) => anItem([`nobody${index}`])));

    const { unreached, leftOut } = await address(items);

    expect([unreached.length, leftOut, lookups]).toEqual([MAX_LOOKUPS, 5, MAX_LOOKUPS]);
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

  it('is not lost where the attempt that claimed it came to nothing', async () => {
    const items = [await aLevel(['UANA'], 100), await aLevel(['nobody'], 80)];
    const first = await address(items, 'one');

    expect(await address(items, 'one')).toEqual(first);
    expect(await address(items, 'another')).toEqual({ people: [], unreached: [], claims: [], leftOut: 0 });
  });

  it('that is listed twice is told once', async () => {
    const level = await aLevel(['UANA'], 80);

    expect((await address([level, level])).people.map(({ items }) => items.length)).toEqual([1]);
  });

  it('is told again where it is the higher one, and not where it falls back', async () => {
    const count = async (level: 80 | 100) => (await address([await aLevel(['UANA'], level)])).people.length;

    expect([await count(80), await count(100), await count(100), await count(80)]).toEqual([1, 1, 0, 0]);
  });

  it('is never told to owners of the environment, and is left once where nobody is found', async () => {
    const level = await aLevel(['nobody'], 100);

    expect((await address([level])).unreached).toEqual([{ item: level, reason: 'unknown' }]);
    expect((await address([level])).unreached).toEqual([]);
  });
});
