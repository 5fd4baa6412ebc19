// What owners are written to about: levels of consumption, and who is found.
import { describe, expect, it } from 'vitest';
import type { Entitlement } from '../../../src/admin-api/licensing-wire.ts';
import { findNewLevels, readLevels, type SaidLevels } from '../../../src/governance/schedule/consumption-levels.ts';
import {
  addressOwners,
  buildOwnerMessage,
  describeUnreached,
  MAX_PEOPLE,
  type OwnerItem,
  toOwnerItems,
} from '../../../src/governance/schedule/slack-owners.ts';
import { setEdit } from '../../../src/policy/edit.ts';
import { aSeen, reviewSeen } from '../review/a-seen.ts';
import { LIMIT, toPolicy } from '../review/a-tenant.ts';
import { anEntitlement, CURRENCY } from '../samples.ts';
import { NOW, textOf } from '../world.ts';

async function levelsOf(entitlement: Entitlement, { levels = [100, 80], at = NOW } = {}) {
  const session = { readEntitlements: async () => [entitlement] };
  return (await readLevels(aSeen({ agents: [] }), { session, levels, currency: CURRENCY, at })).levels;
}

describe('the level of an environment', () => {
  it.each([
    [799, undefined],
    [800, 80],
    [999.5, 80],
    [1_000, 100],
    [1_700, 100],
  ])('is, with %d of 1,000 credits used, %s', async (consumed, level) => {
    expect((await levelsOf(anEntitlement({ consumed }))).at(0)?.level).toBe(level);
  });

  it.each<[string, Partial<Entitlement>]>([
    ['nothing is allocated', { capacity: 0 }],
    ['nobody knows what is allocated', { capacity: undefined }],
    ['nobody knows what is used', { consumed: undefined }],
    ['the figures are of the month before', { asOf: Date.parse('2026-10-31T23:00:00Z') }],
    ['they name no currency', { entitlementId: undefined }],
  ])('is none where %s', async (_, values) => {
    expect(await levelsOf(anEntitlement({ consumed: 5_000, ...values }))).toEqual([]);
  });

  it('is none on the first day of a month, where the figures have no time', async () => {
    const entitlement = anEntitlement({ consumed: 900, asOf: undefined });

    expect(await levelsOf(entitlement, { at: Date.parse('2026-11-01T07:00:00Z') })).toEqual([]);
    expect(await levelsOf(entitlement, { at: Date.parse('2026-11-02T07:00:00Z') })).toHaveLength(1);
  });
});

describe('the level of an agent', () => {
  it('is of its limit, and says whether it stops there', async () => {
    const session = { readEntitlements: async () => [] };
    const seen = aSeen({ thresholds: { 'env-1-agent-1': { limit: LIMIT, stopped: false, used: 450 } } });
    const { levels } = await readLevels(seen, { session, levels: [90], currency: CURRENCY, at: NOW });

    expect(levels).toMatchObject([{ name: 'Agent 1', level: 90, consumed: 450, capacity: 500, stopsAtLimit: true }]);
  });
});

/** Everybody is found whose name begins with a U. */
const address = (items: OwnerItem[]) =>
  addressOwners(items, async (owner) => (owner.startsWith('U') ? owner : undefined));

function aFinding(owners: string[], fallback: string[] = []): OwnerItem {
  const environment = { environmentId: 'env-1', name: 'The env-1', ownerId: undefined };
  return { kind: 'finding', finding: { group: 'new', ...environment, pool: true, agents: 3 }, owners, fallback };
}

describe('owners', () => {
  it('read all of theirs in one message, and what has nobody is left', async () => {
    const items = [aFinding(['UANA', 'UBEN']), aFinding(['UANA', 'UANA']), aFinding(['nobody'])];

    const { people, nobody } = await address(items);

    expect([...people].map(([user, own]) => [user, own.length])).toEqual([
      ['UANA', 2],
      ['UBEN', 1],
    ]);
    expect(nobody).toEqual([items[2]]);
  });

  it('of the environment read what nobody is found for whose agent it is', async () => {
    const { people } = await address([aFinding(['nobody'], ['UBEN']), aFinding(['UANA'], ['UKIM'])]);

    expect([...people.keys()]).toEqual(['UBEN', 'UANA']);
  });

  it('read a level once a month, a higher one again, and never a lower one', async () => {
    const [low = [], high = []] = await Promise.all([
      levelsOf(anEntitlement({ consumed: 800 })),
      levelsOf(anEntitlement({ consumed: 1_000 })),
    ]);
    const toLevels = (at: number) => {
      let said: SaidLevels | undefined;
      return [low, low, high, low].map((levels) => {
        const found = findNewLevels(levels, said, at);
        said = found.toSaid(found.fresh);
        return found.fresh.map(({ level }) => level);
      });
    };
    const first = findNewLevels(low, undefined, NOW);
    const said = first.toSaid(low);

    expect(toLevels(NOW)).toEqual([[80], [], [100], []]);
    expect(findNewLevels(low, said, NOW + 31 * 24 * 3_600_000).fresh).toHaveLength(1);
    // Left out, it is found again.
    expect(findNewLevels(low, first.toSaid([]), NOW).fresh).toHaveLength(1);
  });

  it('are not written to by hundreds', async () => {
    const { people, leftOut } = await address(Array.from({ length: MAX_PEOPLE + 7 }, (_, n) => aFinding([`U${n}`])));

    expect([people.size, leftOut]).toEqual([MAX_PEOPLE, 7]);
    expect(describeUnreached([], leftOut)).toEqual([expect.stringContaining('7 more')]);
  });

  it('are those that the policy names, and the one of the inventory', () => {
    const target = { environmentId: 'env-1', agentId: 'env-1-agent-1' };
    const policy = toPolicy([
      setEdit('limit', { ...target, currency: CURRENCY }, LIMIT),
      setEdit('owners', target, ['ana@acme.example', 'OWNER-1']),
    ]);
    const reviewed = reviewSeen(policy, aSeen());

    expect(toOwnerItems(reviewed.findings, [], reviewed, NOW)).toMatchObject([
      { owners: ['owner-of-env-1'], fallback: [] },
      { owners: ['ana@acme.example', 'owner-1'], fallback: ['owner-of-env-1'] },
    ]);
  });
});

describe('the message to an owner', () => {
  it('explains an arrow only where there is one', () => {
    const target = { environmentId: 'env-1', agentId: 'env-1-agent-1', currency: CURRENCY };
    const reviewed = reviewSeen(toPolicy([setEdit('limit', target, LIMIT)]), aSeen());
    const differing = toOwnerItems(reviewed.findings, [], reviewed, NOW);

    expect(textOf(buildOwnerMessage(differing, 'UKIM'))).toMatch(/ → .*Approved → as it is now/);
    expect(textOf(buildOwnerMessage([aFinding([])], 'UKIM'))).not.toContain('→');
  });
});
