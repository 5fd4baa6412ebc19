import { beforeEach, describe, expect, it } from 'vitest';
import type { ReviewStore } from '../../../src/governance/review/review-diff.ts';
import { addressOwners, MAX_LOOKUPS, MAX_PEOPLE } from '../../../src/governance/scheduled-review/address-owners.ts';
import type { FindingItem, LevelItem } from '../../../src/governance/scheduled-review/consumption-levels.ts';
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
    return owner.startsWith('U') ? { user: owner, timeZone: undefined } : undefined;
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

    expect((await address([level])).unreached).toEqual([level]);
    expect((await address([level])).unreached).toEqual([]);
  });
});
