import { beforeEach, describe, expect, it } from 'vitest';
import { AdminUnreachableError } from '../../../src/admin-api/admin-errors.ts';
import type { Entitlement, Threshold } from '../../../src/admin-api/licensing-wire.ts';
import { startOfMonth } from '../../../src/governance/allocations/consumption.ts';
import { readLevels, toNoticeKeys } from '../../../src/governance/scheduled-review/consumption-levels.ts';
import { anAgent, anEnvironment, aWorld, NOW, reviewWorld, type World } from '../review/review-world.ts';
import { aThreshold } from '../shell/samples.ts';

const HOUR = 3_600_000;

function anEntitlement(values: Partial<Entitlement> = {}): Entitlement {
  return {
    entitlementId: 'ServiceMessages',
    unit: 'Credit',
    consumed: 0,
    consumptionType: 'MonthToDate',
    asOf: NOW - HOUR,
    capacity: 1_000,
    payGoConsumed: undefined,
    ...values,
  };
}

/** The limit of the only agent in the world. */
const LIMITED: Partial<Threshold> = { resourceId: 'bot-of-agent-1', limit: 100, stopIfOverCapacity: true };

let world: World;
let asked: string[];

beforeEach(() => {
  world = aWorld();
  asked = [];
});

type Has = {
  entitlements?: Entitlement[] | Error;
  thresholds?: Threshold[] | Error;
  /** REVIEW_LEVELS. */
  told?: number[];
};

async function levels({ entitlements = [], thresholds = [], told = [100, 80] }: Has, now = NOW) {
  return readLevels(await reviewWorld(world), {
    session: {
      async readEntitlements(environmentId) {
        asked.push(environmentId);
        if (entitlements instanceof Error) throw entitlements;
        return entitlements;
      },
      async readThresholds() {
        if (thresholds instanceof Error) throw thresholds;
        return thresholds;
      },
    },
    levels: told,
    at: now,
    wait: async () => undefined,
    signal: new AbortController().signal,
    onUnexpected: (error) => {
      throw error;
    },
  });
}

describe('the level of an environment', () => {
  it.each([
    [799, undefined],
    [800, 80],
    [999.5, 80],
    [1_000, 100],
    [1_700, 100],
  ])('is, with %d of 1,000 credits used, %s', async (consumed, level) => {
    const found = await levels({ entitlements: [anEntitlement({ consumed })] });

    expect(found.levels.map((one) => one.level)).toEqual(level === undefined ? [] : [level]);
  });

  it.each<[string, Partial<Entitlement>]>([
    ['nothing is allocated', { capacity: 0 }],
    ['it is not told what is allocated', { capacity: undefined }],
    ['it is not told what is used', { consumed: undefined }],
    ['the figures are of the month before', { asOf: Date.parse('2026-02-28T23:00:00Z') }],
    ['they name no currency', { entitlementId: undefined }],
  ])('is not told where %s', async (_, values) => {
    const found = await levels({ entitlements: [anEntitlement({ consumed: 5_000, ...values })] });

    expect(found.levels).toEqual([]);
  });

  it('is read also where it has no owner: the channel is told', async () => {
    world.environments.push(anEnvironment({ name: 'env-2', ownerId: undefined }));

    const found = await levels({ entitlements: [anEntitlement({ consumed: 900 })] });

    expect(asked).toEqual(['env-1', 'env-2']);
    expect(found.levels.map(({ finding }) => finding.environmentId)).toEqual(['env-1', 'env-2']);
  });

  it.each([
    [499, undefined, undefined],
    [500, 50, []],
    [950, 95, [50]],
    [1_300, 120, [95, 50]],
    [290, undefined, undefined],
  ])('is, with %d used and 50, 95 and 120 configured, %s with %s below it', async (consumed, level, lowerLevels) => {
    const found = await levels({ entitlements: [anEntitlement({ consumed })], told: [120, 95, 50] });

    expect(found.levels.at(0)?.level).toBe(level);
    expect(found.levels.at(0)?.lowerLevels).toEqual(lowerLevels);
  });

  it('is reached exactly at its percent, whatever binary fractions make of it', async () => {
    const percents = Array.from({ length: 150 }, (_, index) => index + 1);

    for (const percent of percents) {
      const found = await levels({ entitlements: [anEntitlement({ consumed: percent * 10 })], told: [percent] });
      expect(found.levels.map((one) => one.level)).toEqual([percent]);
    }
  });

  it('is not read where no levels are configured', async () => {
    const used = { entitlements: [anEntitlement({ consumed: 5_000 })], thresholds: new AdminUnreachableError('read') };

    expect(await levels({ ...used, told: [] })).toEqual({ levels: [], unread: 0, isLimitsUnread: false });
    expect(asked).toEqual([]);
  });

  it('is left for the next time where it could not be read', async () => {
    const found = await levels({ entitlements: new AdminUnreachableError('read') });

    expect(found).toMatchObject({ levels: [], unread: 1 });
  });
});

describe('the level of an agent', () => {
  it('is that of its limit, where the deployment tells what it has used', async () => {
    const found = await levels({ thresholds: [aThreshold({ ...LIMITED, consumption: 85 })] });

    expect(found.levels).toMatchObject([{ level: 80, consumed: 85, capacity: 100, stopsWhenReached: true }]);
    expect((await levels({ thresholds: [aThreshold({ ...LIMITED, consumption: undefined })] })).levels).toEqual([]);
  });

  it('is not told on the first day of a month, when the figure may be of the last one', async () => {
    const thresholds = [aThreshold({ ...LIMITED, consumption: 100 })];

    expect((await levels({ thresholds }, Date.parse('2026-04-01T12:00:00Z'))).levels).toEqual([]);
    expect((await levels({ thresholds }, Date.parse('2026-04-02T12:00:00Z'))).levels).toHaveLength(1);
  });

  it('is found also where it has no owner: the channel is told', async () => {
    world.agents = [anAgent({ ownerId: undefined })];

    expect((await levels({ thresholds: [aThreshold({ ...LIMITED, consumption: 100 })] })).levels).toHaveLength(1);
  });
});

describe('limits of agents', () => {
  it('that cannot be read are counted as unread, where there are agents', async () => {
    const thresholds = new AdminUnreachableError('thresholds');

    expect(await levels({ thresholds })).toMatchObject({ levels: [], isLimitsUnread: true });
    expect(await levels({})).toMatchObject({ isLimitsUnread: false });
    world.agents = [];
    expect(await levels({ thresholds })).toMatchObject({ isLimitsUnread: false });
  });
});

describe('a notice', () => {
  it('does not name whom it is for', async () => {
    const [level] = (await levels({ entitlements: [anEntitlement({ consumed: 900 })] })).levels;

    expect(level && toNoticeKeys('U0ANA', level, NOW).join()).not.toContain('U0ANA');
  });

  it('is the same within one calendar month, for one person, subject and level', async () => {
    const [level] = (await levels({ entitlements: [anEntitlement({ consumed: 900 })] })).levels;
    if (!level) throw new Error('there is no level');
    const keys = (user: string, now: string) => toNoticeKeys(user, level, Date.parse(now));

    expect(keys('U1', '2026-03-01T00:00:00Z')).toEqual(keys('U1', '2026-03-31T23:59:59Z'));
    expect(keys('U1', '2026-04-01T00:00:00Z')).not.toEqual(keys('U1', '2026-03-31T23:59:59Z'));
    expect(keys('U2', '2026-03-01T00:00:00Z')).not.toEqual(keys('U1', '2026-03-01T00:00:00Z'));
    expect(startOfMonth(Date.parse('2026-12-31T23:59:59Z'), 1)).toBe(Date.parse('2027-01-01T00:00:00Z'));
  });

  it('at the higher level speaks for the lower one', async () => {
    const of = async (consumed: number) => {
      const [level] = (await levels({ entitlements: [anEntitlement({ consumed })] })).levels;
      return level ? toNoticeKeys('U1', level, NOW) : [];
    };

    const [lower] = await of(900);
    const higher = await of(1_000);

    expect(higher).toHaveLength(2);
    expect(higher[1]).toBe(lower);
  });
});
