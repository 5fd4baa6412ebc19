import { beforeEach, describe, expect, it } from 'vitest';
import { AdminFailedError } from '../../../src/admin-api/admin-errors.ts';
import type { Entitlement, Threshold } from '../../../src/admin-api/licensing-wire.ts';
import { createExpiring } from '../../../src/backend/expiring.ts';
import {
  type ConsumptionStore,
  createConsumption,
  endOfMonth,
} from '../../../src/governance/consumption/consumption-history.ts';
import type { CreditUsage } from '../../../src/governance/consumption/credit-usage.ts';
import { createConsumptionRecorder, toFigures } from '../../../src/governance/schedule/record-consumption.ts';
import type { ScheduledServices } from '../../../src/governance/schedule/slack-delivery.ts';
import type { ClaimStore } from '../../../src/identity/account-link.ts';
import { AccountNotLinkedError } from '../../../src/identity/identity-errors.ts';
import { createLog } from '../../../src/log.ts';
import { toDay } from '../../../src/usage/usage.ts';
import { createModel } from '../../storage/kernel-model.ts';

function aCreditUsage(values: Partial<CreditUsage> = {}): CreditUsage {
  const usage = { currencyType: 'ServiceMessages', consumed: 1, capacity: 10, share: 0.1, asOf: NOON };
  return { ...usage, payGoConsumed: 0, isStale: false, forecast: undefined, ...values };
}

const NOON = Date.parse('2026-03-09T12:00:00Z');
const DAY_MS = 24 * 3_600_000;
const TODAY = toDay(NOON);

const AGENT = {
  ...{ name: 'a1', agentResourceId: 'a1', displayName: 'Travel', environmentId: 'Lab', ownerId: undefined },
  isHarness: false,
};

let now: number;
let store: { once: ClaimStore; consumption: ConsumptionStore };
let reads: number;
let environments: Record<string, number | Error>;
let services: ScheduledServices;
let thresholds: Threshold[] | 'not_offered';

const consumed = (id: string): Entitlement[] => {
  const found = environments[id];
  if (found instanceof Error) throw found;
  const value = { entitlementId: 'ServiceMessages', unit: 'Credit', consumed: found, capacity: 10_000 };
  return [{ ...value, consumptionType: 'MonthToDate', asOf: now - 3_600_000, payGoConsumed: 0 }] as Entitlement[];
};

beforeEach(() => {
  now = NOON;
  reads = 0;
  environments = { Lab: 100, production: 5_000 };
  const kernel = createModel(() => now);
  store = { once: createExpiring(kernel), consumption: createConsumption(kernel) };
  const session = {
    findEnvironments: async () => ({
      rows: Object.keys(environments).map((name) => ({ name, displayName: name, ownerId: undefined })),
      truncated: false,
    }),
    findAgents: async () => ({ rows: [AGENT], truncated: false }),
    readThresholds: async () => thresholds,
    readEntitlements: async (id: string) => {
      reads += 1;
      return consumed(id);
    },
  };
  thresholds = 'not_offered';
  services = {
    ...{ reviewer: { team: 'T1', id: 'UKIM' }, rules: [{ kind: 'user', user: 'UKIM' }] },
    lookups: { groupMembers: async () => [], isWorkspaceAdmin: async () => false },
    people: { profile: async () => ({ isMember: true }) as never } as never,
    openSession: async () => session as never,
    findInstallation: async () => ({ team: 'T1', workspace: 'T1', botToken: 'x' }) as never,
    ...{ once: store.once, currency: 'ServiceMessages', now: () => now, log: createLog('silent') },
    wait: async () => {},
    ...{ history: store.consumption, readsLimits: true },
  } as unknown as ScheduledServices;
});

/** Of the lab. */
const recorded = async () => (await store.consumption.read(['environment:lab'], 0, TODAY + 10)).get('environment:lab');
const run = (values: Partial<ScheduledServices> = {}) =>
  createConsumptionRecorder({ ...services, ...values }).run(() => true);

describe('the record of consumption', () => {
  it('has what each environment used', async () => {
    await run();

    const read = await store.consumption.read(['environment:lab', 'environment:production', 'missing'], TODAY, TODAY);
    expect(Object.fromEntries([...read].map(([name, points]) => [name, points[0]?.credits]))).toEqual({
      ...{ 'environment:lab': 100, 'environment:production': 5_000, missing: 0 },
    });
  });

  it('is written once a day, whichever replica comes first', async () => {
    const next = await run();
    await run();
    expect(reads).toBe(2);

    now += DAY_MS;
    environments = { Lab: 150, production: 5_200 };
    await run();

    expect(await recorded()).toEqual([
      { day: TODAY, credits: 100 },
      { day: TODAY + 1, credits: 150 },
    ]);
    expect(next).toBe((TODAY + 1) * DAY_MS + 3_600_000);
  });

  it('has what each agent used, once a month, where the service shows limits', async () => {
    thresholds = [
      { environmentId: 'lab', resourceId: 'A1', limit: 10, stopResource: false, consumption: 7 } as Threshold,
    ];
    await run();
    now += DAY_MS;
    thresholds = [{ ...(thresholds[0] as Threshold), consumption: 9 }];
    await run();

    const last = await store.consumption.readLast(endOfMonth(TODAY), endOfMonth(TODAY));
    expect([...last].map(([name, { credits }]) => [name, credits])).toEqual([
      ['agent:["lab","a1"]', 9],
      ['agents', TODAY + 1],
    ]);
  });

  it.each([
    ['goes on in the month before while the service does', 950, [['agent:["lab","a1"]', 950]], []],
    ['is of the new month from when the service counts that', 3, [['agent:["lab","a1"]', 900]], [3]],
  ])('of agents %s, whichever day environments are counted to', async (_, used, march, april) => {
    const shows = (consumption: number) =>
      [{ environmentId: 'lab', resourceId: 'A1', limit: 10, stopResource: false, consumption }] as Threshold[];
    const [last, first] = ['2026-03-31', '2026-04-01'].map((day) => toDay(Date.parse(day)));
    now = Date.parse('2026-03-31T01:00:00Z');
    thresholds = shows(900);
    await run();
    now = Date.parse('2026-04-01T00:30:00Z');
    thresholds = shows(used);
    await run();

    const ofMonth = async (day = 0) => [...(await store.consumption.readLast(endOfMonth(day), endOfMonth(day)))];
    const ofAgents = async (day = 0) => (await ofMonth(day)).filter(([name]) => name.startsWith('agent:'));
    expect((await ofAgents(last)).map(([name, { credits }]) => [name, credits])).toEqual(march);
    expect((await ofAgents(first)).map(([, { credits }]) => credits)).toEqual(april);
  });

  it('says how many environments could not be read', async () => {
    environments.broken = new AdminFailedError('read entitlements');

    await run();

    expect((await store.consumption.read(['missing'], TODAY, TODAY)).get('missing')?.[0]?.credits).toBe(1);
    expect((await recorded())?.[0]?.credits).toBe(100);
  });

  it.each<[string, () => Partial<ScheduledServices>]>([
    ['nothing can be read', () => ({})],
    [
      'nothing is listed',
      () => {
        environments = {};
        return {};
      },
    ],
    ['the reviewer has to sign in', () => ({ openSession: () => Promise.reject(new AccountNotLinkedError('ended')) })],
    ['the reviewer is no administrator any more', () => ({ rules: [] })],
  ])('is tried again half an hour later where %s', async (_, values) => {
    environments = { Lab: new AdminFailedError('read entitlements') };

    expect(await run(values())).toBe(NOON + 30 * 60_000);

    environments = { Lab: 100 };
    await run();
    expect((await recorded())?.[0]?.credits).toBe(100);
  });

  it('is left to the replica that has the lane', async () => {
    await createConsumptionRecorder(services).run(() => false);

    expect(await recorded()).toBeUndefined();
  });
});

describe('the figures of a day', () => {
  const read = (environmentId: string, asOf: string, consumed: number) => ({
    environmentId,
    usage: aCreditUsage({ consumed, asOf: Date.parse(asOf), isMonthToDate: true }),
  });

  it('are of the day that the service has counted to, without those of another month', () => {
    const figures = toFigures(
      [read('late', '2026-02-27T10:00:00Z', 7_000), read('lab', '2026-03-01T23:00:00Z', 50)],
      toDay(Date.parse('2026-03-02T01:00:00Z')),
    );

    expect(figures?.day).toBe(toDay(Date.parse('2026-03-01')));
    expect([...(figures?.credits ?? [])]).toEqual([['environment:lab', 50]]);
  });

  it('are none where nothing counts from the beginning of the month', () => {
    expect(toFigures([{ environmentId: 'lab', usage: aCreditUsage() }], TODAY)).toBeUndefined();
    expect(toFigures([{ environmentId: 'lab', usage: 'unreadable' }], TODAY)).toBeUndefined();
  });
});
