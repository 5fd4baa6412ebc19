import { beforeEach, describe, expect, it } from 'vitest';
import { AdminUnreachableError } from '../../../src/admin-api/admin-errors.ts';
import type { Entitlement } from '../../../src/admin-api/licensing-wire.ts';
import {
  createConsumptionRecorder,
  type RecordPorts,
  toFigures,
} from '../../../src/governance/consumption/record-consumption.ts';
import { AccountNotLinkedError } from '../../../src/identity/identity-errors.ts';
import { createLog } from '../../../src/log.ts';
import { toDay } from '../../../src/usage/usage.ts';
import { createMemoryStore } from '../../storage/memory-store.ts';
import { aCreditUsage } from '../lists/list-samples.ts';

const NOON = Date.parse('2026-03-09T12:00:00Z');
const DAY_MS = 24 * 3_600_000;
const TODAY = toDay(NOON);

let now: number;
let store: ReturnType<typeof createMemoryStore>;
let reads: number;
let environments: Record<string, number | Error>;
let ports: RecordPorts;

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
  store = createMemoryStore(() => now);
  const session = {
    findEnvironments: async () => ({
      rows: Object.keys(environments).map((name) => ({ name, displayName: name, ownerId: undefined })),
      truncated: false,
    }),
    readEntitlements: async (id: string) => {
      reads += 1;
      return consumed(id);
    },
  };
  ports = {
    ...{ reviewer: { team: 'T1', id: 'UKIM' }, rules: [{ kind: 'user', user: 'UKIM' }] },
    lookups: { groupMembers: async () => [], isWorkspaceAdmin: async () => false },
    people: { profile: async () => ({ isMember: true }) as never },
    openSession: async () => session as never,
    findInstallation: async () => ({ team: 'T1', workspace: 'T1', botToken: 'x' }) as never,
    ...{ once: store.once, currency: 'ServiceMessages', now: () => now, log: createLog('silent') },
    wait: async () => {},
    history: store.consumption,
  };
});

const totals = async () => (await store.consumption.read(['total'], 0, TODAY + 10)).get('total');
const run = (values: Partial<RecordPorts> = {}) => createConsumptionRecorder({ ...ports, ...values }).run(() => true);

describe('the record of consumption', () => {
  it('has what each environment used, and all of them together', async () => {
    await run();

    const read = await store.consumption.read(['environment:lab', 'total', 'missing'], TODAY, TODAY);
    expect([...read].map(([name, points]) => [name, points[0]?.credits])).toEqual([
      ['environment:lab', 100],
      ['total', 5_100],
      ['missing', 0],
    ]);
  });

  it('is written once a day, whichever replica comes first', async () => {
    const next = await run();
    await run();
    expect(reads).toBe(2);

    now += DAY_MS;
    environments = { Lab: 150, production: 5_200 };
    await run();

    expect(await totals()).toEqual([
      { day: TODAY, credits: 5_100 },
      { day: TODAY + 1, credits: 5_350 },
    ]);
    expect(next).toBe((TODAY + 1) * DAY_MS + 3_600_000);
  });

  it('says how many environments could not be read', async () => {
    environments.broken = new AdminUnreachableError('read-entitlements');

    await run();

    expect((await store.consumption.read(['missing'], TODAY, TODAY)).get('missing')?.[0]?.credits).toBe(1);
    expect((await totals())?.[0]?.credits).toBe(5_100);
  });

  it.each<[string, () => Partial<RecordPorts>]>([
    ['nothing can be read', () => ({})],
    ['the reviewer has to sign in', () => ({ openSession: () => Promise.reject(new AccountNotLinkedError('ended')) })],
    ['the reviewer is no administrator any more', () => ({ rules: [] })],
  ])('is tried again half an hour later where %s', async (_, values) => {
    environments = { Lab: new AdminUnreachableError('read-entitlements') };

    expect(await run(values())).toBe(NOON + 30 * 60_000);

    environments = { Lab: 100 };
    await run();
    expect((await totals())?.[0]?.credits).toBe(100);
  });

  it('is left to the replica that has the lane', async () => {
    await createConsumptionRecorder(ports).run(() => false);

    expect(await totals()).toBeUndefined();
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
    expect([...(figures?.credits ?? [])]).toEqual([
      ['environment:lab', 50],
      ['total', 50],
    ]);
  });

  it('are none where nothing counts from the beginning of the month', () => {
    expect(toFigures([{ environmentId: 'lab', usage: aCreditUsage() }], TODAY)).toBeUndefined();
    expect(toFigures([{ environmentId: 'lab', usage: 'unreadable' }], TODAY)).toBeUndefined();
  });
});
